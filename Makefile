# Two commands matter: make run and make test. make help lists the rest.

# Every Go command uses the same flags: a different set compiles SQLite once
# more, and without the tag full-text search is missing.
export GOFLAGS       := -trimpath -buildvcs=false -tags=sqlite_fts5
export CGO_ENABLED   := 1
TAGS_WINDOW          := desktop,production,webkit2_41,sqlite_fts5
# A position-independent program whose tables are read-only once it is linked.
HARDENED             := -buildmode=pie -ldflags "-s -w -extldflags=-Wl,-z,relro,-z,now"
BINARY               := build/bin/referent
LIBRARY              := testdata/library
CONVERSATION         := testdata/conversations/sample.json
ifeq ($(REFERENT_CACHE),)
CACHE                := $(if $(XDG_CACHE_HOME),$(XDG_CACHE_HOME),$(HOME)/.cache)/referent
else
CACHE                := $(REFERENT_CACHE)
endif
DEMO                 := $(CACHE)/demo
SETUP                := go run ./build/setup
LANE                 := go run ./build/lane

.DEFAULT_GOAL := help
.PHONY: help run test quick soak bench bench-quick bench-large package package-check release build binary binary-devtools clean distclean models snapshots gpu-check cuda-pack

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-10s %s\n", $$1, $$2}' Makefile

run: ## set up, build, and run the main job on the sample library
	@$(SETUP) system runtime models fonts pdfium bindings frontend
	@$(MAKE) --no-print-directory binary
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
		exec $(BINARY) --data "$(DEMO)" --demo $(LIBRARY); \
	else \
		exec $(BINARY) --data "$(DEMO)" demo $(LIBRARY) $(CONVERSATION); \
	fi

test: ## set up and run every check
	@$(SETUP) system-test system-package runtime models fonts pdfium pdfium-test clients bindings frontend
	@$(MAKE) --no-print-directory binary binary-devtools binary-dev
	@$(LANE) all

quick: ## the hermetic Go tests and the frontend's unit tests
	@$(SETUP) pdfium-test frontend
	@$(LANE) quick

soak: ## fuzz, kill and ask from many programs for a long time
	@REFERENT_FUZZ_TIME=$${REFERENT_FUZZ_TIME:-10m} REFERENT_KILLS=$${REFERENT_KILLS:-200} REFERENT_SOAK=$${REFERENT_SOAK:-1m} $(LANE) fuzz go models browser

bench: ## run the benchmarks, models against a loop in C, and the index against its peers
	@$(SETUP) system-test runtime models fonts pdfium bindings frontend
	@$(MAKE) --no-print-directory binary-devtools
	@$(LANE) bench
	@cd build/compare && go run ./native
	@$(MAKE) --no-print-directory bench-quick

# Peers whose header files the system has are built in.
comma   := ,
COMPARE := go run -tags sqlite_fts5$(if $(wildcard /usr/include/hnswlib/hnswlib.h),$(comma)hnswlib) .

bench-quick: ## the index against its peers, 100,000 passages
	@$(SETUP) runtime models
	@cd build/compare && $(COMPARE)

# The first run builds a library of 4 GB and SQLite's index of 1 GB in the cache.
bench-large: ## the index at 1,000,000 passages, words beside SQLite FTS5 only
	@$(SETUP) runtime models
	@cd build/compare && $(COMPARE) -chunks 1000000 -parts words,scan,library

package: ## build the Debian package, the portable folder and their lists
	@$(SETUP) system runtime models fonts bindings frontend
	@$(MAKE) --no-print-directory binary
	@go run ./build/package

package-check: ## make the packages; install, use, upgrade, remove and purge on a clean Debian
	@$(SETUP) system system-package runtime models fonts bindings frontend
	@$(MAKE) --no-print-directory binary
	@$(LANE) package

# VERSION=1.2.3 is needed; ADDRESS, where the packages will be, and KEY, the file
# with the publisher's private key, sign the list of versions.
release: ## write VERSION everywhere, then make the packages, their lists, sums and notices
	@go run ./build/package -set-version "$(VERSION)"
	@$(MAKE) --no-print-directory package
	@if [ -n "$(ADDRESS)" ]; then go run ./build/package -list "$(ADDRESS)" -key "$(KEY)"; fi

build: ## build the program only
	@$(SETUP) system bindings frontend
	@$(MAKE) --no-print-directory binary

binary:
	@go build -tags $(TAGS_WINDOW) $(HARDENED) -o $(BINARY) .

# The window tests read the page through WebKit's inspector, which only this
# build has.
binary-devtools:
	@go build -tags $(TAGS_WINDOW),devtools $(HARDENED) -o $(BINARY)-devtools .

# The tests on Wails' dev server need the build that has it.
binary-dev:
	@go build -tags dev,webkit2_41,sqlite_fts5 $(HARDENED) -o $(BINARY)-dev .

models: ## fetch the libraries, the starter models and the extra one for measurements
	@$(SETUP) runtime models extra-models fonts

snapshots: ## write the text snapshots of the tests anew
	@$(LANE) snapshots

# With a driver of NVIDIA the CUDA pack is fetched first, which asks for a yes.
gpu-check: ## tests and speeds on a real graphics card
	@$(SETUP) runtime models
	@if [ -e /proc/driver/nvidia/version ]; then $(SETUP) cuda-pack; fi
	@$(LANE) gpu

cuda-pack: ## fetch the CUDA runtime (shows its licence first)
	@$(SETUP) cuda-pack

clean: ## remove what was built here; downloads stay
	@rm -rf build/bin build/.stamps frontend/src/paraglide frontend/dist
	@mkdir -p frontend/dist && touch frontend/dist/.gitkeep

distclean: ## remove what was built, the frontend's packages and the shared downloads
	@$(SETUP) remove-cache
	@$(MAKE) --no-print-directory clean
	@rm -rf frontend/node_modules
