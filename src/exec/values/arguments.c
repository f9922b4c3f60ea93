/* Loading of arguments: from files, from text, or generated; each rank loads only the slices of its devices. Padding is filled with
 * zeros. */
#include "exec/values/bind.h"
#include "exec/values/input_names.h"
#include "io/input.h"
#include "support/checked.h"
#include <string.h>

enum sr_status sr_bind_match_inputs(const struct sr_program *p, const struct sr_run_options *o, struct sr_archives *archives,
				    const char ***texts, int *n_extra, struct sr_arena *arena, struct sr_diags *diags)
{
	*texts = SR_NEW_ARRAY(arena, const char *, p->n_arguments + 1);
	return sr_inputs_assign(&o->inputs, sr_program_argument_names(p, arena), p->n_arguments, archives, *texts, n_extra, arena,
				diags);
}

static enum sr_status check_inputs(const struct sr_program *p, const struct sr_run_options *o, struct sr_arena *arena,
				   struct sr_diags *diags)
{
	struct sr_buf buf;
	struct sr_archives archives = {NULL};
	const char **texts;
	int n_extra, n_missing = 0;
	enum sr_status status = sr_bind_match_inputs(p, o, &archives, &texts, &n_extra, arena, diags);
	sr_buf_init(&buf, arena);
	for (int32_t i = 0; i < p->n_arguments; i++) {
		const struct sr_io *io = sr_program_values(p) + i;
		const char *name = sr_program_string(p, io->name);
		sr_buf_printf(&buf, "\n  argument %d: %s%s%s%s", i, sr_program_string(p, io->type), *name ? "  " : "", name,
			      texts[i] ? "" : "  (not given)");
		n_missing += !texts[i];
	}
	if (status || (!n_missing && !n_extra))
		return status;
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "%zu input%s given, but the program has %d argument%s:%s%s", o->inputs.n,
			o->inputs.n == 1 ? " is" : "s are", p->n_arguments, p->n_arguments == 1 ? "" : "s", sr_buf_string(&buf),
			n_extra ? "\n  (" SR_KEEP_UNUSED ")" : "");
}

enum sr_status sr_bind_check(const struct sr_program *p, const struct sr_run_options *o, struct sr_arena *arena,
			     struct sr_diags *diags)
{
	if (o->outputs.n > (size_t)p->n_results || o->expected.n > (size_t)p->n_results)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "%zu %s are given, but the program has %d result%s",
				o->outputs.n > (size_t)p->n_results ? o->outputs.n : o->expected.n,
				o->outputs.n > (size_t)p->n_results ? "outputs" : "expected outputs", p->n_results,
				p->n_results == 1 ? "" : "s");
	return o->inputs.n ? check_inputs(p, o, arena, diags) : SR_OK;
}

/* Return value i of the random stream `seed` by the splitmix64 generator. The function has no state, so generated global values do
 * not depend on the mesh. */
static uint64_t splitmix64(uint64_t seed, uint64_t i)
{
	uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15ull;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

/* Convert random bits to an element: floats in [-1, 1); integers in [0, 8), which are valid sizes and indices in most programs. */
static void random_element(enum sr_dtype type, void *to, uint64_t bits)
{
	double u = (double)(bits >> 11) * 0x1p-52 - 1, v = (double)(splitmix64(bits, 1) >> 11) * 0x1p-52 - 1;
	sr_element_set(type, to, (int64_t)(bits >> 61) & (sr_dtypes[type].bits < 4 ? 1 : 7), u, v);
}

struct generator {
	enum sr_dtype type;
	int64_t device;
	uint64_t seed;
	int mode;
};

static void generate(const struct generator *g, const int64_t *shape, int rank, const struct sr_device_slice *s, char *to)
{
	int64_t index[SR_MAX_RANK] = {0}, n = 1;
	for (int d = 0; d < rank; d++)
		n *= s->size[d];
	for (int64_t k = 0; k < n; k++) {
		int64_t global = 0, local = 0;
		for (int d = 0; d < rank; d++) {
			global = global * shape[d] + s->start[d] + index[d];
			local = local * s->local[d] + index[d];
		}
		char *element = to + local * sr_dtype_bytes(g->type);
		if (g->mode == SR_ARGS_DEVICE_ID)
			sr_element_set(g->type, element, g->device, (double)g->device, 0);
		else
			random_element(g->type, element, splitmix64(g->seed, (uint64_t)global));
		for (int d = rank - 1; d >= 0 && ++index[d] == s->size[d]; d--)
			index[d] = 0;
	}
}

enum sr_status sr_bind_value(const struct sr_program *p, const struct sr_io *io, struct sr_archives *archives, const char *flag,
			     const char *text, const char *description, const struct sr_device_slice *s, void *to,
			     struct sr_arena *arena, struct sr_diags *diags)
{
	struct sr_input_request request = {
	    description, (enum sr_dtype)io->dtype, io->rank, sr_program_ids(p) + io->shape, s->start, s->size, s->local};
	return sr_input_load(diags, arena, archives, flag, text, &request, to);
}

void sr_bind_clear_padding(const struct sr_device_slice *s, int rank, void *to, int64_t n)
{
	bool is_padded = false;
	for (int d = 0; d < rank; d++)
		is_padded = is_padded || s->size[d] != s->local[d];
	if (is_padded)
		memset(to, 0, (size_t)n);
}

/* Load argument i on the k-th device of this rank from `text`, the value of its --input; NULL: generate it. */
static enum sr_status bind_argument(const struct sr_arrays *a, int32_t i, int k, const char *text, struct sr_archives *archives,
				    const struct sr_run_options *o, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = a->e->program;
	const struct sr_io *io = sr_program_values(p) + i;
	int64_t device = a->e->devices[k].id, bytes = sr_program_buffers(p)[io->buffer].bytes;
	struct sr_device_slice s = sr_program_slice(p, io, device);
	char *to = sr_arrays_argument(a, i, k);
	struct generator g = {(enum sr_dtype)io->dtype, device,
			     (uint64_t)o->seed + (o->argument_mode == SR_ARGS_SHARED_RANDOM ? 0 : (uint64_t)i << 32),
			     o->argument_mode};
	sr_bind_clear_padding(&s, io->rank, to, bytes);
	if (text)
		return sr_bind_value(p, io, archives, sr_printf(arena, "--input=%s", text), text,
				     sr_program_argument_label(p, i, arena), &s, to, arena, diags);
	if (o->argument_mode == SR_ARGS_ZEROS)
		memset(to, 0, (size_t)bytes);
	else if (o->argument_mode != SR_ARGS_UNINITIALIZED)
		generate(&g, sr_program_ids(p) + io->shape, io->rank, &s, to);
	return SR_OK;
}

enum sr_status sr_bind_arguments(const struct sr_arrays *a, const struct sr_run_options *o, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = a->e->program;
	struct sr_archives archives = {NULL};
	const char **texts;
	int n_extra;
	enum sr_status status = sr_bind_match_inputs(p, o, &archives, &texts, &n_extra, arena, diags);
	for (int32_t i = 0; !status && i < p->n_arguments; i++)
		for (int k = 0; !status && k < a->e->n_devices; k++)
			status = bind_argument(a, i, k, texts[i], &archives, o, arena, diags);
	return status;
}
