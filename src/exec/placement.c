/* Placing devices on ranks. Rank 0 knows the program and decides; what it decides is a list of ranks, which changes no bit of a result. */
#include "exec/placement.h"
#include "plan/nodes.h"
#include <string.h>

/* Where a rank is: the lowest rank of its node, and which part of the node where --ranks-per-node cuts it. */
struct whereabouts {
	int64_t first, part;
};

struct places {
	const struct sr_program *program;
	struct sr_arena *arena;
	int n, each;                     /* devices, so many neighbours for each rank from 0 on, where they are in order */
	int *in_order, *node_of_slot;    /* [n] node by node: the device that has the slot in order */
	int n_nodes;
	int *node_in_order;              /* [n] of each device in order */
	int *slot;                       /* [n] of each device */
};

static struct whereabouts look(struct sr_launch *l, int64_t ranks_per_node, struct sr_arena *arena)
{
	int64_t mine = l->rank;
	const void *all;
	int here = sr_launch_on_node(l, arena, &mine, sizeof mine, &all), place = 0;
	const int64_t *ranks = all;
	while (place < here && ranks[place] != mine)
		place++;
	return (struct whereabouts){ranks[0], ranks_per_node > 0 ? place / ranks_per_node : 0};
}

static void number_nodes(struct places *p, const struct whereabouts *of)
{
	int slots = 0;
	p->node_in_order = SR_NEWS(p->arena, int, p->n);
	p->in_order = SR_NEWS(p->arena, int, p->n);
	p->node_of_slot = SR_NEWS(p->arena, int, p->n);
	p->slot = SR_NEWS(p->arena, int, p->n);
	for (int d = 0; d < p->n; d++) {
		int before = 0, r = d / p->each;
		while (of[before / p->each].first != of[r].first || of[before / p->each].part != of[r].part)
			before++;
		p->node_in_order[d] = before < d ? p->node_in_order[before] : p->n_nodes++;
	}
	for (int node = 0; node < p->n_nodes; node++)
		for (int d = 0; d < p->n; d++)
			if (p->node_in_order[d] == node) {
				p->in_order[slots] = d;
				p->node_of_slot[slots++] = node;
			}
}

static struct sr_traffic traffic_by_slots(struct sr_traffic_question *q, const struct places *p, const int *slot)
{
	int *node = SR_NEWS(p->arena, int, p->n);
	for (int d = 0; d < p->n; d++)
		node[d] = p->node_of_slot[slot[d]];
	return sr_traffic_of(q, node);
}

static void say_axes(const struct places *p, const int *axes, struct sr_buf *out)
{
	for (uint64_t i = 0; i < p->program->mesh.n; i++)
		sr_buf_printf(out, "%s%s", i ? "," : "", sr_program_string(p->program, sr_program_mesh(p->program)[axes[i]].name));
}

static void place_in_order(struct places *p)
{
	for (int s = 0; s < p->n; s++)
		p->slot[p->in_order[s]] = s;
}

/* The order of axes that sends least from the busiest node, by blocks; the ranks' own order where nothing is better. */
static void place_by_traffic(struct places *p, struct sr_buf *chosen)
{
	struct sr_traffic_question *q = p->n_nodes > 1 ? sr_traffic_begin(p->program, p->arena) : NULL;
	struct sr_axis_orders orders = sr_axis_orders_find(p->program, p->arena);
	struct sr_traffic least, other;
	place_in_order(p);
	if (!q) {
		sr_buf_puts(chosen, "order");
		return;
	}
	least = traffic_by_slots(q, p, p->slot);
	int best = sr_axis_orders_best(q, &orders, p->node_of_slot, &other);
	if (sr_traffic_less(&other, &least)) {
		const int *axes = orders.at + best * orders.n_axes;
		sr_slots_by_axes(p->program, axes, p->slot);
		say_axes(p, axes, chosen);
	} else {
		sr_buf_puts(chosen, "order");
	}
}

static void place_blocks(struct places *p, struct sr_buf *chosen)
{
	sr_buf_puts(chosen, "block");
	for (int d = 0; d < p->n; d++)
		p->slot[d] = d;
}

static void place_cyclic(struct places *p, struct sr_buf *chosen)
{
	sr_buf_puts(chosen, "cyclic");
	sr_slots_cyclic(p->n, p->node_of_slot, p->slot, p->arena);
}

static const struct {
	const char *name;
	void (*place)(struct places *p, struct sr_buf *chosen);
} named[] = {{"auto", place_by_traffic}, {"block", place_blocks}, {"cyclic", place_cyclic}};

/* "y,x": all axes of the mesh, the innermost last. */
static bool read_axes(const struct places *p, const char *text, int *axes)
{
	const struct sr_program_axis *mesh = sr_program_mesh(p->program);
	uint64_t n = 0;
	bool seen[SR_PROGRAM_AXES] = {false};
	for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		size_t length = strcspn(at, ",");
		uint64_t i = 0;
		while (i < p->program->mesh.n && (strlen(sr_program_string(p->program, mesh[i].name)) != length ||
						  memcmp(sr_program_string(p->program, mesh[i].name), at, length) != 0))
			i++;
		if (i == p->program->mesh.n || seen[i])
			return false;
		seen[i] = true;
		axes[n++] = (int)i;
	}
	return n == p->program->mesh.n;
}

static enum sr_status choose(struct places *p, const char *text, struct sr_diags *diags, struct sr_buf *chosen)
{
	int axes[SR_PROGRAM_AXES];
	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (!strcmp(text, named[i].name)) {
			named[i].place(p, chosen);
			return SR_OK;
		}
	if (!read_axes(p, text, axes)) {
		struct sr_buf mesh;
		sr_buf_init(&mesh, p->arena);
		sr_program_mesh_text(p->program, &mesh);
		return sr_error(diags, SR_USAGE, (struct sr_place){0},
				"--placement=%s: order, block, cyclic, auto, or all axes of the mesh (%s) with commas between is expected", text,
				sr_buf_string(&mesh));
	}
	sr_buf_puts(chosen, text);
	sr_slots_by_axes(p->program, axes, p->slot);
	return SR_OK;
}

static void say(const struct places *p, const struct sr_buf *chosen, struct sr_buf *node)
{
	struct sr_traffic_question *q = sr_traffic_begin(p->program, p->arena);
	sr_buf_printf(node, "placement: %.*s over %d node%s", (int)chosen->n, chosen->data, p->n_nodes, p->n_nodes == 1 ? "" : "s");
	if (q && p->n_nodes > 1) {
		struct sr_traffic now = traffic_by_slots(q, p, p->slot);
		struct sr_traffic in_order = sr_traffic_of(q, p->node_in_order);
		sr_buf_printf(node, "; %.0f bytes between them a step (%.0f in order)", now.all, in_order.all);
	}
	sr_buf_puts(node, "\n  ");
}

enum sr_status sr_placement_choose(struct sr_client *client, const struct sr_program *program, const struct sr_run_options *o,
				   struct sr_arena *arena, struct sr_diags *diags, struct sr_buf *node)
{
	struct sr_launch *l = &client->launch;
	struct places p = {.program = program, .arena = arena};
	struct whereabouts mine, *all = SR_NEWS(arena, struct whereabouts, l->size);
	struct sr_buf chosen;
	enum sr_status status = SR_OK;
	if (!strcmp(o->placement, "order"))
		return SR_OK;
	sr_buf_init(&chosen, arena);
	mine = look(l, o->ranks_per_node, arena);
	sr_launch_gather(l, &mine, all, sizeof mine);
	p.each = sr_client_devices_per_rank(client, program ? program->n_devices : 1);
	p.n = !l->rank && program->n_devices <= l->size * (int64_t)p.each ? program->n_devices : 0; /* else it is refused */
	if (p.n) {
		number_nodes(&p, all);
		status = choose(&p, o->placement, diags, &chosen);
	}
	status = sr_launch_agree(l, status, diags);
	if (status)
		return status;
	sr_launch_broadcast(l, &p.n, sizeof p.n);
	int *ranks = SR_NEWS(arena, int, p.n + 1);
	for (int d = 0; !l->rank && d < p.n; d++)
		ranks[d] = p.in_order[p.slot[d]] / p.each;
	sr_launch_broadcast(l, ranks, (uint64_t)p.n * sizeof *ranks);
	if (p.n) {
		client->options.rank_of_device = ranks;
		client->options.n_listed = p.n;
	}
	if (!l->rank && p.n)
		say(&p, &chosen, node);
	return SR_OK;
}
