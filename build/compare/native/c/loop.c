// The shortest loops on llama.cpp: write a reply, and embed texts. One line on
// standard input asks for one round; its figures come as one line back.
//
//	loop DIR MODEL chat N    writes N tokens after the prompt in the file on fd 3
//	loop DIR MODEL embed 0   embeds each line of that file
//
// The library's package carries no headers. The structures below follow those
// of the Go binding; their sizes are asserted with what the binding says.

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int32_t token;

struct model_params {
	void *devices, *overrides;
	int32_t n_gpu_layers, split_mode, load_mode, lazy_mode, main_gpu;
	const float *tensor_split;
	void *progress, *progress_data, *kv_overrides;
	bool vocab_only, check_tensors, use_extra_bufts, no_host, no_alloc, load_mtp;
};

struct context_params {
	uint32_t n_ctx, n_batch, n_ubatch, n_seq_max, n_rs_seq, n_outputs_max, n_outputs_max_per_seq;
	int32_t n_threads, n_threads_batch, ctx_type, rope_scaling_type, pooling_type, attention_type, flash_attention;
	float rope_freq_base, rope_freq_scale, yarn_ext, yarn_attn, yarn_fast, yarn_slow;
	uint32_t yarn_orig_ctx;
	float defrag_thold;
	void *eval, *eval_data;
	int32_t type_k, type_v;
	void *abort, *abort_data;
	bool embeddings, offload_kqv, no_perf, op_offload, swa_full, kv_unified;
	void *samplers;
	size_t n_samplers;
	void *other;
};

struct batch {
	int32_t n_tokens;
	token *token;
	float *embd;
	int32_t *pos, *n_seq_id;
	int32_t **seq_id;
	int8_t *logits;
};

_Static_assert(sizeof(struct model_params) == MODEL_PARAMS, "model parameters");
_Static_assert(sizeof(struct context_params) == CONTEXT_PARAMS, "context parameters");
_Static_assert(sizeof(struct batch) == BATCH, "batch");

void ggml_backend_load_all_from_path(const char *dir);
void llama_backend_init(void);
void llama_log_set(void (*log)(int, const char *, void *), void *data);
struct model_params llama_model_default_params(void);
struct context_params llama_context_default_params(void);
void *llama_model_load_from_file(const char *path, struct model_params p);
void *llama_init_from_model(void *model, struct context_params p);
const void *llama_model_get_vocab(const void *model);
int32_t llama_model_n_embd(const void *model);
int32_t llama_vocab_n_tokens(const void *vocab);
bool llama_vocab_get_add_bos(const void *vocab);
int32_t llama_tokenize(const void *vocab, const char *text, int32_t len, token *out, int32_t max, bool special, bool parse);
int32_t llama_token_to_piece(const void *vocab, token t, char *out, int32_t max, int32_t lstrip, bool special);
struct batch llama_batch_init(int32_t n_tokens, int32_t embd, int32_t n_seq_max);
int32_t llama_decode(void *ctx, struct batch b);
float *llama_get_logits_ith(void *ctx, int32_t i);
float *llama_get_embeddings_seq(void *ctx, int32_t seq);
void *llama_get_memory(const void *ctx);
void llama_memory_clear(void *memory, bool data);

enum { chat_batch = 256, chat_context = 1024, encoder_batch = 512, encoder_texts = 32, pooling_mean = 1, most = 1 << 16 };

static void quiet(int level, const char *text, void *data) { (void)level, (void)text, (void)data; }

static void fail(const char *what) {
	fprintf(stderr, "loop: %s\n", what);
	exit(1);
}

static double now(clockid_t clock) {
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

struct span { double cpu, wall; };

static struct span begin(void) { return (struct span){now(CLOCK_PROCESS_CPUTIME_ID), now(CLOCK_MONOTONIC)}; }

static struct span since(struct span s) {
	return (struct span){now(CLOCK_PROCESS_CPUTIME_ID) - s.cpu, now(CLOCK_MONOTONIC) - s.wall};
}

static void add(struct batch *b, token t, int pos, int seq, bool out) {
	int i = b->n_tokens++;
	b->token[i] = t, b->pos[i] = pos, b->n_seq_id[i] = 1, b->seq_id[i][0] = seq, b->logits[i] = out;
}

static token best(const float *logits, int n) {
	int top = 0;
	for (int i = 1; i < n; i++)
		if (logits[i] > logits[top]) top = i;
	return top;
}

// chat evaluates the prompt in batches and writes greedily, one token a call.
static void chat(void *ctx, const void *vocab, struct batch b, const token *prompt, int n, int reply) {
	static char text[most];
	int size = llama_vocab_n_tokens(vocab), len = 0;
	llama_memory_clear(llama_get_memory(ctx), false);
	struct span start = begin();
	for (int i = 0; i < n;) {
		b.n_tokens = 0;
		for (; i < n && b.n_tokens < chat_batch; i++) add(&b, prompt[i], i, 0, i == n - 1);
		if (llama_decode(ctx, b)) fail("the prompt");
	}
	struct span read = since(start);
	token t = best(llama_get_logits_ith(ctx, -1), size);
	struct span writing = begin();
	for (int i = 0; i < reply; i++) {
		int got = llama_token_to_piece(vocab, t, text + len, most - len, 0, false);
		if (got > 0) len += got;
		if (i == reply - 1) break;
		b.n_tokens = 0;
		add(&b, t, n + i, 0, true);
		if (llama_decode(ctx, b)) fail("a token");
		t = best(llama_get_logits_ith(ctx, -1), size);
	}
	struct span wrote = since(writing);
	printf("%d %.9f %.9f %.9f %.9f ", n, read.cpu, read.wall, wrote.cpu, wrote.wall);
	for (int i = 0; i < len; i++) printf("%02x", (unsigned char)text[i]);
	printf("\n");
}

// embed packs whole texts into batches and makes a unit vector of each. The one
// of the last text is printed.
static void embed(void *ctx, int dims, struct batch b, token **texts, const int *lengths, int n) {
	static float unit[most];
	int tokens = 0;
	struct span start = begin();
	for (int first = 0, last = 0; first < n; first = last) {
		b.n_tokens = 0;
		for (; last < n && last - first < encoder_texts && b.n_tokens + lengths[last] <= encoder_batch; last++)
			for (int i = 0; i < lengths[last]; i++) add(&b, texts[last][i], i, last - first, true);
		if (first == last) fail("a text is too long");
		tokens += b.n_tokens;
		llama_memory_clear(llama_get_memory(ctx), false);
		if (llama_decode(ctx, b)) fail("a batch");
		for (int s = 0; s < last - first; s++) {
			const float *v = llama_get_embeddings_seq(ctx, s);
			double sum = 0;
			for (int i = 0; i < dims; i++) sum += (double)v[i] * v[i];
			for (int i = 0; i < dims; i++) unit[i] = (float)(v[i] / sqrt(sum));
		}
	}
	struct span took = since(start);
	printf("%d %.9f %.9f", tokens, took.cpu, took.wall);
	for (int i = 0; i < dims; i++) printf(" %.9g", unit[i]);
	printf("\n");
}

static token *tokens_of(const void *vocab, const char *text, int len, bool special, int *n) {
	token *out = malloc(most * sizeof *out);
	if (!out || (*n = llama_tokenize(vocab, text, len, out, most, special, false)) <= 0) fail("the text");
	return out;
}

int main(int argc, char **argv) {
	static char text[most], line[16];
	static token *texts[most];
	static int lengths[most];
	if (argc != 5) fail("DIR MODEL chat|embed N");
	bool chats = !strcmp(argv[3], "chat");
	FILE *in = fdopen(3, "r");
	int len = in ? (int)fread(text, 1, most, in) : 0;
	if (len <= 0 || len == most) fail("the text cannot be read");

	llama_log_set(quiet, NULL);
	ggml_backend_load_all_from_path(argv[1]);
	llama_backend_init();
	struct model_params mp = llama_model_default_params();
	mp.n_gpu_layers = 0;
	void *model = llama_model_load_from_file(argv[2], mp);
	if (!model) fail("the model cannot be loaded");
	struct context_params cp = llama_context_default_params();
	cp.n_threads = cp.n_threads_batch = 1;
	cp.no_perf = true, cp.op_offload = cp.offload_kqv = false;
	cp.n_ctx = chats ? chat_context : encoder_batch;
	cp.n_batch = cp.n_ubatch = chats ? chat_batch : encoder_batch;
	cp.n_seq_max = chats ? 1 : encoder_texts;
	if (chats) cp.n_outputs_max = 1;
	else cp.kv_unified = cp.embeddings = true, cp.pooling_type = pooling_mean;
	void *ctx = llama_init_from_model(model, cp);
	if (!ctx) fail("no context");
	const void *vocab = llama_model_get_vocab(model);
	struct batch b = llama_batch_init(cp.n_batch, 0, 1);

	int n = 0;
	if (chats) {
		texts[0] = tokens_of(vocab, text, len, llama_vocab_get_add_bos(vocab), lengths);
	} else {
		for (char *from = text, *to; (to = memchr(from, '\n', text + len - from)); from = to + 1, n++)
			texts[n] = tokens_of(vocab, from, to - from, true, lengths + n);
	}
	printf("ready\n");
	fflush(stdout);
	while (fgets(line, sizeof line, stdin)) {
		if (chats) chat(ctx, vocab, b, texts[0], lengths[0], atoi(argv[4]));
		else embed(ctx, llama_model_n_embd(model), b, texts, lengths, n);
		fflush(stdout);
	}
	return 0;
}
