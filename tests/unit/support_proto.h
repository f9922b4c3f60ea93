/* Part of tests/unit/support.c, which includes it: the wire format of protocol buffers. */
#include "support/proto.h"

/* The message {1: 150, 2: "testing", 3: packed [3, 270, 86942], 4: 1.5f, 5: -2.0, 6: -1, 3: 7}, encoded as the format's
 * specification says. */
static const uint8_t message_bytes[] = {
	0x08, 0x96, 0x01,
	0x12, 0x07, 't', 'e', 's', 't', 'i', 'n', 'g',
	0x1a, 0x06, 0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05,
	0x25, 0, 0, 0xc0, 0x3f,
	0x29, 0, 0, 0, 0, 0, 0, 0, 0xc0,
	0x30, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01,
	0x18, 0x07,
};

START_TEST(messages_are_read)
{
	struct sr_proto m = sr_proto_of(message_bytes, sizeof message_bytes);
	struct sr_proto_field f;
	sr_integers list = {0};
	int n = 0;
	for (; sr_proto_next(&m, &f); n++) {
		if (f.number == 1)
			ck_assert_int_eq(sr_proto_int(&f), 150);
		if (f.number == 2)
			ck_assert_str_eq(sr_proto_string(arena, &f), "testing");
		if (f.number == 3)
			ck_assert(sr_proto_integers(arena, &f, &list));
		if (f.number == 4)
			ck_assert_float_eq(sr_proto_float(&f), 1.5f);
		if (f.number == 5)
			ck_assert_double_eq(sr_proto_double(&f), -2.0);
		if (f.number == 6)
			ck_assert_int_eq(sr_proto_int(&f), -1);
	}
	ck_assert(!m.is_malformed);
	ck_assert_int_eq(n, 7);
	ck_assert_uint_eq(list.n, 4);
	static const int64_t expected[] = {3, 270, 86942, 7};
	ck_assert_mem_eq(list.data, expected, sizeof expected);
}
END_TEST

START_TEST(truncated_messages_end)
{
	static const size_t field_ends[] = {0, 3, 12, 20, 25, 34, 45, 47}; /* ends of fields, at which a message may end */
	for (size_t n = 0, next = 0; n <= sizeof message_bytes; n++) {
		struct sr_proto m = sr_proto_of(message_bytes, n);
		struct sr_proto_field f;
		while (sr_proto_next(&m, &f))
			;
		ck_assert_int_eq(m.is_malformed, n != field_ends[next]);
		next += n == field_ends[next];
	}
}
END_TEST

START_TEST(malformed_messages_are_refused)
{
	static const struct {
		const char *bytes;
		size_t n;
	} bad[] = {
		{"\x00\x01", 2},                                         /* refused: field number 0 */
		{"\x0b\x0c", 2},                                         /* refused: a group, which is not supported */
		{"\x0f", 1},                                             /* refused: wire type 7, which does not exist */
		{"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11},    /* refused: a length that exceeds the message */
		{"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12}, /* refused: a varint of 11 bytes, which is too long */
		{"\x88\x80\x80\x80\x80\x80\x01\x00", 8},                 /* refused: a field number of more than 29 bits */
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct sr_proto m = sr_proto_of(bad[i].bytes, bad[i].n);
		struct sr_proto_field f;
		ck_assert_msg(!sr_proto_next(&m, &f) && m.is_malformed, "message %zu", i);
		ck_assert(!sr_proto_next(&m, &f));
	}
	sr_integers list = {0};
	struct sr_proto m = sr_proto_of("\x0a\x02\x05\x80", 4); /* refused: a packed list that ends inside its last element */
	struct sr_proto_field f;
	ck_assert(sr_proto_next(&m, &f));
	ck_assert(!sr_proto_integers(arena, &f, &list));
	ck_assert_uint_eq(list.n, 1);
}
END_TEST

START_TEST(written_messages_are_read_back)
{
	struct sr_buf out, inner_message;
	sr_buf_init(&out, arena);
	sr_buf_init(&inner_message, arena);
	static const int64_t values[] = {0, 1, 127, 128, INT64_MAX, INT64_MIN, -1};
	sr_proto_put_integers(&inner_message, 3, values, 7);
	sr_proto_put_integers(&inner_message, 4, NULL, 0);
	sr_proto_put_int(&out, 1, 1);
	sr_proto_put_bytes(&out, 5, inner_message.data, inner_message.n);
	sr_proto_put_bytes(&out, 600, "", 0);
	struct sr_proto m = sr_proto_of(out.data, out.n), nested = {0};
	struct sr_proto_field f;
	sr_integers list = {0};
	ck_assert(sr_proto_next(&m, &f) && f.number == 1 && sr_proto_bool(&f));
	ck_assert(sr_proto_next(&m, &f) && f.number == 5);
	nested = sr_proto_message(&f);
	ck_assert(sr_proto_next(&m, &f) && f.number == 600 && !f.n);
	ck_assert(!sr_proto_next(&m, &f) && !m.is_malformed);
	ck_assert(sr_proto_next(&nested, &f) && f.number == 3 && sr_proto_integers(arena, &f, &list));
	ck_assert(!sr_proto_next(&nested, &f) && !nested.is_malformed);
	ck_assert_uint_eq(list.n, 7);
	ck_assert_mem_eq(list.data, values, sizeof values);
}
END_TEST
