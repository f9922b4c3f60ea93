/* Creation of the tables of a loaded program that its devices and executions share. */
#include "run/loaded_program.h"
#include "run/backend.h"
#include "run/loop_code.h"

/* Create the tables that the executor reads. */
static void make_tables(struct sr_loaded_program *l, struct sr_arena *arena)
{
	const struct sr_program *p = l->program;
	l->instrs = SR_NEW_ARRAY(arena, struct sr_ready_instr, p->instrs.n);
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		l->instrs[i] = (struct sr_ready_instr){.kind = (enum sr_instr_kind)s->kind,
						       .params = sr_program_params(p) + s->params,
						       .first_operand = s->first_operand,
						       .shifted = s->n_dynamic_offsets ? s : NULL,
						       .range = s->range};
		if (s->kind == SR_INSTR_KERNEL)
			l->instrs[i].fn = l->kernels->fn[s->kernel][s->dtype];
	}
}

/* Check that every instruction has a kernel for its element type. */
static enum sr_status check_kernels(const struct sr_loaded_program *l, struct sr_diags *diags)
{
	const struct sr_program *p = l->program;
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		enum sr_dtype type = (enum sr_dtype)s->dtype;
		bool has_kernels = s->kind != SR_INSTR_KERNEL || l->kernels->fn[s->kernel][s->dtype];
		if (s->kind == SR_INSTR_NEST)
			has_kernels = sr_nest_kernels_exist((const void *)(sr_program_params(p) + s->params), l->kernels, &type);
		if (!has_kernels)
			return sr_error(diags, SR_UNSUPPORTED, (struct sr_src_loc){0},
					"%s: %s cannot be run: there is no kernel for element type %s",
					sr_program_string(p, s->place), sr_program_string(p, s->op), sr_dtypes[type].name);
	}
	return SR_OK;
}

enum sr_status sr_loaded_program_make(struct sr_loaded_program *l, const struct sr_transport *transport, struct sr_arena *arena,
				      struct sr_diags *diags)
{
	make_tables(l, arena);
	enum sr_status status = check_kernels(l, diags);
	if (status)
		return status;
	l->first_worker_scratch = l->program->scratch_bytes;
	sr_loaded_place_constants(l, arena);
	sr_loaded_make_bindings(l, transport, arena);
	status = l->backend->prepare_program(l, arena, diags);
	if (!status) {
		sr_loaded_prepare_swaps(l, arena);
		sr_loaded_prepare_loop_code(l, arena);
		sr_loaded_find_stencil_loops(l, arena);
	}
	return status;
}

void sr_loaded_program_release(struct sr_loaded_program *l)
{
	if (l->instrs)
		l->backend->unload_program(l);
	l->instrs = NULL;
}
