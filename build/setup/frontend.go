package main

import (
	"context"
	"os"
)

// buildFrontend installs the frontend's packages and builds frontend/dist, each
// when its inputs changed.
func buildFrontend(ctx context.Context, s *site) (string, error) {
	packages, err := digest(s.root, everything, "frontend/package.json", "frontend/package-lock.json")
	if err != nil {
		return "", err
	}
	_, err = os.Stat(s.at("frontend", "node_modules"))
	if err != nil || !s.stampIs("frontend-packages", packages) {
		w := watched{step: "frontend", what: "installing packages", dir: s.at("frontend")}
		if err := w.run(ctx, s, "npm", "ci", "--no-audit", "--no-fund"); err != nil {
			return "", err
		}
		if err := s.setStamp("frontend-packages", packages); err != nil {
			return "", err
		}
	}
	sources, err := digest(s.root, everything,
		"frontend/src", "frontend/public", "frontend/messages", "frontend/project.inlang/settings.json", "frontend/index.html",
		"frontend/package-lock.json", "frontend/vite.config.ts", "frontend/svelte.config.js", "frontend/tsconfig.json")
	if err != nil {
		return "", err
	}
	_, err = os.Stat(s.at("frontend", "dist", "index.html"))
	if err == nil && s.stampIs("frontend", sources) {
		return "frontend/dist is up to date", nil
	}
	w := watched{step: "frontend", what: "building", dir: s.at("frontend")}
	if err := w.run(ctx, s, "npm", "run", "build"); err != nil {
		return "", err
	}
	return "built frontend/dist", s.setStamp("frontend", sources)
}
