/* Implement <shardrun/module.h> and <shardrun/mesh.h>: modules and meshes. */
#include "api/api.h"
#include "text/text.h"
#include <stdlib.h>

struct job {
	struct shardrun_module *module;
	const char *name;
	const void *bytes; /* bytes of the module; NULL: read the file `name` */
	size_t n;
};

static enum sr_status read_module(void *data)
{
	struct job *job = data;
	struct shardrun_module *m = job->module;
	struct sr_context *ctx = m->ctx;
	enum sr_status status = SR_OK;
	struct sr_op *op = NULL;
	sr_dialects_register(ctx);
	ctx->allow_unregistered = true;
	m->name = sr_strdup(ctx->arena, job->name);
	if (job->bytes) {
		m->text = sr_strndup(ctx->arena, job->bytes, job->n);
		m->n = job->n;
	} else {
		status = sr_read_file(ctx, m->name, 0, &m->text, &m->n);
	}
	if (!status)
		status = sr_check_format(ctx, m->name, &m->text, &m->n);
	if (status)
		return status;
	sr_diags_add_source(&ctx->diags, m->name, m->text, m->n);
	status = sr_parse(ctx, m->name, m->text, m->n, &op);
	if (!status)
		status = sr_verify(ctx, op);
	if (!status) {
		m->op = op;
		m->mesh = sr_first_mesh(op);
	}
	return status;
}

static enum sr_status make_module(struct job *job, struct shardrun_module **out)
{
	struct shardrun_module *m = calloc(1, sizeof *m);
	enum sr_status status;
	*out = NULL;
	if (!m || !(m->ctx = sr_context_new())) {
		free(m);
		return SR_NO_MEMORY;
	}
	m->references = 1;
	job->module = *out = m;
	status = sr_api_guarded(m->ctx, read_module, job);
	m->message = sr_api_message(m->ctx, status);
	return status;
}

enum sr_status shardrun_module_load(const char *path, struct shardrun_module **out)
{
	return make_module(&(struct job){.name = path}, out);
}

enum sr_status shardrun_module_read(const char *name, const void *bytes, size_t n, struct shardrun_module **out)
{
	return make_module(&(struct job){.name = name ? name : "module", .bytes = bytes ? bytes : "", .n = bytes ? n : 0}, out);
}

const char *shardrun_module_message(const struct shardrun_module *module)
{
	return module ? module->message : sr_api_no_memory;
}

static enum sr_status print(void *data)
{
	struct shardrun_module *m = data;
	struct sr_buf buf;
	sr_buf_init(&buf, m->ctx->arena);
	sr_print(m->ctx, m->op, &(struct sr_print_options){0}, &buf);
	m->printed = sr_buf_string(&buf);
	return SR_OK;
}

const char *shardrun_module_text(struct shardrun_module *module)
{
	if (!module || !module->op)
		return NULL;
	if (!module->printed)
		(void)sr_api_guarded(module->ctx, print, module);
	return module->printed;
}

void shardrun_module_free(struct shardrun_module *module)
{
	if (!module || --module->references)
		return;
	sr_context_free(module->ctx);
	free(module);
}

/* ---- meshes: struct shardrun_mesh is struct sr_mesh ---- */

static const struct sr_mesh *internal_mesh(const struct shardrun_mesh *mesh)
{
	return (const struct sr_mesh *)(const void *)mesh;
}

const struct shardrun_mesh *shardrun_module_mesh(const struct shardrun_module *module)
{
	return module ? (const struct shardrun_mesh *)(const void *)module->mesh : NULL;
}

int shardrun_mesh_axes(const struct shardrun_mesh *mesh)
{
	return mesh ? internal_mesh(mesh)->n_axes : 0;
}

static const struct sr_axis *axis(const struct shardrun_mesh *mesh, int i)
{
	return i >= 0 && i < shardrun_mesh_axes(mesh) ? &internal_mesh(mesh)->axes[i] : NULL;
}

const char *shardrun_mesh_axis_name(const struct shardrun_mesh *mesh, int i)
{
	return axis(mesh, i) ? axis(mesh, i)->name : NULL;
}

int64_t shardrun_mesh_axis_size(const struct shardrun_mesh *mesh, int i)
{
	return axis(mesh, i) ? axis(mesh, i)->size : 0;
}

int64_t shardrun_mesh_devices(const struct shardrun_mesh *mesh)
{
	return mesh ? sr_mesh_devices(internal_mesh(mesh)) : 1;
}

int64_t shardrun_mesh_coordinate(const struct shardrun_mesh *mesh, int64_t device, int i)
{
	const struct sr_axis *a = axis(mesh, i);
	if (!a || sr_mesh_position(internal_mesh(mesh), device) < 0)
		return -1;
	return sr_mesh_coordinate(internal_mesh(mesh), device, (struct sr_axis_ref){a->name, 1, a->size});
}
