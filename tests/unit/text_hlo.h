/* Third part of tests/unit/text.c, which includes it: HLO text corrupted at every byte, and the opcode table. */
#include "text/hlo/hlo.h"

static const char *const opcode_names[] = {
#define HLO(opcode, builder, op, attributes) opcode,
#define HLO_NO_OP(opcode, builder, attributes) opcode,
#define HLO_UNSUPPORTED(opcode, why) opcode,
#include "text/hlo/ops.def"
};

/* An invalid notation, or an attribute that the op does not have, aborts. */
START_TEST(hlo_opcodes_have_a_notation)
{
	struct sr_hlo h = {.ctx = ctx, .arena = ctx->arena};
	const char *name = opcode_names[_i];
	const struct sr_hlo_opcode *opcode = sr_hlo_opcode_find(name, strlen(name));
	ck_assert_ptr_nonnull(opcode);
	ck_assert_str_eq(opcode->name, name);
	ck_assert_int_gt(sr_hlo_opcode_state_of(&h, opcode)->n_slots, 0);
	if (_i)
		ck_assert_msg(strcmp(opcode_names[_i - 1], name) < 0, "%s stands before %s", opcode_names[_i - 1], name);
}
END_TEST

START_TEST(hlo_is_recognized_by_its_first_word)
{
	static const struct {
		const char *text;
		bool hlo;
	} texts[] = {{"HloModule m", true},   {"HloModule", true},       {"\n// a comment\n/* and\n another */ HloModule m", true},
		     {"HloModules m", false}, {"// HloModule", false},   {"module {\n}\n// HloModule", false},
		     {"", false},             {"/* HloModule m", false}};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		ck_assert_msg(sr_is_hlo(texts[i].text, strlen(texts[i].text)) == texts[i].hlo, "%s", texts[i].text);
}
END_TEST

static const char program[] = "HloModule m, entry_computation_layout={(f32[2,3]{1,0}, (s32[], f32[3]{0}))->f32[2]{0}}\n"
			      "%add (x: f32[], y: f32[]) -> f32[] {\n"
			      "  %x = f32[] parameter(0)\n"
			      "  %y = f32[] parameter(1)\n"
			      "  ROOT %s = f32[] add(f32[] %x, %y), metadata={op_name=\"a/b\" source_line=3}\n"
			      "}\n"
			      "ENTRY main {\n"
			      "  p = f32[2,3]{1,0} parameter(0), sharding={devices=[2,1]<=[2]}\n"
			      "  t = (s32[], f32[3]{0}) parameter(1), sharding={{replicated}, {replicated}}\n"
			      "  v = f32[3]{0} get-tuple-element(t), index=1\n"
			      "  b = f32[2,3]{1,0} broadcast(v), dimensions={1}\n"
			      "  c = f32[2,3]{1,0} constant({ {1, -2.5, nan}, {inf, 0, 1e-3} })\n"
			      "  m = f32[2,3]{1,0} multiply(b, c)\n"
			      "  a = f32[2,3]{1,0} all-reduce(m), channel_id=1, replica_groups=mesh['x'=2] {'x'}, "
			      "use_global_device_ids=true, to_apply=add\n"
			      "  w = f32[2,3]{0,1} bitcast(a)\n"
			      "  z = f32[] constant(0)\n"
			      "  ROOT r = f32[2]{0} reduce(a, z), dimensions={1}, to_apply=add\n"
			      "}\n";

START_TEST(truncated_hlo_is_one_error)
{
	int n_errors;
	ck_assert_int_eq(read_bytes((const unsigned char *)program, sizeof program - 1, &n_errors), SR_OK);
	for (size_t n = strlen("HloModule "); n < sizeof program - 3; n++) {
		enum sr_status status = read_bytes((const unsigned char *)program, n, &n_errors);
		ck_assert_msg(status == SR_INVALID && n_errors == 1, "%zu bytes: status %d, %d errors", n, status, n_errors);
	}
}
END_TEST

START_TEST(hlo_with_any_byte_changed_is_read_or_an_error)
{
	static const char others[] = "{}()[],=0x%\" ";
	unsigned char copy[sizeof program];
	int n_errors;
	for (size_t at = strlen("HloModule "); at < sizeof program - 1; at++) {
		memcpy(copy, program, sizeof program);
		copy[at] = (unsigned char)others[_i];
		enum sr_status status = read_bytes(copy, sizeof program - 1, &n_errors);
		ck_assert_msg((status == SR_OK) == (n_errors == 0), "byte %zu: status %d, %d errors", at, status, n_errors);
	}
}
END_TEST
