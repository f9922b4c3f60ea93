/* Decode serialized GSPMD shardings: programs of older JAX versions carry the protobuf message xla.OpSharding (xla_data.proto)
 * in strings. The message is converted to text, which is then parsed and checked.
 *
 *	08 03 1a 02 04 02 22 08 00 04 01 05 02 06 03 07     {devices=[4,2]0,4,1,5,2,6,3,7}
 *
 * Fields that do not affect the tiling (a tile's shape, metadata) are skipped. */
#include "mesh/tiling.h"
#include "support/proto.h"

enum field {
	TYPE = 1, TILE_SHAPE = 2, DIMS = 3, DEVICES = 4, TUPLE = 5, REPLICATE_LAST = 6, METADATA = 7, LAST_DIMS = 8, RESHAPE = 9, PERM = 10,
	GROUPED = 11, GROUP = 12, GROUP_KIND = 13, N_FIELDS, NAMED = 14
};

static void print_list(struct sr_buf *out, const sr_integers *v)
{
	for (size_t i = 0; i < v->n; i++)
		sr_buf_printf(out, "%s%lld", i > 0 ? "," : "", (long long)v->data[i]);
}

static const char *const types[] = {"replicated", "maximal", NULL, "devices=", "manual", "unknown", "unreduced"};
enum { TYPE_MAXIMAL = 1, TYPE_TILED = 3, N_TYPES = sizeof types / sizeof *types };

static void print_kinds(const sr_integers *v, struct sr_buf *out, struct sr_proto *m)
{
	for (size_t i = 0; i < v->n; i++) {
		const char *name = v->data[i] >= 0 && v->data[i] < N_TYPES ? types[v->data[i]] : NULL;
		m->is_malformed = m->is_malformed || !name;
		sr_buf_printf(out, "%s%s", i > 0 ? ", " : " last_tile_dims={", name ? name : "");
	}
	if (v->n > 0)
		sr_buf_putc(out, '}');
}

/* Print a sharding that is not a tuple. `fields` has the values of each field; of a scalar field given several times, the last
 * value counts. */
static void print_message(const sr_integers fields[N_FIELDS], struct sr_buf *out, struct sr_proto *m)
{
	int64_t value[N_FIELDS] = {0};
	for (int i = 0; i < N_FIELDS; i++)
		value[i] = fields[i].n > 0 ? fields[i].data[fields[i].n - 1] : 0;
	const char *name = value[TYPE] >= 0 && value[TYPE] < N_TYPES ? types[value[TYPE]] : NULL;
	m->is_malformed = m->is_malformed || !name;
	sr_buf_printf(out, "{%s", name ? name : "");
	if (value[TYPE] == TYPE_MAXIMAL)
		sr_buf_printf(out, " device=%lld", (long long)value[DEVICES]);
	if (value[TYPE] == TYPE_TILED) {
		sr_buf_putc(out, '[');
		print_list(out, &fields[DIMS]);
		sr_buf_puts(out, fields[RESHAPE].n > 0 ? "]<=[" : "]");
		print_list(out, &fields[fields[RESHAPE].n > 0 ? RESHAPE : DEVICES]);
		sr_buf_puts(out, fields[RESHAPE].n > 0 ? "]" : "");
		/* T(0) is the identity permutation */
		if (fields[PERM].n > 0 && !(fields[PERM].n == 1 && fields[PERM].data[0] == 0)) {
			sr_buf_puts(out, "T(");
			print_list(out, &fields[PERM]);
			sr_buf_putc(out, ')');
		}
		sr_buf_puts(out, value[REPLICATE_LAST] ? " last_tile_dim_replicate" : "");
		print_kinds(&fields[LAST_DIMS], out, m);
	}
	if (value[GROUPED])
		sr_buf_printf(out, " %s %lld", value[GROUP_KIND] == 1 ? "shard_like" : "shard_as", (long long)value[GROUP]);
	sr_buf_putc(out, '}');
}

static void message_text(struct sr_proto *m, struct sr_buf *out, int depth)
{
	enum { MAX_DEPTH = 64, TYPE_TUPLE = 2 };
	sr_integers fields[N_FIELDS] = {0};
	struct sr_buf elements;
	sr_buf_init(&elements, out->arena);
	for (struct sr_proto_field f; sr_proto_next(m, &f);) {
		if (f.number == TUPLE && depth < MAX_DEPTH) {
			struct sr_proto element = sr_proto_message(&f);
			sr_buf_puts(&elements, elements.n > 0 ? ", " : "");
			message_text(&element, &elements, depth + 1);
			m->is_malformed = m->is_malformed || element.is_malformed;
		} else if (f.number < N_FIELDS && f.number != TILE_SHAPE && f.number != METADATA) {
			m->is_malformed = !sr_proto_integers(out->arena, &f, &fields[f.number]);
		} else if (f.number == NAMED) {
			m->is_malformed = true; /* A sharding with named mesh axes would replace all other fields. */
		}
	}
	if (fields[TYPE].n > 0 && fields[TYPE].data[0] == TYPE_TUPLE) {
		sr_buf_printf(out, "{%s}", sr_buf_string(&elements));
	} else {
		print_message(fields, out, m);
	}
}

const char *sr_tiling_text_of_proto(struct sr_arena *arena, const void *bytes, size_t n)
{
	struct sr_proto m = sr_proto_of(bytes, n);
	struct sr_buf out;
	sr_buf_init(&out, arena);
	message_text(&m, &out, 0);
	return m.is_malformed ? NULL : sr_buf_string(&out);
}
