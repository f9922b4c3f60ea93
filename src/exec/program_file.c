/* Reading and writing of compiled programs. Their object code is executed, so it is trusted only if the file's owner and
 * permissions allow it. */
#include "exec/program_file.h"
#include "exec/set_flags.h"
#include "exec/values/bind.h"

/* Return the name of the first given option that needs the module, which a compiled program does not contain; NULL: none. */
static const char *option_needing_module(const struct sr_run_options *o)
{
	const struct sr_flag_state rows[] = {{"--function", o->function != NULL},
					{"--mesh", o->meshes.n > 0},
					{"--auto-shard", o->auto_shard},
					{"--memory-per-device", o->memory_per_device > 0},
					{"--partition", o->partition != SR_PARTITION_CHEAP},
					{"--overlap", o->overlap != SR_OVERLAP_AUTO},
					{"--combine-collectives", o->combine != SR_COMBINE_AUTO},
					{"--strip-mine", o->strip_mine != SR_STRIP_MINE_AUTO},
					{"--decompose-matmul", o->decompose_matmul != SR_DECOMPOSE_MATMUL_AUTO},
					{"--winograd", o->winograd != SR_WINOGRAD_AUTO},
					{"--xla-cpu-ftz", !o->flush_denormals},
					{"--machine", o->machine != NULL},
					{"--verify-each", o->verify_each},
					{"--mlir-print-ir-after", o->print_after != NULL},
					{"--explain", o->explain != NULL},
					{"--explain-partition", o->explain_partition != NULL},
					{"--show-sharding", o->show_sharding != NULL},
					{"--html", o->html != NULL}};
	return sr_first_set_flag(rows, sizeof rows / sizeof *rows);
}

enum sr_status sr_program_open(const struct sr_run_options *o, const char *bytes, size_t n, bool is_trusted, struct sr_arena *arena,
			       struct sr_diags *diags, const struct sr_program **out, struct sr_program_objects *objects)
{
	struct sr_src_loc location = {.file = o->model};
	const char *message, *option = option_needing_module(o);
	if (option)
		return sr_error(diags, SR_USAGE, location, "is a compiled program; %s needs the module that it was compiled from",
				option);
	enum sr_status status = sr_program_load(bytes, n, out, &message);
	if (status)
		return sr_error(diags, status, location, "%s", message);
	sr_program_objects_load(*out, n, arena, objects);
	if (objects->error)
		sr_report(diags, SR_WARNING, location, "its JIT modules %s; what is missing is compiled again, or interpreted",
			  objects->error);
	if (objects->n && !is_trusted) {
		sr_report(diags, SR_WARNING, location,
			  "its JIT modules are not used: the file is not this user's, or others may write it (chmod go-w "
			  "removes their permission)");
		objects->n = 0;
	}
	return SR_OK;
}

struct sr_program_objects sr_program_objects_copy(const struct sr_program_objects *objects, struct sr_arena *arena)
{
	struct sr_program_object *copies = SR_NEW_ARRAY(arena, struct sr_program_object, objects->n);
	for (int i = 0; i < objects->n; i++) {
		const struct sr_program_object *source = &objects->objects[i];
		copies[i] = *source;
		copies[i].machine = sr_strdup(arena, source->machine);
		copies[i].target = sr_strdup(arena, source->target);
		copies[i].compiler = sr_strdup(arena, source->compiler);
		copies[i].object = sr_dup(arena, source->object, source->n, 1);
	}
	return (struct sr_program_objects){.objects = copies, .n = objects->n};
}

/* Compile object code for each instruction set of --target. */
static enum sr_status compile_objects(const struct sr_program *p, const struct sr_run_options *o, struct sr_arena *arena,
				      struct sr_diags *diags, struct sr_program_objects *out)
{
	struct sr_program_object *objects = SR_NEW_ARRAY(arena, struct sr_program_object, SR_ISA_COUNT);
	struct sr_jit_counts counts;
	struct sr_jit_source text;
	const char *why;
	*out = (struct sr_program_objects){.objects = objects};
	sr_jit_generate(p, sr_jit_nests(p, arena), p->instrs.n, arena, &text, &counts);
	for (int i = 0; counts.functions && i < SR_ISA_COUNT; i++) {
		struct sr_jit_options compiler = {.compiler = o->codegen.compiler ? o->codegen.compiler : "cc",
						  .target = (enum sr_isa)i,
						  .timeout_s = SR_JIT_COMPILE_SECONDS,
						  .cache = o->codegen.cache};
		struct sr_digest key;
		if (!(o->codegen.targets >> i & 1))
			continue;
		bool has_key = sr_jit_key(&compiler, p, arena, &key, &why);
		struct sr_program_object *object = &objects[out->n++];
		if (has_key && sr_jit_cache_get(&compiler, &key, arena, object, &counts))
			continue;
		if (!has_key || !sr_jit_compile(&compiler, &text, arena, object, &why))
			return sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = o->program},
					"its loop nests cannot be compiled for %s: %s", sr_isa_names[i], why);
		sr_jit_cache_put(&compiler, &key, arena, object, &counts);
	}
	return SR_OK;
}

enum sr_status sr_program_write(const struct sr_program *p, const struct sr_run_options *o,
				const struct sr_program_objects *objects, struct sr_arena *arena, struct sr_diags *diags)
{
	struct sr_program_objects compiled;
	struct sr_buf buf;
	sr_buf_init(&buf, arena);
	if (o->codegen.targets) {
		enum sr_status status = compile_objects(p, o, arena, diags, &compiled);
		if (status)
			return status;
		objects = &compiled;
	}
	sr_program_save(p, objects, &buf);
	return sr_bind_write_text(o->program, &buf, o->out, arena, diags);
}
