/* Read an HLO module in its binary form, xla.HloModuleProto (hlo.proto), alone or within an HloProto or HloSnapshot. JAX's
 * as_serialized_hlo_module_proto(), PyTorch/XLA and XLA's dumps (*.hlo.pb) produce this form.
 *
 * The result is the same as for HLO text, but instructions refer to operands and computations by id instead of name, and
 * attributes are fields (proto_attr.c). Messages name the instruction. Ops have the location of their metadata, or their name. */
#include "text/hlo/hlo.h"
#include <ctype.h>
#include <string.h>

enum { MAX_WRAPPERS = 2 };

/* ---------------------------------------------------------------- format */

/* Return true if the bytes begin with a module's name, followed by the entry computation's name or the first computation. */
static bool looks_like_module(struct sr_proto m)
{
	enum { NAME = 0x0a, ENTRY_NAME = 0x12, COMPUTATION = 0x1a }; /* tags of HloModuleProto's first fields */
	if (m.p >= m.end || *m.p++ != NAME)
		return false;
	uint64_t n = sr_proto_varint(&m);
	if (m.is_malformed || !n || n >= (uint64_t)(m.end - m.p))
		return false;
	for (const uint8_t *end = m.p + n; m.p < end; m.p++)
		if (!isgraph(*m.p))
			return false;
	return *m.p == ENTRY_NAME || *m.p == COMPUTATION;
}

/* Remove the messages around a module: HloProto and HloSnapshot contain the inner message as field 1. Returns false if there is no
 * module. */
static bool unwrap_module(struct sr_proto *m)
{
	struct sr_proto inner = *m;
	for (int i = 0; i <= MAX_WRAPPERS && inner.p < inner.end; i++) {
		if (looks_like_module(inner)) {
			*m = inner;
			return true;
		}
		if (*inner.p++ != 0x0a)
			return false;
		uint64_t n = sr_proto_varint(&inner);
		if (!inner.is_malformed && n < (uint64_t)(inner.end - inner.p))
			inner.end = inner.p + n;
	}
	return false;
}

bool sr_is_hlo_proto(const char *bytes, size_t n)
{
	struct sr_proto m = sr_proto_of(bytes, n);
	return unwrap_module(&m);
}

/* ---------------------------------------------------------------- names and ids */

/* Return a name in which characters that are not allowed in HLO text are replaced by _. */
static const char *sanitized_name(struct sr_hlo *h, const struct sr_proto_field *f)
{
	char *name = sr_strndup(h->arena, f->n ? (const char *)f->bytes : "_", f->n ? f->n : 1);
	for (char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("_.-$", *c))
			*c = '_';
	return sr_intern(h->ctx, name);
}

/* Return an id as a key of a map, where keys cannot be NULL. */
static const void *id_key(int64_t id)
{
	return (const void *)(intptr_t)(id == -1 ? INT64_MIN : id + (id >= 0));
}

const char *sr_hlo_computation_name(const struct sr_hlo *h, int64_t id)
{
	return sr_map_get(&h->computation_ids, id_key(id));
}

/* ---------------------------------------------------------------- instructions */

struct instruction_fields { /* fields of an instruction that are not attributes */
	struct sr_proto shape, literal;
	const char *opcode;
	int64_t id, number;
	sr_integers operands;
};

static void read_instruction_fields(struct sr_hlo *h, struct sr_proto m, struct sr_hlo_instruction *in,
				    struct instruction_fields *fields)
{
	enum { NAME = 1, OPCODE = 2, SHAPE = 3, LITERAL = 8, NUMBER = 9, ID = 35, OPERANDS = 36, CALLED = 38 };
	h->called_ids.n = 0;
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);)
		switch (f.number) {
		case NAME:
			in->name = sanitized_name(h, &f);
			h->p.subject = sr_printf(h->arena, "%%%s", in->name);
			break;
		case OPCODE:
			fields->opcode = sr_proto_string(h->arena, &f);
			break;
		case SHAPE:
			fields->shape = sr_proto_message(&f);
			break;
		case LITERAL:
			fields->literal = sr_proto_message(&f);
			break;
		case NUMBER:
			fields->number = sr_proto_int(&f);
			break;
		case ID:
			fields->id = sr_proto_int(&f);
			break;
		case OPERANDS:
			sr_hlo_field_integers(h, &f, &fields->operands);
			break;
		case CALLED:
			sr_hlo_field_integers(h, &f, &h->called_ids);
			break;
		}
}

static void read_instruction(struct sr_hlo *h, struct sr_hlo_computation *c, struct sr_map *ids, struct sr_proto m)
{
	struct instruction_fields fields = {.opcode = ""};
	struct sr_hlo_instruction in = {.name = "_", .position = ""};
	h->p.subject = sr_printf(h->arena, "instruction %zu of %%%s", c->instructions.n, c->name);
	read_instruction_fields(h, m, &in, &fields);
	in.shape = sr_hlo_proto_shape(h, fields.shape);
	sr_hlo_set_opcode(h, &in, fields.opcode);
	for (size_t i = 0; i < fields.operands.n; i++) {
		intptr_t index = (intptr_t)sr_map_get(ids, id_key(fields.operands.data[i]));
		if (!index)
			sr_parser_fail(&h->p, NULL, "operand %zu has the id %lld, which is not defined before its use", i,
				       (long long)fields.operands.data[i]);
		sr_push(h->arena, &in.operands, (int)index - 1);
	}
	if (in.opcode->build == sr_hlo_build_parameter)
		sr_hlo_add_parameter(h, c, &in, fields.number, NULL);
	if (in.opcode->build == sr_hlo_build_constant)
		sr_hlo_proto_literal(h, fields.literal, in.shape, &in.constants);
	h->computation = c;
	sr_hlo_proto_attrs(h, &in, m);
	if (sr_map_has(ids, id_key(fields.id)))
		sr_parser_fail(&h->p, NULL, "two instructions have the id %lld", (long long)fields.id);
	sr_push(h->arena, &c->instructions, in);
	sr_map_put(ids, id_key(fields.id), (void *)(intptr_t)c->instructions.n);
}

const struct sr_hlo_shape *sr_hlo_operand_shape(const struct sr_hlo *h, const struct sr_hlo_instruction *in, size_t i)
{
	return h->computation->instructions.data[in->operands.data[i]].shape;
}

/* ---------------------------------------------------------------- computations */

enum { COMPUTATION_NAME = 1, INSTRUCTION = 2, COMPUTATION_ID = 5, ROOT_ID = 6 };

static void register_computation(struct sr_hlo *h, struct sr_proto m)
{
	const char *name = "_";
	int64_t id = 0;
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);) {
		if (f.number == COMPUTATION_NAME)
			name = sanitized_name(h, &f);
		if (f.number == COMPUTATION_ID)
			id = sr_proto_int(&f);
	}
	if (sr_map_has(&h->computation_ids, id_key(id)))
		sr_parser_fail(&h->p, NULL, "two computations have the id %lld", (long long)id);
	sr_map_put(&h->computation_ids, id_key(id), (void *)name);
}

static void read_computation(struct sr_hlo *h, struct sr_proto m, bool has_entry_id, int64_t entry_id)
{
	struct sr_hlo_computation *c = SR_NEW(h->arena, struct sr_hlo_computation);
	struct sr_map ids;
	struct sr_proto first_pass = m;
	int64_t id = 0, root = -1;
	bool has_root = false;
	sr_map_init(&ids, h->arena);
	sr_map_init(&c->names, h->arena);
	c->name = "_";
	c->position = "";
	c->root = -1;
	for (struct sr_proto_field f; sr_hlo_next_field(h, &first_pass, &f);) {
		if (f.number == COMPUTATION_NAME)
			c->name = sanitized_name(h, &f);
		if (f.number == COMPUTATION_ID)
			id = sr_proto_int(&f);
		if (f.number == ROOT_ID)
			root = sr_proto_int(&f), has_root = true;
	}
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);)
		if (f.number == INSTRUCTION)
			read_instruction(h, c, &ids, sr_proto_message(&f));
	h->p.subject = sr_printf(h->arena, "computation %%%s", c->name);
	if (has_root && c->instructions.n) {
		c->root = (int)(intptr_t)sr_map_get(&ids, id_key(root)) - 1;
		if (c->root < 0)
			sr_parser_fail(&h->p, NULL, "its root has the id %lld, which no instruction has", (long long)root);
	}
	sr_hlo_add_computation(h, c, NULL, has_entry_id && id == entry_id);
}

/* ---------------------------------------------------------------- the module's own fields */

/* Read xla.ProgramShapeProto, the shapes of the entry computation. */
static void read_program_shape(struct sr_hlo *h, struct sr_proto m)
{
	enum { PARAMETER = 1, RESULT = 2 };
	sr_hlo_shapes parameters = {0};
	const struct sr_hlo_shape *result = NULL;
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);) {
		if (f.number == PARAMETER)
			sr_push(h->arena, &parameters, sr_hlo_proto_shape(h, sr_proto_message(&f)));
		if (f.number == RESULT)
			result = sr_hlo_proto_shape(h, sr_proto_message(&f));
	}
	if (!result)
		return;
	h->layout_text = "";
	h->arguments = sr_hlo_tuple_shape(h, &parameters, NULL);
	h->results = result;
}

/* Read the entries of xla.HloInputOutputAliasProto, or (has_output false) of xla.HloBufferDonorProto, whose field numbers are
 * smaller by one. */
static void read_donations(struct sr_hlo *h, struct sr_proto m, bool has_output)
{
	enum { ENTRY = 1 };
	for (struct sr_proto_field f, g; sr_hlo_next_field(h, &m, &f);) {
		struct sr_proto entry = sr_proto_message(&f);
		struct sr_hlo_donation d = {.has_output = has_output, .position = ""};
		while (f.number == ENTRY && sr_hlo_next_field(h, &entry, &g)) {
			/* Fields of an alias entry: 1 is the output index, 2 the parameter, 3 the index in the parameter. A donor
			 * has no output index, and its fields are numbered from the parameter on. */
			uint32_t field = g.number + !has_output;
			if (field == 1)
				sr_hlo_field_integers(h, &g, &d.output);
			if (field == 2)
				d.parameter = sr_proto_int(&g);
			if (field == 3)
				sr_hlo_field_integers(h, &g, &d.index);
		}
		if (f.number == ENTRY)
			sr_push(h->arena, &h->donations, d);
	}
}

/* Read the number of replicas and partitions from xla.DeviceAssignmentProto. A number of 1 is ignored, since HLO text does not
 * contain it either. */
static void read_device_assignment(struct sr_hlo *h, struct sr_proto m)
{
	enum { REPLICAS = 1, PARTITIONS = 2 };
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);) {
		int64_t *count = f.number == REPLICAS ? &h->n_replicas : f.number == PARTITIONS ? &h->n_partitions : NULL;
		if (count && sr_proto_int(&f) != 1)
			*count = sr_hlo_check_device_count(h, sr_proto_int(&f), NULL);
	}
}

static void read_frontend(struct sr_hlo *h, struct sr_proto m, uint32_t number)
{
	struct sr_buf text;
	sr_buf_init(&text, h->arena);
	if (!sr_hlo_print_frontend(h, NULL, m, number, NULL, &text))
		return;
	h->at = sr_buf_string(&text);
	h->p.end = h->at + text.n;
	h->frontend_attrs = sr_hlo_frontend(h);
}

/* Read xla.StackFrameIndexProto: rows of four tables, numbered from 1. */
static void read_stack_frames(struct sr_hlo *h, struct sr_proto m)
{
	static const struct {
		uint8_t field, number;
	} columns[SR_HLO_N_ROW_FIELDS] = {
		/* Columns of sr_hlo_add_row for FileLocation (file, line, column) and StackFrame (location, parent). */
		{3, 1}, {3, 3}, {3, 4}, {4, 1}, {4, 2}};
	int64_t n[5] = {0};
	for (struct sr_proto_field f, g; sr_hlo_next_field(h, &m, &f);) {
		int64_t values[SR_HLO_N_ROW_FIELDS] = {0};
		if (f.number > 4)
			continue;
		const char *text = f.number <= 2 ? sr_intern_n(h->ctx, f.n ? (const char *)f.bytes : "", f.n) : NULL;
		struct sr_proto row = text ? (struct sr_proto){0} : sr_proto_message(&f);
		while (sr_hlo_next_field(h, &row, &g))
			for (int i = 0; i < SR_HLO_N_ROW_FIELDS; i++)
				if (columns[i].field == f.number && columns[i].number == g.number)
					values[i] = sr_proto_int(&g);
		sr_hlo_add_row(h, (int)f.number - 1, ++n[f.number], text, values);
	}
}

static void read_module(struct sr_hlo *h, struct sr_proto m)
{
	enum { NAME = 1, ENTRY_NAME = 2, COMPUTATION = 3, SHAPE = 4, ENTRY_ID = 6, SCHEDULE = 7, ALIAS = 8, DEVICES = 15, FRAMES = 17,
	       DONORS = 18, FRONTEND = 19 };
	struct sr_proto first_pass = m;
	int64_t entry_id = 0;
	bool has_entry_id = false;
	h->p.subject = "HLO module";
	h->name = "_";
	for (struct sr_proto_field f; sr_hlo_next_field(h, &first_pass, &f);) {
		struct sr_proto submessage = sr_proto_message(&f);
		if (f.number == NAME)
			h->name = sr_intern(h->ctx, sr_proto_string(h->arena, &f));
		else if (f.number == COMPUTATION)
			register_computation(h, submessage);
		else if (f.number == SHAPE)
			read_program_shape(h, submessage);
		else if (f.number == ENTRY_ID)
			entry_id = sr_proto_int(&f), has_entry_id = true;
		else if (f.number == SCHEDULE)
			/* A schedule means the same as is_scheduled=true in HLO text: the partitioner has run. */
			h->is_partitioned = true;
		else if (f.number == ALIAS || f.number == DONORS)
			read_donations(h, submessage, f.number == ALIAS);
		else if (f.number == DEVICES)
			read_device_assignment(h, submessage);
		else if (f.number == FRAMES)
			read_stack_frames(h, submessage);
	}
	read_frontend(h, m, FRONTEND);
	for (struct sr_proto_field f; sr_hlo_next_field(h, &m, &f);)
		if (f.number == COMPUTATION)
			read_computation(h, sr_proto_message(&f), has_entry_id, entry_id);
	h->p.subject = "HLO module";
	if (!h->last_computation)
		sr_parser_fail(&h->p, NULL, "it has no computation");
	if (has_entry_id && !h->entry)
		sr_parser_fail(&h->p, NULL, "its entry computation has the id %lld, which no computation has", (long long)entry_id);
}

enum sr_status sr_parse_hlo_proto(struct sr_context *ctx, const char *file, const char *bytes, size_t n, struct sr_op **module)
{
	struct sr_proto m = sr_proto_of(bytes, n);
	struct sr_hlo *h = sr_hlo_new(ctx, file, "", 0, 0);
	sr_map_init(&h->computation_ids, h->arena);
	h->p.subject = "HLO module";
	if (setjmp(h->p.error_jump))
		return h->status;
	if (!unwrap_module(&m))
		sr_hlo_malformed(h);
	read_module(h, m);
	return sr_hlo_emit_module(h, module);
}
