//go:build hnswlib

#include <hnswlib/hnswlib.h>

#include <algorithm>
#include <exception>
#include <string>

// A few plain functions over hnswlib, since Go calls no C++.
extern "C" {

struct hnsw {
  hnswlib::InnerProductSpace *space;
  hnswlib::HierarchicalNSW<float> *graph;
};

void *hnsw_new(int dims, size_t most, int m, int construction) {
  auto *x = new hnsw;
  x->space = new hnswlib::InnerProductSpace(dims);
  x->graph = new hnswlib::HierarchicalNSW<float>(x->space, most, m, construction, 1);
  return x;
}

void *hnsw_load(int dims, const char *path) {
  auto *x = new hnsw;
  x->space = new hnswlib::InnerProductSpace(dims);
  try {
    x->graph = new hnswlib::HierarchicalNSW<float>(x->space, std::string(path));
  } catch (const std::exception &) {
    delete x->space;
    delete x;
    return nullptr;
  }
  return x;
}

void hnsw_add(void *x, const float *v, size_t id) { static_cast<hnsw *>(x)->graph->addPoint(v, id); }

void hnsw_save(void *x, const char *path) { static_cast<hnsw *>(x)->graph->saveIndex(std::string(path)); }

void hnsw_ef(void *x, size_t ef) { static_cast<hnsw *>(x)->graph->setEf(ef); }

int hnsw_search(void *x, const float *q, int k, size_t *ids) {
  auto found = static_cast<hnsw *>(x)->graph->searchKnn(q, k);
  int n = static_cast<int>(found.size());
  for (int i = n - 1; i >= 0; i--) {
    ids[i] = found.top().second;
    found.pop();
  }
  return n;
}

}
