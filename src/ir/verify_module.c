/* Verify a module, in two steps.
 *
 * Structure: registered names, terminators present and last, unique symbols, then each op's own verifier; an op is checked
 * before the ops inside it. The first error inside an isolated op ends the check of that op, since later errors tend to be
 * consequences; other functions are still checked. Dominance, only if the structure is valid: operands are defined before their
 * uses in the same or an enclosing block, and isolated regions do not use outside values. */
#include "ir/ir.h"
#include <string.h>

struct verifier {
	struct sr_context *ctx;
	bool has_failed;
	uint64_t context_hash; /* hash of those properties of the enclosing ops on which checks of an op depend (mix_context) */
};

/* ---------------------------------------------------------------- structure */

static bool has_trait(const struct sr_op *op, uint32_t trait)
{
	return (op->info->traits & trait) != 0;
}

/* ---- fingerprints */

static uint64_t mix_pointer(uint64_t h, const void *p)
{
	return sr_hash_mix(h, (uint64_t)(uintptr_t)p);
}

/* Hash an op without its regions. Attributes and types are interned, so their addresses identify them. */
static uint64_t mix_op_without_regions(uint64_t h, const struct sr_op *op)
{
	h = mix_pointer(mix_pointer(h, op), op->info);
	for (int i = 0; i < op->n_attrs; i++)
		h = mix_pointer(mix_pointer(h, op->attrs[i].name), op->attrs[i].value);
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_value *v = sr_operand(op, i);
		h = mix_pointer(mix_pointer(h, v), v ? v->type : NULL);
	}
	for (int i = 0; i < op->n_results; i++)
		h = mix_pointer(h, op->results[i].type);
	return h;
}

static uint64_t mix_op(uint64_t h, const struct sr_op *op)
{
	h = mix_op_without_regions(h, op);
	for (int i = 0; i < op->n_regions; i++)
		for (const struct sr_block *b = op->regions[i].first; b; b = b->next) {
			h = mix_pointer(h, b);
			for (int k = 0; k < b->n_args; k++)
				h = mix_pointer(h, b->args[k]->type);
			for (const struct sr_op *inner = b->first; inner; inner = inner->next)
				h = mix_op(h, inner);
		}
	return mix_pointer(h, NULL);
}

uint64_t sr_op_fingerprint(const struct sr_op *root)
{
	return mix_op(0, root);
}

/* Hash the data of `op` that verifiers of ops inside it may read: the op without its regions, and symbols in its region that have
 * no regions, such as meshes. */
static uint64_t mix_context(uint64_t h, const struct sr_op *op)
{
	h = mix_op_without_regions(h, op);
	const struct sr_op *inner = has_trait(op, SR_SYMBOL_TABLE) && op->n_regions && op->regions[0].first ? op->regions[0].first->first : NULL;
	for (; inner; inner = inner->next)
		if (has_trait(inner, SR_SYMBOL) && !inner->n_regions)
			h = mix_op_without_regions(h, inner);
	return h;
}

/* ---- single ops */

static bool dialect_is_registered(const struct sr_context *ctx, const char *dialect)
{
	const struct sr_map *infos = ctx->registry ? &ctx->registry->infos : &ctx->infos;
	for (size_t i = 0; i < infos->n; i++) {
		const struct sr_op_info *info = infos->entries[i].value;
		if (info->code != 0 && strcmp(info->dialect, dialect) == 0)
			return true;
	}
	return false;
}

static bool check_registered(struct sr_context *ctx, struct sr_op *op)
{
	if (op->info->code != 0 || op->info->signature || op->info->traits)
		return true;
	if (dialect_is_registered(ctx, op->info->dialect))
		sr_error(&ctx->diags, SR_INVALID, sr_loc_source(op->loc),
			 "unregistered operation '%s' found in dialect ('%s') that does not allow unknown operations",
					op->info->name,
			 op->info->dialect);
	else if (!ctx->allow_unregistered)
		sr_op_error(op, &ctx->diags, SR_INVALID,
			    "created with unregistered dialect; use -allow-unregistered-dialect if this is intended");
	else
		return true;
	return false;
}

static bool check_terminator_position(struct sr_context *ctx, struct sr_op *op)
{
	if (!has_trait(op, SR_TERMINATOR) || !op->block || op->block->last == op)
		return true;
	sr_op_error(op, &ctx->diags, SR_INVALID, "must be the last operation in the parent block");
	return false;
}

/* Check that a block ends with a terminator, unless its owner needs none. */
static bool check_block(struct sr_context *ctx, struct sr_op *owner, const struct sr_block *block)
{
	bool is_unregistered = owner->info->code == 0 && !owner->info->signature && !owner->info->traits;
	if (has_trait(owner, SR_NO_TERMINATOR) || (is_unregistered && block->prev == NULL && block->next == NULL))
		return true;
	if (!block->last) {
		sr_error(&ctx->diags, SR_INVALID, sr_loc_source(owner->loc), "empty block: expect at least a terminator");
		return false;
	}
	if (has_trait(block->last, SR_TERMINATOR) || (block->last->info->code == 0 && !block->last->info->traits))
		return true;
	sr_error(&ctx->diags, SR_INVALID, sr_loc_source(block->last->loc), "block with no terminator, has '%s'",
		 block->last->info->name);
	return false;
}

static bool check_symbols(struct sr_context *ctx, struct sr_op *table)
{
	struct sr_map symbols;
	bool is_valid = true;
	sr_map_init(&symbols, ctx->arena);
	struct sr_op *first = table->n_regions && table->regions[0].first ? table->regions[0].first->first : NULL;
	for (struct sr_op *op = first; op; op = op->next) {
		const char *name = sr_symbol_name(op);
		if (!name || !has_trait(op, SR_SYMBOL))
			continue;
		struct sr_op *old = sr_map_get(&symbols, name);
		if (old) {
			sr_error(&ctx->diags, SR_INVALID, sr_loc_source(op->loc), "redefinition of symbol named '%s'", name);
			sr_report(&ctx->diags, SR_NOTE, sr_loc_source(old->loc), "see existing symbol definition here");
			is_valid = false;
		}
		sr_map_put(&symbols, name, op);
	}
	return is_valid;
}

/* Check sym_visibility. A declaration must not be public, since another module defines it. */
static bool check_visibility(struct sr_context *ctx, struct sr_op *op)
{
	static const char *const known_visibilities[] = {"public", "private", "nested"};
	const struct sr_attr *a = sr_op_attr(op, "sym_visibility");
	bool is_valid = !a, is_public = !a;
	if (a && a->kind != SR_ATTR_STRING) {
		sr_op_error(op, &ctx->diags, SR_INVALID, "requires visibility attribute 'sym_visibility' to be a string attribute");
		return false;
	}
	for (size_t i = 0; a && i < sizeof known_visibilities / sizeof *known_visibilities; i++)
		if (!strcmp(a->s, known_visibilities[i]))
			is_valid = true, is_public = i == 0;
	if (!is_valid)
		sr_op_error(op, &ctx->diags, SR_INVALID,
			    "visibility expected to be one of [\"public\", \"private\", \"nested\"], but got \"%s\"", a->s);
	else if (is_public && op->n_regions == 1 && !op->regions[0].first)
		sr_op_error(op, &ctx->diags, SR_INVALID, "symbol declaration cannot have public visibility");
	else
		return true;
	return false;
}

/* Return true if the op was verified before and has not changed since. This is known only for pure ops without regions, which
 * depend only on themselves and their context. It saves most of the cost of verification between passes. */
static bool is_known_valid(const struct verifier *v, struct sr_op *op, uint64_t *state)
{
	bool is_independent = has_trait(op, SR_PURE) && !has_trait(op, SR_TERMINATOR) && !op->n_regions;
	*state = is_independent ? mix_op_without_regions(v->context_hash, op) : 0;
	return is_independent && *state == op->verified_fingerprint;
}

static bool check_op(const struct verifier *v, struct sr_op *op)
{
	struct sr_context *ctx = v->ctx;
	int n_errors_before = ctx->diags.n_errors;
	uint64_t state;
	if (is_known_valid(v, op, &state))
		return true;
	if (!check_registered(ctx, op) || !check_terminator_position(ctx, op))
		return false;
	if (!op->info->verify || op->info->verify(ctx, op, &ctx->diags) == SR_OK) {
		op->verified_fingerprint = state;
		return !has_trait(op, SR_SYMBOL) || check_visibility(ctx, op);
	}
	if (ctx->diags.n_errors == n_errors_before)
		sr_op_error(op, &ctx->diags, SR_INVALID, "is not valid");
	return false;
}

/* Verify an op and the ops inside it. Return false if an error was found that ends the check of the enclosing op. */
static bool verify_structure(struct verifier *v, struct sr_op *op)
{
	bool is_valid = check_op(v, op);
	uint64_t context_hash = v->context_hash;
	if (op->n_regions)
		v->context_hash = mix_context(context_hash, op);
	for (int i = 0; is_valid && i < op->n_regions; i++)
		for (struct sr_block *b = op->regions[i].first; is_valid && b; b = b->next) {
			is_valid = check_block(v->ctx, op, b);
			for (struct sr_op *inner = b->first; is_valid && inner; inner = inner->next)
				is_valid = verify_structure(v, inner);
		}
	v->context_hash = context_hash;
	if (is_valid && has_trait(op, SR_SYMBOL_TABLE))
		is_valid = check_symbols(v->ctx, op);
	if (is_valid)
		return true;
	v->has_failed = true;
	return has_trait(op, SR_ISOLATED) && op->block;
}

/* ---------------------------------------------------------------- dominance */

static bool is_in_graph_region(const struct sr_block *block)
{
	return block->region && has_trait(block->region->op, SR_GRAPH_REGION);
}

/* A value dominates uses in its own block and inside ops after its definition. Blocks have no successors here, so uses in
 * another block of the same region are accepted, as MLIR accepts unreachable code. */
static bool dominates(const struct sr_value *value, struct sr_op *user)
{
	const struct sr_block *block = sr_value_block(value);
	struct sr_op *at = block ? sr_op_ancestor_in(block, user) : NULL;
	if (!at) {
		if (!block || !block->region)
			return false;
		for (struct sr_block *b = block->region->first; b; b = b->next)
			if (sr_op_ancestor_in(b, user))
				return true;
		return false;
	}
	if (!value->def || is_in_graph_region(block))
		return true;
	return at != value->def && sr_op_is_before(value->def, at);
}

/* Return the isolated op between the definition of a value and its user; NULL if there is none. */
static struct sr_op *isolated_op_between(const struct sr_value *value, const struct sr_op *user)
{
	const struct sr_block *block = sr_value_block(value);
	for (struct sr_op *op = sr_op_parent(user); op; op = sr_op_parent(op)) {
		if (block && block->region && block->region->op == op)
			return NULL;
		if (has_trait(op, SR_ISOLATED))
			return op;
	}
	return NULL;
}

static void report_operand(struct verifier *v, struct sr_op *op, int i)
{
	const struct sr_value *value = sr_operand(op, i);
	struct sr_diags *diags = &v->ctx->diags;
	struct sr_op *isolated_op = isolated_op_between(value, op);
	v->has_failed = true;
	if (isolated_op) {
		sr_op_error(op, diags, SR_INVALID, "using value defined outside the region");
		sr_report(diags, SR_NOTE, sr_loc_source(isolated_op->loc), "required by region isolation constraints");
		return;
	}
	sr_error(diags, SR_INVALID, sr_loc_source(op->loc), "operand #%d does not dominate this use", i);
	if (value->def)
		sr_report(diags, SR_NOTE, sr_loc_source(value->def->loc), "operand defined here%s",
			  sr_value_block(value) == op->block ? " (op in the same block)" : "");
}

static bool verify_uses(void *data, struct sr_op *op)
{
	struct verifier *v = data;
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_value *value = sr_operand(op, i);
		if (!value) {
			sr_op_error(op, &v->ctx->diags, SR_INVALID, "operand #%d is missing", i);
			v->has_failed = true;
		} else if (!dominates(value, op) || (sr_value_block(value) != op->block && isolated_op_between(value, op))) {
			report_operand(v, op, i);
		}
	}
	return true;
}

enum sr_status sr_verify(struct sr_context *ctx, struct sr_op *root)
{
	struct verifier v = {.ctx = ctx};
	verify_structure(&v, root);
	if (!v.has_failed)
		sr_walk(root, verify_uses, &v);
	return v.has_failed ? SR_INVALID : SR_OK;
}
