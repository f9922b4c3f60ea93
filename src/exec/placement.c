/* Placement of devices on ranks. Rank 0 has the program and decides which rank each device is on. Results do not depend on the
 * placement. */
#include "exec/placement.h"
#include "exec/client_options.h"
#include "plan/estimate/estimate.h"
#include <string.h>

struct slot_placement {
	const struct sr_program *program;
	struct sr_arena *arena;
	int n, devices_per_rank;         /* number of devices; number of consecutive devices that are on one rank */
	int n_nodes;
	/* A slot is a place for one device on a rank; slots are numbered node by node. For each slot: the device that has it if
	 * devices are placed in rank order, and the slot's node; length: n */
	int *in_order, *node_of_slot;
	int *node_in_order;              /* node of each device if devices are placed in rank order; length: n */
	int *slot;                       /* slot assigned to each device; length: n */
	struct sr_node_plan plan;        /* bytes sent between nodes; n_nodes is 0 if traffic is not counted */
};

struct sr_rank_nodes sr_rank_nodes_find(struct sr_client *c, const struct sr_run_options *o, struct sr_arena *arena)
{
	struct sr_launch *l = &c->launch;
	struct sr_rank_nodes out = {0};
	int position = 0, *lowest = SR_NEW_ARRAY(arena, int, l->size), *node = SR_NEW_ARRAY(arena, int, l->size),
	    *count = SR_NEW_ARRAY(arena, int, l->size);
	while (c->node_ranks[position].rank != l->rank)
		position++;
	int node_rank = (int)c->node_ranks[o->ranks_per_node > 0 ? position - position % o->ranks_per_node : 0].rank;
	sr_launch_gather(l, &node_rank, l->rank ? NULL : lowest, sizeof node_rank);
	for (int r = 0; !l->rank && r < l->size; r++) {
		node[r] = lowest[r] == r ? out.n++ : node[lowest[r]];
		count[node[r]]++;
		out.max_ranks_per_node = count[node[r]] > out.max_ranks_per_node ? count[node[r]] : out.max_ranks_per_node;
	}
	sr_launch_broadcast(l, &out.n, sizeof out.n);
	out.node_of_rank = node;
	return out;
}

/* Return the number of devices per rank that a client option asks for; 0: to be derived from the number of ranks. */
static int64_t devices_per_rank(int option)
{
	return option == SR_DEVICES_ALL ? INT32_MAX : option == SR_DEVICES_AUTO ? 0 : option > 0 ? option : 1;
}

struct sr_job_nodes sr_rank_nodes_of_job(const struct sr_rank_nodes *nodes, const struct sr_client *client)
{
	/* the description of a single node does not contain the number of ranks: the cached program serves any number */
	if (nodes->n < 2)
		return (struct sr_job_nodes){.ranks_per_node = INT32_MAX, .devices_per_rank = 1};
	return (struct sr_job_nodes){client->launch.size, nodes->max_ranks_per_node,
				     devices_per_rank(client->options.devices_per_rank)};
}

struct sr_job_nodes sr_job_nodes_of_options(const struct sr_run_options *o)
{
	int ranks_per_node;
	if (!o->ranks_per_node || sr_devices_per_rank_read(o->devices_per_rank, &ranks_per_node, NULL))
		return (struct sr_job_nodes){0};
	return (struct sr_job_nodes){.ranks_per_node = o->ranks_per_node, .devices_per_rank = devices_per_rank(ranks_per_node)};
}

const char *sr_placement_axis_order(const struct sr_run_options *o)
{
	const char *text = o->placement ? o->placement : o->verify ? "order" : "auto";
	if (o->device_ranks || !strcmp(text, "auto") || !strcmp(text, "cyclic"))
		return NULL; /* "auto" depends on the program's traffic; --device-ranks and "cyclic" follow no order of axes */
	return !strcmp(text, "order") || !strcmp(text, "block") ? "" : text;
}

/* Number the slots: sort the devices in rank order by node. */
static void number_slots(struct slot_placement *p, const struct sr_rank_nodes *nodes)
{
	int n_nodes = nodes->n, *next = SR_NEW_ARRAY(p->arena, int, n_nodes + 1);
	p->node_in_order = SR_NEW_ARRAY(p->arena, int, p->n);
	p->in_order = SR_NEW_ARRAY(p->arena, int, p->n);
	p->node_of_slot = SR_NEW_ARRAY(p->arena, int, p->n);
	p->slot = SR_NEW_ARRAY(p->arena, int, p->n);
	for (int d = 0; d < p->n; d++) {
		p->node_in_order[d] = nodes->node_of_rank[d / p->devices_per_rank];
		next[p->node_in_order[d] + 1]++;
	}
	for (int k = 0; k < n_nodes; k++)
		next[k + 1] += next[k];
	for (int d = 0; d < p->n; d++) {
		int s = next[p->node_in_order[d]]++;
		p->in_order[s] = d;
		p->node_of_slot[s] = p->node_in_order[d];
		p->slot[d] = s;
	}
	p->n_nodes = p->node_of_slot[p->n - 1] + 1; /* nodes after the last slot's node have only idle ranks */
}

static void put_axes(const struct slot_placement *p, const int *axes, struct sr_buf *out)
{
	for (uint64_t i = 0; i < p->program->mesh.n; i++)
		sr_buf_printf(out, "%s%s", i ? "," : "", sr_program_string(p->program, sr_program_mesh(p->program)[axes[i]].name));
}

static void place_in_order(struct slot_placement *p, struct sr_buf *name)
{
	sr_buf_puts(name, "order");
	for (int s = 0; s < p->n; s++)
		p->slot[p->in_order[s]] = s;
}

/* Choose the order of mesh axes, in blocks of devices, that minimizes the traffic of the busiest node; rank order if no order is
 * better. */
static void place_by_traffic(struct slot_placement *p, struct sr_buf *name)
{
	if (!p->plan.n_nodes || !sr_traffic_less(&p->plan.best, &p->plan.order)) {
		place_in_order(p, name);
		return;
	}
	sr_slots_by_axes(p->program, p->plan.best_axes, p->slot);
	put_axes(p, p->plan.best_axes, name);
}

static void place_blocks(struct slot_placement *p, struct sr_buf *name)
{
	sr_buf_puts(name, "block");
	for (int d = 0; d < p->n; d++)
		p->slot[d] = d;
}

static void place_cyclic(struct slot_placement *p, struct sr_buf *name)
{
	sr_buf_puts(name, "cyclic");
	sr_slots_cyclic(p->n, p->node_of_slot, p->slot, p->arena);
}

static const struct {
	const char *name;
	void (*place)(struct slot_placement *p, struct sr_buf *name);
} placement_policies[] = {{"order", place_in_order}, {"auto", place_by_traffic}, {"block", place_blocks}, {"cyclic", place_cyclic}};

/* Parse a list of all mesh axes such as "y,x", the innermost axis last, into axis indices. */
static bool read_axes(const struct slot_placement *p, const char *text, int *axes)
{
	const struct sr_program_axis *mesh = sr_program_mesh(p->program);
	uint64_t n = 0;
	bool is_listed[SR_PROGRAM_MAX_AXES] = {false};
	for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		size_t length = strcspn(at, ",");
		uint64_t i = 0;
		while (i < p->program->mesh.n && (strlen(sr_program_string(p->program, mesh[i].name)) != length ||
						  memcmp(sr_program_string(p->program, mesh[i].name), at, length) != 0))
			i++;
		if (i == p->program->mesh.n || is_listed[i])
			return false;
		is_listed[i] = true;
		axes[n++] = (int)i;
	}
	return n == p->program->mesh.n;
}

static enum sr_status choose_placement(struct slot_placement *p, const char *text, struct sr_diags *diags, struct sr_buf *name)
{
	int axes[SR_PROGRAM_MAX_AXES];
	for (size_t i = 0; i < sizeof placement_policies / sizeof *placement_policies; i++)
		if (!strcmp(text, placement_policies[i].name)) {
			placement_policies[i].place(p, name);
			return SR_OK;
		}
	if (!read_axes(p, text, axes)) {
		struct sr_buf mesh;
		sr_buf_init(&mesh, p->arena);
		sr_program_mesh_text(p->program, &mesh);
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
				"--placement=%s: order, block, cyclic, auto, or all axes of the mesh (%s) with commas between is expected", text,
				sr_buf_string(&mesh));
	}
	sr_buf_puts(name, text);
	sr_slots_by_axes(p->program, axes, p->slot);
	return SR_OK;
}

/* Set the node of each device from --device-ranks. Returns false if the list is invalid; the client reports that error. */
static bool place_by_list(const struct slot_placement *p, const struct sr_rank_nodes *nodes, const struct sr_client *c, int *node)
{
	const int *listed = c->options.rank_of_device;
	for (int d = 0; d < p->n; d++) {
		int r = listed && d < c->options.n_listed ? listed[d] : (p->n - 1 - d) / p->devices_per_rank;
		if (r < 0 || r >= c->launch.size)
			return false;
		node[d] = nodes->node_of_rank[r];
	}
	return true;
}

/* Assign the program's devices to slots and count the traffic between nodes. */
static enum sr_status place_devices(struct slot_placement *p, const struct sr_rank_nodes *nodes, const char *text,
				    const struct sr_client *c,
				    struct sr_diags *diags, struct sr_placed *out)
{
	struct sr_buf name;
	sr_buf_init(&name, p->arena);
	number_slots(p, nodes);
	struct sr_traffic_query *q = p->n_nodes > 1 ? sr_traffic_begin(p->program, p->arena) : NULL;
	if (q)
		sr_plan_internode_traffic(q, p->node_of_slot, p->node_in_order, &p->plan);
	int *node = SR_NEW_ARRAY(p->arena, int, p->n);
	if (!text && !place_by_list(p, nodes, c, node))
		return SR_OK;
	enum sr_status status = text ? choose_placement(p, text, diags, &name) : SR_OK;
	if (status)
		return status;
	for (int d = 0; text && d < p->n; d++)
		node[d] = p->node_of_slot[p->slot[d]];
	if (q)
		p->plan.placed = sr_traffic_of(q, node);
	*out = (struct sr_placed){text ? sr_buf_string(&name) : "--device-ranks", node, p->n_nodes, p->plan};
	return SR_OK;
}

enum sr_status sr_placement_choose(struct sr_client *client, const struct sr_rank_nodes *nodes, const struct sr_program *program,
				   const struct sr_run_options *o, struct sr_arena *arena, struct sr_diags *diags,
				   struct sr_placed *out)
{
	struct sr_launch *l = &client->launch;
	struct slot_placement p = {.program = program, .arena = arena};
	/* NULL if --device-ranks determines the placement */
	const char *text = o->device_ranks ? NULL : o->placement ? o->placement : o->verify ? "order" : "auto";
	enum sr_status status = SR_OK;
	*out = (struct sr_placed){.name = "order", .n_nodes = 1};
	if (nodes->n < 2 && (!text || !strcmp(text, "order")))
		return SR_OK;
	p.devices_per_rank = sr_client_devices_per_rank(client, program ? program->n_devices : 1);
	/* on rank 0: number of devices; 0 if there are more than the ranks can hold, since the program is rejected later */
	p.n = !l->rank && program->n_devices <= l->size * (int64_t)p.devices_per_rank ? program->n_devices : 0;
	if (p.n)
		status = place_devices(&p, nodes, text, client, diags, out);
	status = sr_launch_agree(l, status, diags);
	if (status || !text || !strcmp(text, "order"))
		return status;
	sr_launch_broadcast(l, &p.n, sizeof p.n);
	int *ranks = SR_NEW_ARRAY(arena, int, p.n + 1);
	for (int d = 0; !l->rank && d < p.n; d++)
		ranks[d] = p.in_order[p.slot[d]] / p.devices_per_rank;
	sr_launch_broadcast(l, ranks, (uint64_t)p.n * sizeof *ranks);
	if (p.n) {
		client->options.rank_of_device = ranks;
		client->options.n_listed = p.n;
	}
	return SR_OK;
}

enum sr_status sr_placement_estimate(struct sr_context *ctx, struct sr_program *program, const struct sr_run_options *o,
				     const struct sr_placed *placed)
{
	enum sr_status status;
	struct sr_machine *machine = sr_machine_of_job(ctx, o->machine, &(struct sr_job_nodes){0}, program->n_devices, &status);
	if (status || !placed->node_of_device)
		return status;
	machine->ranks_per_node = placed->plan.n_nodes ? placed->plan.ranks_per_node : program->n_devices;
	machine->node_of_device = placed->node_of_device;
	sr_estimate_program(program, machine, ctx->arena, &program->estimate);
	sr_estimate_collectives(program, machine, ctx->arena);
	return SR_OK;
}

/* Place the devices of a plan, which is not run, on equal nodes: as --placement says, or with the least traffic between nodes. */
static enum sr_status place_plan(struct slot_placement *p, const struct sr_run_options *o, int per_node, struct sr_diags *diags,
				 struct sr_placed *out)
{
	struct sr_buf name;
	struct sr_traffic_query *q = sr_traffic_begin(p->program, p->arena);
	int *node = SR_NEW_ARRAY(p->arena, int, p->n);
	for (int d = 0; d < p->n; d++)
		node[d] = d / per_node;
	sr_buf_init(&name, p->arena);
	p->plan = out->plan;
	number_slots(p, &(struct sr_rank_nodes){.n = out->n_nodes, .max_ranks_per_node = per_node, .node_of_rank = node});
	enum sr_status status = choose_placement(p, o->placement ? o->placement : "auto", diags, &name);
	for (int d = 0; d < p->n && !status; d++)
		node[d] = p->node_of_slot[p->slot[d]];
	if (status)
		return status;
	out->node_of_device = node;
	if (o->placement) {
		out->name = sr_buf_string(&name);
		out->plan.placed = sr_traffic_of(q, node);
	}
	return SR_OK;
}

enum sr_status sr_placement_plan(struct sr_context *ctx, struct sr_program *program, const struct sr_run_options *o,
				 struct sr_placed *out)
{
	struct sr_job_nodes nodes = sr_job_nodes_of_options(o);
	enum sr_status status;
	const struct sr_machine *machine = sr_machine_of_job(ctx, o->machine, &nodes, program->n_devices, &status);
	*out = (struct sr_placed){.n_nodes = 1};
	if (status || !machine->ranks_per_node || (program->n_devices <= machine->ranks_per_node && !o->ranks_per_node))
		return status;
	out->n_nodes = (program->n_devices - 1) / machine->ranks_per_node + 1;
	if (!sr_plan_equal_nodes_traffic(program, machine->ranks_per_node, ctx->arena, &out->plan) || o->device_ranks)
		return SR_OK;
	struct slot_placement p = {.program = program, .arena = ctx->arena, .n = program->n_devices, .devices_per_rank = 1};
	status = place_plan(&p, o, machine->ranks_per_node, &ctx->diags, out);
	return status ? status : sr_placement_estimate(ctx, program, o, out);
}

void sr_placement_print(const struct sr_program *program, const struct sr_placed *placed, struct sr_buf *out)
{
	const struct sr_node_plan *plan = &placed->plan;
	const char *plural = placed->n_nodes == 1 ? "" : "s";
	if (!placed->name && plan->n_nodes) {
		sr_node_plan_print(program, plan, out);
		return;
	}
	sr_buf_printf(out, "  placement: %s over %d node%s", placed->name ? placed->name : "order", placed->n_nodes, plural);
	if (plan->n_nodes)
		sr_buf_printf(out, "; %.0f bytes between them a step (%.0f in order), %.0f from one at most (%.0f)",
			      plan->placed.total, plan->order.total, plan->placed.busiest_node_bytes, plan->order.busiest_node_bytes);
	else if (placed->n_nodes > 1)
		sr_buf_printf(out, "; bytes between them are counted for at most %d devices", SR_TRAFFIC_DEVICES);
	sr_buf_putc(out, '\n');
}
