/* Opening a program on the ranks of a client, stage by stage. After each stage all ranks agree on the status. */
#include "run/executable.h"

void sr_program_mesh_text(const struct sr_program *p, struct sr_buf *out)
{
	const struct sr_program_axis *axes = sr_program_mesh(p);
	for (uint64_t i = 0; i < p->mesh.n; i++)
		sr_buf_printf(out, "%s%s=%lld", i ? ", " : "", sr_program_string(p, axes[i].name), (long long)axes[i].size);
	if (!p->mesh.n)
		sr_buf_puts(out, "none");
}

static struct sr_place place(const struct sr_executable *e)
{
	return (struct sr_place){.file = e->model};
}

/* Enough ranks for the program's devices; rank 0 says what to do where not. */
static enum sr_status check_ranks(struct sr_executable *e, struct sr_arena *arena, struct sr_diags *diags)
{
	struct sr_buf mesh;
	const struct sr_launch *l = &e->client->launch;
	int n = l->rank ? 0 : e->program->n_devices;
	if (l->size >= n)
		return SR_OK;
	sr_buf_init(&mesh, arena);
	sr_program_mesh_text(e->program, &mesh);
	return sr_error(diags, SR_USAGE, place(e),
			"the program needs %d devices (mesh %s%s), but %d rank%s started; use %s",
			n, sr_buf_string(&mesh), e->program->n_replicas > 1 ? ", and replicas" : "", l->size,
			l->size == 1 ? " was" : "s were", sr_launch_advice(arena, n));
}

/* Collective on all ranks: the program from rank 0 to everybody, checked there. */
static enum sr_status share(struct sr_executable *e, struct sr_arena *arena, struct sr_diags *diags)
{
	struct sr_launch *l = &e->client->launch;
	uint64_t bytes = l->rank ? 0 : e->program->bytes;
	const char *message;
	void *blob;
	sr_launch_broadcast(l, &bytes, sizeof bytes);
	blob = l->rank ? sr_alloc(arena, bytes, 1) : (void *)(uintptr_t)e->program;
	sr_launch_broadcast(l, blob, bytes);
	e->program = blob;
	if (sr_program_check(e->program, bytes, &message))
		return sr_error(diags, SR_INTERNAL, place(e), "the compiled program is broken: %s", message);
	return SR_OK;
}

/* This device's memory, whose end may be other on one rank alone; its place in the node's window comes before. */
static enum sr_status allocate(struct sr_executable *e, struct sr_arena *arena, struct sr_diags *diags)
{
	e->device = (struct sr_device){.program = e->program,
				       .id = e->world->device,
				       .kernels = &e->client->kernels,
				       .transport = e->world->transport,
				       .workers = e->client->workers,
				       .unit = e->unit};
	sr_device_open_window(&e->device, arena);
	return sr_device_allocate(&e->device, arena, diags);
}

enum sr_status sr_executable_open(struct sr_executable *e, struct sr_client *client, const struct sr_program *program,
				  const struct sr_executable_options *options, struct sr_arena *arena, struct sr_diags *diags)
{
	struct sr_launch *l = &client->launch;
	*e = (struct sr_executable){.client = client, .program = program, .model = options->model};
	enum sr_status status = sr_launch_agree(l, check_ranks(e, arena, diags), diags);
	if (!status)
		status = sr_launch_agree(l, share(e, arena, diags), diags);
	if (!status)
		status = sr_client_world(client, e->program->n_devices, &e->world, diags);
	if (!status)
		status = sr_launch_agree(l, sr_executable_check_memory(e, options, arena, diags), diags);
	if (status)
		return status;
	sr_client_load(client, e->program);
	if (options->node)
		sr_client_print(client, e->world, arena, options->node);
	sr_executable_load_units(e, options, arena);
	bool spare = sr_executable_is_spare(e);
	status = sr_launch_agree(l, spare ? SR_OK : allocate(e, arena, diags), diags);
	if (status)
		return status;
	status = spare ? SR_OK : sr_device_connect(&e->device, client, e->world, arena, diags);
	return sr_launch_agree(l, status ? status : sr_executable_check_memory(e, options, arena, diags), diags);
}

void sr_executable_close(struct sr_executable *e)
{
	sr_device_unload(&e->device);
	sr_unit_release(e->unit);
	e->unit = NULL;
	e->world = NULL;
}

void sr_executable_barrier(struct sr_executable *e)
{
	if (e->device.transport)
		sr_transport_barrier(e->device.transport);
}

static enum sr_status failed(struct sr_executable *e, enum sr_status status, struct sr_diags *diags)
{
	const struct sr_program *p = e->program;
	const struct sr_step *step = e->device.current >= 0 ? sr_program_steps(p) + e->device.current : NULL;
	if (step && step->kind == SR_STEP_CUSTOM) {
		const struct sr_custom_step *call = (const void *)(sr_program_params(p) + step->params);
		return sr_error(diags, status, (struct sr_place){.file = sr_program_string(p, step->place)},
				"'%s' op calls %s, a custom call target that is not known here", sr_program_string(p, step->op),
				sr_program_string(p, call->what));
	}
	const char *why = e->device.transport ? sr_transport_failure(e->device.transport) : "";
	return sr_error(diags, status, place(e), "device %lld failed in %s at %s%s%s", (long long)e->device.id,
			step ? sr_program_string(p, step->op) : "a step", step ? sr_program_string(p,
												   step->place) : "", *why ? ": " : "",
			why);
}

enum sr_status sr_executable_step(struct sr_executable *e, struct sr_diags *diags)
{
	enum sr_status status = sr_executable_is_spare(e) ? SR_OK : sr_device_step(&e->device);
	return status && status != SR_DIFFERS ? failed(e, status, diags) : status;
}
