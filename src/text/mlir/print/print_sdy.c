/* Print Shardy's attributes. */
#include "text/mlir/print/printer.h"
#include <string.h>

void sr_print_axis(struct sr_buf *out, struct sr_sdy_axis ref)
{
	sr_print_string(out, ref.axis);
	if (ref.pre != 1 || ref.size != 0)
		sr_buf_printf(out, ":(%lld)%lld", (long long)ref.pre, (long long)ref.size);
}

static void print_axis_list(struct sr_buf *out, struct sr_sdy_axes axes)
{
	for (int i = 0; i < axes.n; i++) {
		if (i)
			sr_buf_puts(out, ", ");
		sr_print_axis(out, axes.refs[i]);
	}
}

void sr_print_axes(struct sr_buf *out, struct sr_sdy_axes axes)
{
	sr_buf_putc(out, '{');
	print_axis_list(out, axes);
	sr_buf_putc(out, '}');
}

static void print_dim(struct sr_buf *out, const struct sr_sdy_dim *dim)
{
	sr_buf_putc(out, '{');
	print_axis_list(out, dim->axes);
	if (!dim->closed)
		sr_buf_puts(out, dim->axes.n ? ", ?" : "?");
	sr_buf_putc(out, '}');
	if (dim->priority >= 0)
		sr_buf_printf(out, "p%d", dim->priority);
}

/* Print a sharding: <@mesh, [{"x"}]>. */
static void print_sharding(struct sr_buf *out, const struct sr_sdy_sharding *s)
{
	static const char *const kinds[] = {[SR_UNREDUCED_SUM] = "", [SR_UNREDUCED_MAX] = "max", [SR_UNREDUCED_MIN] = "min"};
	sr_buf_putc(out, '<');
	if (s->mesh) {
		sr_buf_puts(out, "mesh");
		sr_print_mesh(out, s->mesh);
	} else {
		sr_print_symbol(out, s->mesh_name);
	}
	sr_buf_puts(out, ", [");
	for (int i = 0; i < s->rank; i++) {
		if (i)
			sr_buf_puts(out, ", ");
		print_dim(out, &s->dims[i]);
	}
	sr_buf_putc(out, ']');
	if (s->replicated.n) {
		sr_buf_puts(out, ", replicated=");
		sr_print_axes(out, s->replicated);
	}
	if (s->unreduced.n) {
		sr_buf_printf(out, ", unreduced=%s", kinds[s->unreduced_kind]);
		sr_print_axes(out, s->unreduced);
	}
	sr_buf_putc(out, '>');
}

/* ---------------------------------------------------------------- sharding rules */

static void print_factor(struct sr_buf *out, int32_t f)
{
	if (f <= 'z' - 'i')
		sr_buf_putc(out, (char)('i' + f));
	else
		sr_buf_printf(out, "z_%d", f - ('z' - 'i'));
}

static void print_mappings(struct sr_buf *out, const struct sr_tensor_mapping *m, int n)
{
	sr_buf_putc(out, '(');
	for (int t = 0; t < n; t++) {
		sr_buf_puts(out, t ? ", [" : "[");
		for (int d = 0; d < m[t].rank; d++) {
			if (d)
				sr_buf_puts(out, ", ");
			for (int i = 0; i < m[t].dims[d].n; i++)
				print_factor(out, m[t].dims[d].factors[i]);
		}
		sr_buf_putc(out, ']');
	}
	sr_buf_putc(out, ')');
}

static void print_factors(struct sr_buf *out, const char *name, struct sr_index_list list)
{
	if (list.n == 0)
		return;
	sr_buf_printf(out, " %s={", name);
	for (int i = 0; i < list.n; i++) {
		if (i)
			sr_buf_puts(out, ", ");
		print_factor(out, list.indices[i]);
	}
	sr_buf_putc(out, '}');
}

static void print_rule(struct sr_buf *out, const struct sr_sharding_rule *rule)
{
	sr_buf_putc(out, '<');
	print_mappings(out, rule->operands, rule->n_operands);
	sr_buf_puts(out, "->");
	print_mappings(out, rule->results, rule->n_results);
	for (int i = 0; i < rule->n_factors; i++) {
		sr_buf_puts(out, i ? ", " : " {");
		print_factor(out, i);
		sr_buf_printf(out, "=%lld", (long long)rule->sizes[i]);
	}
	if (rule->n_factors)
		sr_buf_putc(out, '}');
	print_factors(out, "reduction", rule->reduction);
	print_factors(out, "need_replication", rule->need_replication);
	print_factors(out, "permutation", rule->permutation);
	print_factors(out, "blocked_propagation", rule->blocked);
	sr_buf_puts(out, rule->custom ? ", custom>" : ">");
}

/* ---------------------------------------------------------------- attributes */

static bool is_all_to_all_params(const struct sr_attr *a)
{
	return a->kind == SR_ATTR_ARRAY && a->n > 0 && a->list[0]->kind == SR_ATTR_STRUCT && !strcmp(a->list[0]->def->name, "all_to_all_param");
}

bool sr_is_sdy_attr(const struct sr_attr *a)
{
	return (a->kind >= SR_ATTR_MESH && a->kind <= SR_ATTR_RULE) || is_all_to_all_params(a);
}

static void print_sdy_list(struct sr_printer *p, const struct sr_attr *a)
{
	sr_buf_putc(p->out, '[');
	for (int i = 0; i < a->n; i++) {
		const struct sr_attr *x = a->list[i];
		if (i)
			sr_buf_puts(p->out, ", ");
		if (x->kind == SR_ATTR_STRUCT) {
			sr_print_axes(p->out, *x->list[0]->axes);
			sr_buf_printf(p->out, ": %lld->%lld", (long long)x->list[1]->i, (long long)x->list[2]->i);
		} else {
			sr_print_sdy(p, x, false);
		}
	}
	sr_buf_putc(p->out, ']');
}

void sr_print_sdy(struct sr_printer *p, const struct sr_attr *a, bool has_prefix)
{
	switch (a->kind) {
	case SR_ATTR_MESH:
		sr_buf_puts(p->out, has_prefix ? "#sdy.mesh" : "");
		sr_print_mesh(p->out, a->mesh);
		break;
	case SR_ATTR_SHARDING:
		sr_buf_puts(p->out, has_prefix ? "#sdy.sharding" : "");
		print_sharding(p->out, a->sharding);
		break;
	case SR_ATTR_RULE:
		sr_buf_puts(p->out, has_prefix ? "#sdy.op_sharding_rule" : "");
		print_rule(p->out, a->rule);
		break;
	case SR_ATTR_AXES:
		sr_buf_puts(p->out, has_prefix ? "#sdy<axis_ref_list" : "");
		sr_print_axes(p->out, *a->axes);
		sr_buf_puts(p->out, has_prefix ? ">" : "");
		break;
	default: /* a list of shardings, axes or all-to-all parameters */
		sr_buf_puts(p->out, !has_prefix			   ? ""
				    : a->kind == SR_ATTR_SHARDINGS ? "#sdy.sharding_per_value<"
				    : a->kind == SR_ATTR_AXES_LIST ? "#sdy<list_of_axis_ref_lists"
								   : "#sdy<all_to_all_param_list");
		print_sdy_list(p, a);
		sr_buf_puts(p->out, has_prefix ? ">" : "");
	}
}
