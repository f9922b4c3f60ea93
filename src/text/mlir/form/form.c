/* Compile the FORM column of the op table (see form.h), and find the operands and results of a slot of an op's signature. */
#include "support/bug.h"
#include "support/thread.h"
#include "support/vec.h"
#include "text/mlir/form/form.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const form_texts[SR_OP_COUNT] = {
#define OP(dialect, name, signature, attributes) [SR_OP_##dialect##_##name] =
#define FORM(text) text,
#include "dialect/table/all.ops"
};

static const struct {
	const char *name;
	void (*parse)(struct sr_parser *p, struct sr_op_state *s);
	void (*print)(struct sr_printer *out, const struct sr_op *op);
} custom_forms[] = {
	{"CUSTOM(module)", sr_parse_module, sr_print_module}, {"CUSTOM(func)", sr_parse_func, sr_print_func},
	{"CUSTOM(constant)", sr_parse_constant, sr_print_constant}, {"CUSTOM(reduce)", sr_parse_reduce, sr_print_reduce},
	{"CUSTOM(while)", sr_parse_while, sr_print_while}, {"CUSTOM(scan)", sr_parse_scan, sr_print_scan},
};

struct compiler {
	const struct sr_op_info *info;
	const char *at;
	struct sr_arena *arena;
	SR_VEC(struct sr_form_element) elements;
	struct sr_form *form;
};

static _Noreturn void table_error(const struct compiler *c, const char *problem, const char *name)
{
	sr_bug("op table: FORM of %s: %s '%s'", c->info->name, problem, name);
}

int sr_slot_find(const struct sr_slot *slots, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(slots[i].name, name))
			return i;
	return -1;
}

int sr_attr_slot_find(const struct sr_signature *sig, const char *name)
{
	for (int i = 0; i < sig->n_attrs; i++)
		if (!strcmp(sig->attrs[i].name, name))
			return i;
	return -1;
}

static struct sr_form_element *add_element(struct compiler *c, enum sr_form_element_kind kind)
{
	sr_push(c->arena, &c->elements, (struct sr_form_element){.kind = kind});
	return &c->elements.data[c->elements.n - 1];
}

static void mark_listed_attr(struct compiler *c, const char *name)
{
	int slot = sr_attr_slot_find(c->info->signature, name);
	if (slot >= 0)
		c->form->listed_attrs |= (uint64_t)1 << slot;
}

static void add_args(struct compiler *c, struct sr_form_element *element, const char *s, const char *end)
{
	while (s < end) {
		size_t n = strcspn(s, " >");
		if (n && s + n <= end) {
			if (element->n_args == SR_MAX_DIRECTIVE_ARGS)
				table_error(c, "too many names for directive", element->directive->name);
			const char *name = sr_strndup(c->arena, s, n);
			element->args[element->n_args++] = name;
			mark_listed_attr(c, name);
		}
		s += n + 1;
	}
}

static void compile_directive(struct compiler *c)
{
	const char *start = ++c->at, *end = strchr(start, '>');
	if (!end)
		table_error(c, "no end of directive", start);
	size_t n = strcspn(start, " >");
	for (const struct sr_directive *d = sr_directives; d->name; d++)
		if (strlen(d->name) == n && !memcmp(d->name, start, n)) {
			struct sr_form_element *element = add_element(c, SR_FORM_DIRECTIVE);
			element->directive = d;
			if (start + n < end)
				add_args(c, element, start + n + 1, end);
			else if (d->args)
				add_args(c, element, d->args, d->args + strlen(d->args));
			c->at = end + 1;
			return;
		}
	table_error(c, "unknown directive", sr_strndup(c->arena, start, n));
}

static void compile_name(struct compiler *c)
{
	size_t n = strcspn(c->at, " `()<>");
	const char *name = sr_strndup(c->arena, c->at, n);
	const struct sr_signature *sig = c->info->signature;
	int slot;
	c->at += n;
	if (!n)
		table_error(c, "unexpected character", c->at);
	if (!strcmp(name, "attr-dict"))
		add_element(c, SR_FORM_ATTR_DICT);
	else if (!strcmp(name, "operands") && sr_slot_find(sig->operands, sig->n_operands, name) < 0)
		add_element(c, SR_FORM_OPERANDS);
	else if ((slot = sr_attr_slot_find(sig, name)) >= 0)
		add_element(c, SR_FORM_ATTR)->slot = slot, mark_listed_attr(c, name);
	else if ((slot = sr_slot_find(sig->operands, sig->n_operands, name)) >= 0)
		add_element(c, SR_FORM_OPERAND)->slot = slot;
	else if ((slot = sr_slot_find(sig->regions, sig->n_regions, name)) >= 0)
		add_element(c, SR_FORM_REGION)->slot = slot;
	else
		table_error(c, "unknown name", name);
}

static void compile_sequence(struct compiler *c, bool in_group);

static void compile_group(struct compiler *c)
{
	size_t group_start = c->elements.n;
	add_element(c, SR_FORM_GROUP);
	c->at++;
	compile_sequence(c, true);
	if (strncmp(c->at, ")?", 2))
		table_error(c, "group without )?", c->at);
	c->at += 2;
	add_element(c, SR_FORM_GROUP_END);
	struct sr_form_element *element = &c->elements.data[group_start];
	element->end_index = (int)c->elements.n;
	element->anchor = -1;
	for (size_t i = group_start + 1; i < c->elements.n && element->anchor < 0; i++) {
		const struct sr_form_element *s = &c->elements.data[i];
		if (s->kind == SR_FORM_OPERAND || s->kind == SR_FORM_ATTR || s->kind == SR_FORM_REGION ||
		    (s->kind == SR_FORM_DIRECTIVE && strcmp(s->directive->name, "space") != 0))
			element->anchor = (int)i;
	}
	if (element->anchor < 0)
		table_error(c, "group without anchor", c->at);
	if (element[1].kind == SR_FORM_LITERAL)
		element->text = element[1].text;
}

static void compile_sequence(struct compiler *c, bool in_group)
{
	for (;;) {
		c->at += strspn(c->at, " ");
		if (!*c->at || (in_group && *c->at == ')'))
			return;
		if (*c->at == '`') {
			const char *end = strchr(++c->at, '`');
			if (!end)
				table_error(c, "no end of literal", c->at);
			if (end == c->at)
				add_element(c, SR_FORM_NO_SPACE);
			else
				add_element(c, SR_FORM_LITERAL)->text = sr_strndup(c->arena, c->at, (size_t)(end - c->at));
			c->at = end + 1;
		} else if (*c->at == '<') {
			compile_directive(c);
		} else if (*c->at == '(') {
			compile_group(c);
		} else {
			compile_name(c);
		}
	}
}

static const struct sr_form *compile_form(const struct sr_op_info *info, struct sr_arena *arena)
{
	struct sr_form *form = SR_NEW(arena, struct sr_form);
	const char *text = form_texts[info->code];
	form->is_generic = !strcmp(text, "GENERIC");
	if (form->is_generic)
		return form;
	struct compiler c = {.info = info, .at = text, .arena = arena, .form = form};
	if (!strncmp(text, "CUSTOM(", 7)) {
		for (size_t i = 0; i < sizeof custom_forms / sizeof custom_forms[0]; i++)
			if (!strcmp(custom_forms[i].name, text)) {
				form->parse = custom_forms[i].parse;
				form->print = custom_forms[i].print;
				return form;
			}
		table_error(&c, "unknown function", text);
	}
	compile_sequence(&c, false);
	form->elements = c.elements.data;
	form->n = (int)c.elements.n;
	return form;
}

/* Compiled forms, shared by all contexts. The first thread that needs a form compiles it under the lock; the form never changes. */
static const struct sr_form *_Atomic forms[SR_OP_COUNT];
static pthread_mutex_t forms_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sr_arena *form_arena; /* arena of all compiled forms; used under the lock; never freed */

static enum sr_status compile_once(void *data)
{
	const struct sr_op_info *info = data;
	if (!forms[info->code])
		forms[info->code] = compile_form(info, form_arena);
	return SR_OK;
}

const struct sr_form *sr_form_of(struct sr_context *ctx, const struct sr_op_info *info)
{
	const struct sr_form *form = atomic_load_explicit(&forms[info->code], memory_order_acquire);
	if (form)
		return form;
	pthread_mutex_lock(&forms_lock);
	if (!form_arena)
		form_arena = sr_arena_new();
	if (form_arena)
		(void)sr_arena_guarded(form_arena, compile_once, (void *)(uintptr_t)info);
	form = forms[info->code];
	pthread_mutex_unlock(&forms_lock);
	if (!form)
		sr_arena_unwind(ctx->arena);
	return form;
}

static void count_slot_values(const struct sr_slot *slots, int n_slots, int n_values, const struct sr_op *op,
			      const char *sizes_name, int *counts)
{
	int64_t n_sizes, segments[SR_MAX_OPERAND_GROUPS];
	const int64_t *sizes = sr_op_segment_sizes(op, sizes_name, segments, &n_sizes);
	if (sr_slots_count(slots, n_slots, n_values, sizes, n_sizes, counts))
		return;
	for (int i = 0; i < n_slots; i++) /* put all values of an invalid op into the first slot */
		counts[i] = i ? 0 : n_values;
}

static void find_slot_range(const struct sr_slot *slots, int n_slots, int n_values, const struct sr_op *op, const char *sizes,
			    int slot, int *first, int *n)
{
	int counts[SR_MAX_SLOTS];
	count_slot_values(slots, n_slots, n_values, op, sizes, counts);
	*first = 0;
	for (int i = 0; i < slot; i++)
		*first += counts[i];
	*n = counts[slot];
}

void sr_operands_of(const struct sr_op *op, int slot, int *first, int *n)
{
	const struct sr_signature *sig = op->info->signature;
	find_slot_range(sig->operands, sig->n_operands, op->n_operands, op, "operandSegmentSizes", slot, first, n);
}

void sr_results_of(const struct sr_op *op, int slot, int *first, int *n)
{
	const struct sr_signature *sig = op->info->signature;
	find_slot_range(sig->results, sig->n_results, op->n_results, op, "resultSegmentSizes", slot, first, n);
}
