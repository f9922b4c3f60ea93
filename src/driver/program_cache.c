/* Cache of compiled programs between runs. A program depends on its module, its options and the devices per node, not on the
 * host: other hosts hit the same entry. */
#include "driver/driver.h"

/* Return true if the options ask for outputs besides the program. */
static bool has_other_outputs(const struct sr_compile_options *o)
{
	const struct sr_compile_outputs *l = &o->outputs;
	return o->interpret || l->verify_each || l->print_after || l->explain || l->explain_partition || l->shown_values ||
	       l->page || o->line_offset || o->probes || o->unshard || o->tune;
}

void sr_cached_program_of(struct sr_context *ctx, const struct sr_cache *cache, const char *file, const char *text, size_t n,
			  const struct sr_compile_options *o, struct sr_cached_program *out)
{
	struct sr_sha256 h;
	const char *machine = NULL;
	size_t n_machine = 0;
	const uint64_t version = sr_program_version();
	*out = (struct sr_cached_program){0};
	if (!cache || !cache->folder || has_other_outputs(o))
		return;
	if (o->machine && sr_read_file(ctx, o->machine, 0, &machine, &n_machine)) {
		/* drop the message, since the compilation reads the machine file again and reports the error */
		sr_diags_clear(&ctx->diags);
		return;
	}
	sr_sha256_begin(&h);
	sr_sha256_add_build(&h);
	sr_sha256_add(&h, &version, sizeof version);
	/* the model's file name is part of the key, since the program's source locations name the file */
	sr_sha256_add_text(&h, file);
	sr_sha256_add_text(&h, o->function);
	sr_sha256_add(&h, &o->n_replicas, sizeof o->n_replicas);
	sr_sha256_add(&h, &o->n_partitions, sizeof o->n_partitions);
	sr_sha256_add(&h, &o->partition, sizeof o->partition);
	sr_sha256_add(&h, &o->overlap, sizeof o->overlap);
	sr_sha256_add(&h, &o->combine, sizeof o->combine);
	sr_sha256_add(&h, &o->strip_mine, sizeof o->strip_mine);
	sr_sha256_add(&h, &o->interpret_nests, sizeof o->interpret_nests);
	sr_sha256_add(&h, &o->keep_results, sizeof o->keep_results);
	sr_sha256_add(&h, &o->keep_unreduced, sizeof o->keep_unreduced);
	sr_sha256_add(&h, &o->keep_unused_donors, sizeof o->keep_unused_donors);
	sr_sha256_add(&h, &o->decompose_matmul, sizeof o->decompose_matmul);
	sr_sha256_add(&h, &o->direct_convolutions, sizeof o->direct_convolutions);
	sr_sha256_add(&h, &o->keep_denormals, sizeof o->keep_denormals);
	sr_sha256_add(&h, &o->n_call_targets, sizeof o->n_call_targets);
	for (size_t i = 0; i < o->n_call_targets; i++)
		sr_sha256_add_text(&h, o->call_targets[i]);
	sr_sha256_add(&h, &o->nodes, sizeof o->nodes);
	sr_sha256_add(&h, &o->threads, sizeof o->threads);
	sr_sha256_add_text(&h, o->axis_order);
	sr_sha256_add(&h, &n_machine, sizeof n_machine);
	sr_sha256_add(&h, machine, n_machine);
	sr_sha256_add(&h, text, n);
	*out = (struct sr_cached_program){cache, sr_sha256_end(&h)};
}

const struct sr_program *sr_cached_program_get(struct sr_context *ctx, const struct sr_cached_program *cached_program)
{
	const char *bytes, *message;
	const struct sr_program *p;
	uint64_t n;
	if (!cached_program->cache || !sr_cache_get(cached_program->cache, "program", &cached_program->key, ctx->arena, &bytes, &n))
		return NULL;
	return sr_program_load(bytes, n, &p, &message) ? NULL : p;
}

void sr_cached_program_put(struct sr_context *ctx, const struct sr_cached_program *cached_program, const struct sr_compiled *compiled)
{
	struct sr_buf out;
	if (!cached_program->cache || !compiled->program || compiled->depends_on_arguments || ctx->diags.first)
		return;
	sr_buf_init(&out, ctx->arena);
	sr_program_save(compiled->program, NULL, &out);
	sr_cache_put(cached_program->cache, "program", &cached_program->key, ctx->arena, out.data, out.n);
}
