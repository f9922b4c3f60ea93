/* A tile as C. Every instruction stands in the outermost loop that it depends on: values are named v0, v1, ... as in the tile,
 * loops i0, i1, ..., buffers b0, b1, ...; r7 is value 7 for each point of a block, or for each inner point (saved). */
#include "codegen/nest_form.h"
#include <stdlib.h>
#include <string.h>

/* ---- numbers ---- */

static void affine(struct sr_buf *out, int64_t offset, const int64_t *coef, int n, int but)
{
	bool any = offset != 0;
	if (any)
		sr_buf_int(out, offset);
	for (int l = 0; l < n; l++) {
		if (!coef[l] || l == but)
			continue;
		if (coef[l] == 1)
			sr_buf_printf(out, any ? " + i%d" : "i%d", l);
		else
			sr_buf_printf(out, any ? " + %lld * i%d" : "%lld * i%d", (long long)coef[l], l);
		any = true;
	}
	if (!any)
		sr_buf_putc(out, '0');
}

/* The number of the current inner point: the place of a saved value. */
static void inner_number(struct sr_nest_form *g, struct sr_buf *out)
{
	int64_t coef[SR_NEST_MAX_LOOPS] = {0}, step = g->form == SR_NEST_FORM_COLUMNS ? g->width : 1;
	for (int l = g->r->n_loops - 1; l >= g->r->n_parallel; l--) {
		coef[l] = step;
		step *= g->r->extent[l];
	}
	affine(out, 0, coef, g->r->n_loops, -1);
	if (g->form == SR_NEST_FORM_COLUMNS)
		sr_buf_printf(out, " + i%d - c", g->vector);
}

/* A value as an instruction of the stage sees it. */
static const char *ref(struct sr_nest_form *g, int v)
{
	struct sr_buf text;
	sr_buf_init(&text, g->arena);
	const struct sr_nest_instr *in = g->maker[v];
	bool apart = g->form == SR_NEST_FORM_COLUMNS && g->place[v] == SR_STORAGE_BLOCK && (g->stage_of[v] != g->stage || g->accumulates[v]);
	if (in && in->op == SR_NEST_CONSTANT) {
		sr_c_literal(&text, (enum sr_dtype)sr_nest_values(g->t)[v].dtype, sr_nest_constants(g->t) + in->constant);
	} else if (g->place[v] == SR_STORAGE_SAVED && g->stage_of[v] != g->stage) {
		sr_buf_printf(&text, "r%d[", v);
		inner_number(g, &text);
		sr_buf_putc(&text, ']');
	} else if (apart) {
		sr_buf_printf(&text, "r%d[i%d - c]", v, g->vector);
	} else {
		sr_buf_printf(&text, "v%d", v);
	}
	return sr_buf_string(&text);
}

static const char *wide(const struct sr_nest_form *g, int v)
{
	return sr_c_type_of((enum sr_dtype)sr_nest_values(g->t)[v].dtype)->wide;
}

static void indent(struct sr_nest_form *g)
{
	for (int i = 0; i < g->depth; i++)
		sr_buf_putc(g->out, '\t');
}

/* ---- accesses ---- */

/* The index of a dim, clamped. In 32 bits where they hold every element's number: vectors of it are then as long as those of the
 * elements that it chooses, which compilers want of a loop that looks them up. */
static void clamped_index(struct sr_nest_form *g, const struct sr_nest_dim *d, struct sr_buf *out)
{
	enum sr_dtype type = (enum sr_dtype)sr_nest_values(g->t)[d->index].dtype;
	bool narrow = d->limit >= 0 && d->offset >= 0 && d->offset <= INT32_MAX && d->limit <= INT32_MAX - d->offset &&
		      d->stride <= INT32_MAX / (d->limit + d->offset + 1);
	const char *of = type == SR_UI64 ? "_U64" : sr_dtypes[type].bits > 32 || d->limit > INT32_MAX ? "" : type == SR_UI32 ? "_U32" : "_32";
	sr_buf_printf(out, "(int%d_t)clamped%s(%s, %lld)", narrow ? 32 : 64, of, ref(g, d->index), (long long)d->limit);
}

/* x of a dim, its index added; without loop `but`. */
static void dim_number(struct sr_nest_form *g, const struct sr_nest_dim *d, int but, struct sr_buf *out)
{
	if (d->index >= 0) {
		clamped_index(g, d, out);
		sr_buf_puts(out, " + ");
	}
	affine(out, d->offset, d->coef, g->r->n_loops, but);
}

bool sr_nest_form_is_range(const struct sr_nest_form *g, const struct sr_nest_dim *d)
{
	return d->extent > 0 && d->divisor == 1 && (d->index < 0 || !(g->deps[d->index] & (uint32_t)1 << g->vector));
}

/* The bounds of an access as a condition; returns how many there are. inside: those that the vector loop's range keeps are left out. */
static int condition(struct sr_nest_form *g, const struct sr_nest_access *a, bool inside, struct sr_buf *out)
{
	int n = 0;
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_nest_dim *d = &g->r->dims[a->first_dim + k];
		if (d->extent <= 0 || (inside && sr_nest_form_is_range(g, d)))
			continue;
		sr_buf_puts(out, n++ ? " && (uint64_t)(" : "(uint64_t)(");
		if (d->divisor > 1) {
			sr_buf_putc(out, '(');
			dim_number(g, d, -1, out);
			sr_buf_printf(out, ") %% %lld == 0 ? (", (long long)d->divisor);
			dim_number(g, d, -1, out);
			sr_buf_printf(out, ") / %lld : -1) < %lldu", (long long)d->divisor, (long long)d->extent);
		} else {
			dim_number(g, d, -1, out);
			sr_buf_printf(out, ") < %lldu", (long long)d->extent);
		}
	}
	return n;
}

static void element(struct sr_nest_form *g, const struct sr_nest_access *a, struct sr_buf *out)
{
	sr_buf_printf(out, "b%d[", a->buffer);
	affine(out, a->offset, a->stride, g->r->n_loops, -1);
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_nest_dim *d = &g->r->dims[a->first_dim + k];
		sr_buf_printf(out, " + %lld * ((", (long long)d->stride);
		dim_number(g, d, -1, out);
		if (d->divisor > 1)
			sr_buf_printf(out, ") / %lld)", (long long)d->divisor);
		else
			sr_buf_puts(out, "))");
	}
	sr_buf_putc(out, ']');
}

static void load(struct sr_nest_form *g, const struct sr_nest_instr *in, bool inside, struct sr_buf *out)
{
	const struct sr_nest_access *a = &g->r->accesses[in->access];
	enum sr_dtype type = (enum sr_dtype)sr_nest_values(g->t)[in->result].dtype;
	struct sr_buf bounds;
	sr_buf_init(&bounds, g->arena);
	if (condition(g, a, inside, &bounds))
		sr_buf_printf(out, "%s ? ", sr_buf_string(&bounds));
	if (sr_c_is_16bit_float(type))
		sr_buf_printf(out, "float_%s(", sr_c_type_of(type)->id);
	if (sr_nest_form_is_transposed_load(g, in))
		sr_buf_printf(out, "x%d[(i%d - c) * %d + i%d - d]", in->result, g->vector, SR_NEST_FORM_BLOCK_ROWS, g->crossing);
	else
		element(g, a, out);
	if (sr_c_is_16bit_float(type))
		sr_buf_putc(out, ')');
	if (!bounds.n)
		return;
	sr_buf_puts(out, " : ");
	if (!g->otherwise[a->fill]) {
		sr_buf_puts(out, ref(g, a->fill));
		return;
	}
	sr_buf_putc(out, '(');
	load(g, g->maker[a->fill], false, out);
	sr_buf_putc(out, ')');
}

static void store(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	const struct sr_nest_access *a = &g->r->accesses[in->access];
	enum sr_dtype type = (enum sr_dtype)sr_nest_values(g->t)[in->args[0]].dtype;
	indent(g);
	element(g, a, g->out);
	if (sr_c_is_16bit_float(type))
		sr_buf_printf(g->out, " = bits_%s(%s);\n", sr_c_type_of(type)->id, ref(g, in->args[0]));
	else
		sr_buf_printf(g->out, " = %s;\n", ref(g, in->args[0]));
}

/* ---- instructions ---- */

static bool map(struct sr_nest_form *g, const struct sr_nest_instr *in, struct sr_buf *out)
{
	const char *args[SR_NEST_MAX_ARGS];
	for (int i = 0; i < in->n_args; i++)
		args[i] = ref(g, in->args[i]);
	return sr_c_map(out, g->functions, in, (enum sr_dtype)sr_nest_values(g->t)[in->args[0]].dtype,
			(enum sr_dtype)sr_nest_values(g->t)[in->result].dtype, args);
}

static bool define(struct sr_nest_form *g, const struct sr_nest_instr *in, bool inside)
{
	struct sr_buf text;
	int v = in->result;
	bool good = true;
	sr_buf_init(&text, g->arena);
	if (in->op == SR_NEST_CONSTANT || g->otherwise[v])
		return true;
	if (in->op == SR_NEST_LOAD)
		load(g, in, inside, &text);
	else if (in->op == SR_NEST_INDEX)
		affine(&text, g->r->accesses[in->access].offset, g->r->accesses[in->access].stride, g->r->n_loops, -1);
	else if (in->op == SR_NEST_MAP)
		good = map(g, in, &text);
	indent(g);
	sr_buf_printf(g->out, "const %s v%d = %s;\n", wide(g, v), v, sr_buf_string(&text));
	return good;
}

/* The lanes, the block or the number that a reduction's result is gathered in. */
static const char *accumulator(struct sr_nest_form *g, int v)
{
	struct sr_buf text;
	sr_buf_init(&text, g->arena);
	if (g->form == SR_NEST_FORM_COLUMNS)
		sr_buf_printf(&text, "r%d[i%d - c]", v, g->vector);
	else if (g->lanes > 1)
		sr_buf_printf(&text, "r%d[k]", v);
	else
		sr_buf_printf(&text, "v%d", v);
	return sr_buf_string(&text);
}

static bool reduce(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	const char *to = accumulator(g, in->result);
	indent(g);
	sr_buf_printf(g->out, "%s = ", to);
	if (!sr_c_call(g->out, g->functions, (enum sr_kernel)in->kernel, (enum sr_dtype)in->type, (const char *const[]){to, ref(g, in->args[0])}, 2))
		return false;
	sr_buf_puts(g->out, ";\n");
	return true;
}

/* The body of a fold, its arguments by their names. */
static bool fold(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	bool good = true;
	indent(g);
	sr_buf_puts(g->out, "{\n");
	g->depth++;
	for (int k = 0; k < 2 * in->n_folds; k++) {
		indent(g);
		sr_buf_printf(g->out, "const %s v%d = %s;\n", wide(g, in->body_args + k), in->body_args + k,
			      k < in->n_folds ? accumulator(g, in->result + k) : ref(g, in->args[k - in->n_folds]));
	}
	for (int i = 0; good && i < in->n_body; i++)
		good = define(g, sr_nest_instrs(g->t) + in->body + i, false);
	for (int k = 0; k < in->n_folds; k++) {
		indent(g);
		sr_buf_printf(g->out, "%s = %s;\n", accumulator(g, in->result + k), ref(g, in->body_results[k]));
	}
	g->depth--;
	indent(g);
	sr_buf_puts(g->out, "}\n");
	return good;
}

static void keep(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	int v = in->result;
	if (v < 0 || in->op == SR_NEST_REDUCE || in->op == SR_NEST_FOLD || in->op == SR_NEST_CONSTANT || g->form == SR_NEST_FORM_MAP)
		return;
	if (g->place[v] == SR_STORAGE_SAVED) {
		indent(g);
		sr_buf_printf(g->out, "r%d[", v);
		inner_number(g, g->out);
		sr_buf_printf(g->out, "] = v%d;\n", v);
	} else if (g->place[v] == SR_STORAGE_BLOCK) {
		indent(g);
		sr_buf_printf(g->out, "r%d[i%d - c] = v%d;\n", v, g->vector, v);
	}
}

/* In a map a reduction is over one point. */
static bool begin_reduction(struct sr_nest_form *g, const struct sr_nest_instr *in, const char *head)
{
	int n = in->op == SR_NEST_FOLD ? in->n_folds : 1;
	for (int k = 0; k < n; k++) {
		indent(g);
		sr_buf_printf(g->out, head, wide(g, in->result + k), in->result + k, ref(g, in->args[n + k]));
	}
	return true;
}

static bool instruction(struct sr_nest_form *g, const struct sr_nest_instr *in, bool inside)
{
	bool combines = in->op == SR_NEST_REDUCE || in->op == SR_NEST_FOLD;
	if (in->op == SR_NEST_STORE) {
		store(g, in);
		return true;
	}
	if (combines && g->form == SR_NEST_FORM_MAP)
		begin_reduction(g, in, "%s v%d = %s;\n");
	bool good = in->op == SR_NEST_REDUCE ? reduce(g, in) : in->op == SR_NEST_FOLD ? fold(g, in) : define(g, in, inside);
	keep(g, in);
	return good;
}

static bool instructions(struct sr_nest_form *g, const struct sr_stage_loops *n, int level, bool inside)
{
	bool good = true;
	for (int s = n->first_stage; s <= n->last_stage; s++) {
		const struct sr_nest_stage *stage = &sr_nest_stages(g->t)[s];
		g->stage = g->form == SR_NEST_FORM_MAP ? 0 : s;
		for (int i = stage->first; good && i < stage->first + stage->n; i++)
			if (sr_nest_form_loop_depth(g, n, &sr_nest_instrs(g->t)[i]) == level)
				good = instruction(g, &sr_nest_instrs(g->t)[i], inside);
	}
	return good;
}

/* ---- loops ---- */

static void open(struct sr_nest_form *g, const char *text)
{
	indent(g);
	sr_buf_puts(g->out, text);
	g->depth++;
}

static void close(struct sr_nest_form *g)
{
	g->depth--;
	indent(g);
	sr_buf_puts(g->out, "}\n");
}

/* The first index of a loop, or the one past its last. */
static const char *bound(struct sr_nest_form *g, int l, bool last)
{
	struct sr_buf text;
	if (g->form == SR_NEST_FORM_COLUMNS && l == g->vector)
		return last ? "h" : "c";
	if (l == 0 && g->r->n_parallel)
		return last ? "last" : "first";
	sr_buf_init(&text, g->arena);
	sr_buf_int(&text, last ? g->r->extent[l] : 0);
	return sr_buf_string(&text);
}

static void open_loop(struct sr_nest_form *g, int l, const char *from, const char *to)
{
	indent(g);
	sr_buf_printf(g->out, "for (int64_t i%d = %s; i%d < %s; i%d++) {\n", l, from, l, to, l);
	g->depth++;
}

/* The range of the vector loop that keeps the bounds of loads, in a block that is left open; false: there are none. */
static bool range(struct sr_nest_form *g, const struct sr_stage_loops *n, const char *from, const char *to)
{
	bool any = false;
	int v = g->vector;
	for (int s = n->first_stage; s <= n->last_stage; s++)
		for (int i = 0; i < sr_nest_stages(g->t)[s].n; i++) {
			const struct sr_nest_instr *in = sr_nest_instrs(g->t) + sr_nest_stages(g->t)[s].first + i;
			const struct sr_nest_access *a = in->op == SR_NEST_LOAD ? &g->r->accesses[in->access] : NULL;
			for (int k = 0; a && k < a->n_dims; k++) {
				const struct sr_nest_dim *d = &g->r->dims[a->first_dim + k];
				struct sr_buf x;
				if (!sr_nest_form_is_range(g, d) || g->otherwise[in->result] || sr_nest_form_loop_depth(g, n, in) < n->n)
					continue;
				if (!any) {
					open(g, "{\n");
					indent(g);
					sr_buf_printf(g->out, "int64_t low = %s, high = %s;\n", from, to);
				}
				any = true;
				sr_buf_init(&x, g->arena);
				dim_number(g, d, v, &x);
				indent(g);
				sr_buf_printf(g->out, "clip(%s, %lld, %lld, &low, &high);\n", sr_buf_string(&x), (long long)d->coef[v], (long long)d->extent);
			}
		}
	return any;
}

/* The vector loop over [from, to), in lanes where the stage reduces along it. */
static bool vector_loop(struct sr_nest_form *g, const struct sr_stage_loops *n, const char *from, const char *to, bool inside)
{
	bool lanes = g->lanes > 1 && n->reduces, good = true;
	if (!lanes) {
		indent(g);
		sr_buf_puts(g->out, "#pragma GCC ivdep\n");
		open_loop(g, g->vector, from, to);
		good = instructions(g, n, n->n, inside);
		close(g);
		return good;
	}
	open(g, "{\n");
	indent(g);
	sr_buf_printf(g->out, "int64_t j = %s;\n", from);
	int last = g->vector && !strcmp(from, "0") && g->r->extent[g->vector] % g->lanes == 0 && !strcmp(to, bound(g, g->vector, true));
	for (int whole = 1; good && whole >= last; whole--) {
		indent(g);
		if (whole) {
			sr_buf_printf(g->out, "for (; j + %d <= %s; j += %d)\n", g->lanes, to, g->lanes);
			g->depth++;
			indent(g);
		}
		sr_buf_puts(g->out, "#pragma GCC ivdep\n");
		indent(g);
		if (whole)
			sr_buf_printf(g->out, "for (int64_t k = 0; k < %d; k++) {\n", g->lanes);
		else
			sr_buf_printf(g->out, "for (int64_t k = 0; k < %s - j; k++) {\n", to);
		g->depth++;
		indent(g);
		sr_buf_printf(g->out, "const int64_t i%d = j + k;\n", g->vector);
		good = instructions(g, n, n->n, inside);
		close(g);
		g->depth -= whole;
	}
	close(g);
	return good;
}

/* The ends of the loop apart, where an access may be outside its bounds. */
static bool vector_loops(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	const char *from = g->crossing >= 0 ? "c" : bound(g, g->vector, false), *to = g->crossing >= 0 ? "h" : bound(g, g->vector, true);
	if (!range(g, n, from, to))
		return vector_loop(g, n, from, to, false);
	bool good = vector_loop(g, n, from, "low", false) && vector_loop(g, n, "low", "high", true) && vector_loop(g, n, "high", to, false);
	close(g);
	return good;
}

/* ---- blocks of a map whose accesses cross: what lies across is copied first, whole lines at a time ---- */

static const char *memory(const struct sr_nest_form *g, int v)
{
	return sr_c_type_of((enum sr_dtype)sr_nest_values(g->t)[v].dtype)->memory;
}

static void open_block(struct sr_nest_form *g, const char *at, const char *end, int l, int step)
{
	indent(g);
	sr_buf_printf(g->out, "for (int64_t %s = %s; %s < %s; %s += %d) {\n", at, bound(g, l, false), at, bound(g, l, true), at, step);
	g->depth++;
	indent(g);
	sr_buf_printf(g->out, "const int64_t %s = %s + %d < %s ? %s + %d : %s;\n", end, at, step, bound(g, l, true), at, step, bound(g, l, true));
}

static void copy_blocks(struct sr_nest_form *g)
{
	const struct sr_nest_instr *instrs = sr_nest_instrs(g->t);
	for (int i = 0; i < g->t->n_instrs; i++) {
		if (!sr_nest_form_is_transposed_load(g, &instrs[i]))
			continue;
		indent(g);
		sr_buf_printf(g->out, "%s x%d[%d];\n", memory(g, instrs[i].result), instrs[i].result, SR_NEST_FORM_BLOCK_ROWS * SR_NEST_FORM_BLOCK_COLUMNS);
		open_loop(g, g->vector, "c", "h");
		open_loop(g, g->crossing, "d", "e");
		indent(g);
		sr_buf_printf(g->out, "x%d[(i%d - c) * %d + i%d - d] = ", instrs[i].result, g->vector, SR_NEST_FORM_BLOCK_ROWS, g->crossing);
		element(g, &g->r->accesses[instrs[i].access], g->out);
		sr_buf_puts(g->out, ";\n");
		close(g);
		close(g);
	}
}

/* ---- stages ---- */

static bool loops(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	int depth = g->depth;
	bool good = true;
	for (int k = 0; good && k < n->n; k++) {
		good = instructions(g, n, k, false);
		if (g->crossing >= 0 && k == n->n - 2) {
			open_block(g, "d", "e", g->crossing, SR_NEST_FORM_BLOCK_ROWS);
			open_block(g, "c", "h", g->vector, SR_NEST_FORM_BLOCK_COLUMNS);
			copy_blocks(g);
			open_loop(g, g->crossing, "d", "e");
		} else if (k == n->n - 1) {
			good = good && vector_loops(g, n);
		} else {
			open_loop(g, n->loops[k], bound(g, n->loops[k], false), bound(g, n->loops[k], true));
		}
	}
	if (!n->n)
		good = instructions(g, n, 0, false);
	while (g->depth > depth)
		close(g);
	return good;
}

/* Reductions begin with their init values, lanes with what changes nothing. */
static bool begin(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	int n = in->op == SR_NEST_FOLD ? in->n_folds : 1;
	const char *identity = sr_c_identity((enum sr_kernel)in->kernel, (enum sr_dtype)in->type);
	bool lanes = in->op == SR_NEST_REDUCE && g->lanes > 1;
	for (int k = 0; k < n; k++) {
		int v = in->result + k;
		indent(g);
		if (lanes)
			sr_buf_printf(g->out, "%s r%d[%d];\n", wide(g, v), v, g->lanes);
		if (lanes)
			indent(g);
		if (lanes)
			sr_buf_printf(g->out, "for (int k = 0; k < %d; k++) r%d[k] = %s;\n", g->lanes, v, identity);
		else if (g->form == SR_NEST_FORM_COLUMNS)
			sr_buf_printf(g->out, "for (int64_t i%d = c; i%d < h; i%d++) r%d[i%d - c] = %s;\n", g->vector, g->vector, g->vector, v, g->vector,
				      ref(g, in->args[n + k]));
		else
			sr_buf_printf(g->out, "%s v%d = %s;\n", wide(g, v), v, ref(g, in->args[n + k]));
	}
	return true;
}

/* Lanes by halves, side by side, then what was there before. */
static bool finish(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	struct sr_buf a, b;
	int v = in->result;
	enum sr_kernel kernel = (enum sr_kernel)in->kernel;
	sr_buf_init(&a, g->arena);
	sr_buf_init(&b, g->arena);
	sr_buf_printf(&a, "r%d[k]", v);
	sr_buf_printf(&b, "r%d[k + half]", v);
	indent(g);
	sr_buf_printf(g->out, "for (int half = %d; half; half /= 2)\n", g->lanes / 2);
	g->depth++;
	indent(g);
	sr_buf_printf(g->out, "for (int k = 0; k < half; k++) %s = ", sr_buf_string(&a));
	bool good = sr_c_call(g->out, g->functions, kernel, (enum sr_dtype)in->type, (const char *const[]){sr_buf_string(&a), sr_buf_string(&b)}, 2);
	sr_buf_puts(g->out, ";\n");
	g->depth--;
	indent(g);
	sr_buf_printf(g->out, "const %s v%d = ", wide(g, v), v);
	a.n = 0;
	sr_buf_printf(&a, "r%d[0]", v);
	good = good && sr_c_call(g->out, g->functions, kernel, (enum sr_dtype)in->type, (const char *const[]){ref(g, in->args[1]), sr_buf_string(&a)}, 2);
	sr_buf_puts(g->out, ";\n");
	return good;
}

/* By the stage's widest type and its rows' length alone: four vectors of 64 bytes; short rows have fewer, and where there are many
 * of them one for each element of a row. */
static int lanes_of(const struct sr_nest_form *g, const struct sr_nest_stage *stage)
{
	enum { BYTES = 256, FEWEST = 4 };
	int bytes = 1, lanes = 16;
	int64_t n = g->form == SR_NEST_FORM_ROWS ? g->r->extent[g->vector] : 0;
	for (int i = stage->first; i < stage->first + stage->n; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		enum sr_dtype type = (enum sr_dtype)in->type;
		int own = in->op != SR_NEST_REDUCE ? 1 : sr_c_is_16bit_float(type) ? 4 : sr_dtype_bytes(type);
		if (in->op == SR_NEST_FOLD || (in->op == SR_NEST_REDUCE && !sr_c_identity((enum sr_kernel)in->kernel, type)))
			return 1;
		bytes = own > bytes ? own : bytes;
	}
	if (n >= 4 * (BYTES / bytes))
		return BYTES / bytes;
	if (n < 32 && g->r->inner_points <= n)
		return 1;
	while (lanes > n)
		lanes /= 2;
	return lanes >= FEWEST ? lanes : 1;
}

static bool stage(struct sr_nest_form *g, int s)
{
	const struct sr_nest_stage *stage = &sr_nest_stages(g->t)[s];
	struct sr_stage_loops nest;
	bool good = true;
	sr_nest_form_stage_loops(g, s, &nest);
	g->lanes = lanes_of(g, stage);
	g->stage = s;
	for (int i = stage->first; good && g->form != SR_NEST_FORM_MAP && i < stage->first + stage->n; i++)
		if (sr_nest_instrs(g->t)[i].op == SR_NEST_REDUCE || sr_nest_instrs(g->t)[i].op == SR_NEST_FOLD)
			good = begin(g, &sr_nest_instrs(g->t)[i]);
	good = good && loops(g, &nest);
	for (int i = stage->first; good && g->form == SR_NEST_FORM_ROWS && g->lanes > 1 && i < stage->first + stage->n; i++)
		if (sr_nest_instrs(g->t)[i].op == SR_NEST_REDUCE)
			good = finish(g, &sr_nest_instrs(g->t)[i]);
	return good;
}

/* ---- the function ---- */

static void name_buffers(struct sr_nest_form *g)
{
	const struct sr_nest *t = g->t;
	uint64_t shared = 0, named = 0;
	for (int i = 0; i < t->n_outputs; i++)
		if (sr_nest_outputs(t)[i].may_share)
			shared |= sr_nest_outputs(t)[i].may_share | (uint64_t)1 << (t->n_inputs + i);
	for (int i = 0; i < t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(t)[i];
		if (in->op != SR_NEST_LOAD && in->op != SR_NEST_STORE)
			continue;
		int b = g->r->accesses[in->access].buffer, v = in->op == SR_NEST_LOAD ? in->result : in->args[0];
		if (named >> b & 1)
			continue;
		named |= (uint64_t)1 << b;
		sr_buf_printf(g->out, "\t%s%s *%sb%d = buffers[%d];\n", b < t->n_inputs ? "const " : "", memory(g, v), shared >> b & 1 ? "" : "restrict ", b, b);
	}
}

static void arrays(struct sr_nest_form *g)
{
	for (int v = 0; v < g->t->n_values; v++) {
		int64_t n = (g->form == SR_NEST_FORM_COLUMNS ? g->width : 1) * (g->place[v] == SR_STORAGE_SAVED ? g->r->inner_points : 1);
		if (g->place[v] == SR_STORAGE_SCALAR)
			continue;
		indent(g);
		sr_buf_printf(g->out, "%s r%d[%lld] __attribute__((aligned(64)));\n", wide(g, v), v, (long long)n);
	}
}

/* Flags are as wide as most of what is compared and chosen, so that vectors of both have as many elements. */
static const char *flag_type(const struct sr_nest *t)
{
	static const char *const names[4] = {"uint8_t", "int16_t", "int32_t", "int64_t"};
	int votes[4] = {0}, best = 0;
	for (int i = 0; i < t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(t)[i];
		for (int k = -1; in->op == SR_NEST_MAP && k < in->n_args; k++) {
			enum sr_dtype type = (enum sr_dtype)sr_nest_values(t)[k < 0 ? in->result : in->args[k]].dtype;
			int parts = sr_dtypes[type].class == SR_CLASS_COMPLEX ? 2 : 1, bytes = sr_c_is_16bit_float(type) ? 4 : sr_dtype_bytes(type) / parts;
			bool chooses = in->kernel == SR_KERNEL_COMPARE || in->kernel == SR_KERNEL_SELECT || in->kernel == SR_KERNEL_CONVERT;
			if (type != SR_I1 && chooses)
				votes[bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3]++;
		}
	}
	for (int w = 1; w < 4; w++)
		best = votes[w] && votes[w] >= votes[best] ? w : best;
	return names[best];
}

static bool reduces_integers(const struct sr_nest *t)
{
	for (int i = 0; i < t->n_instrs; i++)
		if (sr_nest_instrs(t)[i].op == SR_NEST_REDUCE && sr_dtype_is_integer((enum sr_dtype)sr_nest_instrs(t)[i].type))
			return true;
	return false;
}

static bool function(struct sr_nest_form *g, int number)
{
	const struct sr_nest_prepared *r = g->r;
	bool good = true, reduces = reduces_integers(g->t);
	int n_stages = g->form == SR_NEST_FORM_MAP && g->t->n_stages ? 1 : g->t->n_stages;
	if (reduces) /* GCC 12 gets sums of integers in loops of several parts wrong when it uses their ranges */
		sr_buf_puts(g->out, "#if !defined(__clang__)\n#pragma GCC push_options\n"
				    "#pragma GCC optimize(\"no-tree-vrp\")\n#endif\n");
	sr_buf_printf(g->out, "static void sr_nest_%d(void *const *buffers, int64_t begin, int64_t end)\n{\n", number);
	name_buffers(g);
	g->depth = 1;
	if (strcmp(flag_type(g->t), "uint8_t"))
		sr_buf_printf(g->out, "\ttypedef %s flag;\n", flag_type(g->t));
	if (r->n_parallel) {
		indent(g);
		sr_buf_printf(g->out, "const int64_t first = begin * %lld, last = end * %lld < %lld ? end * %lld : %lld;\n", (long long)g->chunk,
			      (long long)g->chunk, (long long)r->extent[0], (long long)g->chunk, (long long)r->extent[0]);
	}
	for (int l = 0; g->form != SR_NEST_FORM_MAP && l < r->n_parallel; l++)
		if (l != g->vector)
			open_loop(g, l, l ? "0" : "first", l ? bound(g, l, true) : "last");
	if (g->form == SR_NEST_FORM_COLUMNS) {
		const char *first = g->vector ? "0" : "first";
		struct sr_buf last;
		sr_buf_init(&last, g->arena);
		sr_buf_int(&last, r->extent[g->vector]);
		const char *end = g->vector ? sr_buf_string(&last) : "last";
		indent(g);
		sr_buf_printf(g->out, "for (int64_t c = %s; c < %s; c += %lld) {\n", first, end, (long long)g->width);
		g->depth++;
		indent(g);
		sr_buf_printf(g->out, "const int64_t h = c + %lld < %s ? c + %lld : %s;\n", (long long)g->width, end, (long long)g->width, end);
	}
	arrays(g);
	for (int s = 0; good && s < n_stages; s++)
		good = stage(g, s);
	while (g->depth > 1)
		close(g);
	sr_buf_puts(g->out, "}\n\n");
	if (reduces)
		sr_buf_puts(g->out, "#if !defined(__clang__)\n#pragma GCC pop_options\n#endif\n\n");
	return good;
}

bool sr_nest_c(const struct sr_nest *t, int number, struct sr_buf *out, struct sr_c_functions *functions, int64_t *pieces)
{
	struct sr_nest_prepared *ready = sr_nest_prepare(t, NULL);
	struct sr_nest_form g = {.t = t, .r = ready, .arena = out->arena, .out = out, .functions = functions};
	bool good = ready && sr_nest_form_select(&g) && function(&g, number);
	*pieces = good && g.r->n_parallel ? (g.r->extent[0] + g.chunk - 1) / g.chunk : 1;
	sr_nest_release(ready);
	return good;
}
