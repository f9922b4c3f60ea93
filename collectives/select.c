/* Selects the algorithm for a call from text rows, the user's before the defaults; the first row that matches and builds is
 * taken. */
#include "collectives/algorithms.h"
#include "support/knobs/knobs.h"
#include <stdlib.h>
#include <string.h>

const struct sr_algorithm sr_algorithms[] = {
#define ALGORITHM(coll, name, in_place, order, builder, precondition, doc, source) \
	{name, SR_##coll, in_place, SR_ORDER_##order, builder, precondition, doc, source},
#include "collectives/algorithms.def"
};
const int sr_n_algorithms = sizeof sr_algorithms / sizeof *sr_algorithms;

/* Thresholds measured with shardbench (doc/guide/collectives.md). Short messages: one round while a member sends at most about 16 kB,
 * logarithmic algorithms if that would be too many messages. Long messages: minimum bytes, narrow floats not widened.
 * "exchange", "ordered" and "direct" reduce in tree order, so up to 16 members a result's bits do not depend on its size. Within
 * a node members read each other's memory. MPI's own collectives are not among the defaults, since their reduction order is not
 * specified. The last row of a collective builds for any call. */
static const char default_text[] =
	"all_reduce:shm:0-16k:@segment#"
	"all_reduce:shm:@segment_blocks#"
	"all_gather:shm:@segment#"
	"reduce_scatter:shm:@segment#"
	"all_to_all:shm:@segment#"
	"permute:shm:@segment#"
	"broadcast:shm:@segment#"
	"*:hierarchical:@hierarchical#"
	"all_reduce:0-32k:2-2:@exchange#"
	"all_reduce:0-8k:3-4:@exchange#"
	"all_reduce:0-2k:5-16:@exchange#"
	"all_reduce:0-2k:17-inf:@recursive_doubling#"
	"all_reduce:0-32k:64-inf:@recursive_doubling#"
	"all_reduce:0-256k:256-inf:@recursive_doubling#"
	"all_reduce:@ordered#"
	"all_gather:0-2k:16-inf:@bruck#"
	"all_gather:0-64k:64-inf:@bruck#"
	"all_gather:@direct#"
	"reduce_scatter:@direct#"
	"all_to_all:0-2k:32-inf:@bruck#"
	"all_to_all:0-inf:64-inf:@pairwise#"
	"all_to_all:@direct#"
	"permute:@direct#"
	"broadcast:64k-inf:4-inf:@scatter_gather#"
	"broadcast:@binomial";

struct selection_row {
	int coll; /* SR_COLL_COUNT if the row is for any collective */
	int64_t from_bytes, to_bytes;
	int64_t from_members, to_members;
	enum sr_dtype type; /* SR_DTYPE_NONE if the row is for any type */
	enum sr_carrier carrier;
	const char *name;
	size_t n_name;
};

struct sr_selection {
	struct selection_row *rows;
	int n;
};

static const char *const carrier_names[SR_CARRIER_COUNT] = {[SR_CARRIER_MPI] = "mpi", [SR_CARRIER_SHM] = "shm",
							 [SR_CARRIER_HIERARCHICAL] = "hierarchical"};

/* A part of the text between separators. */
struct word {
	const char *s;
	size_t n;
};

static struct word next_word(struct word *unread, char separator)
{
	const char *end = memchr(unread->s, separator, unread->n);
	struct word w = {unread->s, end ? (size_t)(end - unread->s) : unread->n};
	size_t n_consumed = w.n + (end != NULL);
	unread->s += n_consumed;
	unread->n -= n_consumed;
	return w;
}

static bool parse_bound(struct word w, int64_t *out)
{
	char text[32];
	if (w.n == 3 && !memcmp(w.s, "inf", 3)) {
		*out = INT64_MAX;
		return true;
	}
	if (w.n == 0 || w.n >= sizeof text)
		return false;
	memcpy(text, w.s, w.n);
	text[w.n] = 0;
	return sr_parse_size(text, out);
}

static bool parse_range(struct word w, int64_t *min, int64_t *max)
{
	struct word low = next_word(&w, '-');
	return parse_bound(low, min) && parse_bound(w, max) && *min <= *max;
}

/* Parse one field of a row. Returns false if it is malformed. */
static bool parse_field(struct word w, struct selection_row *row, int *ranges)
{
	if (w.n && w.s[0] >= '0' && w.s[0] <= '9')
		switch ((*ranges)++) {
		case 0:
			return parse_range(w, &row->from_bytes, &row->to_bytes);
		case 1:
			return parse_range(w, &row->from_members, &row->to_members);
		default:
			return false;
		}
	for (int c = 1; c < SR_CARRIER_COUNT; c++)
		if (strlen(carrier_names[c]) == w.n && !memcmp(carrier_names[c], w.s, w.n)) {
			row->carrier = (enum sr_carrier)c;
			return true;
		}
	row->type = sr_dtype_find(w.s, w.n);
	return row->type != SR_DTYPE_NONE;
}

static bool is_algorithm(const struct selection_row *row)
{
	for (int c = 0; c < SR_COLL_COUNT; c++)
		if ((row->coll == SR_COLL_COUNT || row->coll == c) && sr_algorithm_find((enum sr_coll)c, row->name, row->n_name))
			return true;
	return false;
}

/* Parse a row. Returns NULL or an error message. */
static const char *parse_row(struct sr_arena *arena, struct word text, struct selection_row *row)
{
	struct word unread = text, w = next_word(&unread, ':');
	bool is_name_only = w.n == text.n;
	int ranges = 0;
	*row = (struct selection_row){.coll = SR_COLL_COUNT, .to_bytes = INT64_MAX, .to_members = INT64_MAX};
	if (!is_name_only && !(w.n == 1 && w.s[0] == '*')) {
		row->coll = (int)sr_coll_find(w.s, w.n);
		if (row->coll == SR_COLL_COUNT)
			return sr_printf(arena, "unknown collective '%.*s' in '%.*s'", (int)w.n, w.s, (int)text.n, text.s);
	}
	while (!is_name_only && unread.n && (w = next_word(&unread, ':')).n && w.s[0] != '@')
		if (!parse_field(w, row, &ranges))
			return sr_printf(arena, "malformed field '%.*s' in '%.*s'", (int)w.n, w.s, (int)text.n, text.s);
	row->name = w.s + (w.n && w.s[0] == '@');
	row->n_name = w.n - (size_t)(row->name - w.s);
	if (unread.n || (!is_name_only && row->name == w.s))
		return sr_printf(arena, "expected '@' and an algorithm at the end of '%.*s'", (int)text.n, text.s);
	if (!is_algorithm(row))
		return sr_printf(arena, "unknown algorithm '%.*s' in '%.*s'", (int)row->n_name, row->name, (int)text.n, text.s);
	return NULL;
}

static const char *parse_rows(struct sr_arena *arena, const char *text, struct selection_row *rows, int *n)
{
	struct word unread = {text, strlen(text)};
	while (unread.n) {
		struct word w = next_word(&unread, '#');
		const char *error = w.n ? parse_row(arena, w, &rows[*n]) : sr_strdup(arena, "empty row");
		if (error)
			return error;
		++*n;
	}
	return NULL;
}

static int count_rows(const char *text)
{
	int n = 1;
	for (; *text; text++)
		n += *text == '#';
	return n;
}

enum sr_status sr_selection_parse(struct sr_arena *arena, const char *text, struct sr_selection **out, const char **message)
{
	struct sr_selection *s = SR_NEW(arena, struct sr_selection);
	text = text ? sr_strdup(arena, text) : "";
	s->rows = SR_NEW_ARRAY(arena, struct selection_row, count_rows(text) + count_rows(default_text));
	*message = parse_rows(arena, text, s->rows, &s->n);
	if (*message)
		return SR_USAGE;
	*message = parse_rows(arena, default_text, s->rows, &s->n);
	if (*message)
		return SR_INTERNAL;
	*out = s;
	return SR_OK;
}

bool sr_selection_uses_native(const struct sr_selection *s)
{
	for (int i = 0; i < s->n; i++)
		for (int c = 0; c < SR_COLL_COUNT; c++) {
			const struct sr_algorithm *row = sr_algorithm_find((enum sr_coll)c, s->rows[i].name, s->rows[i].n_name);
			if (row && row->build == sr_native_collective && (s->rows[i].coll == SR_COLL_COUNT || s->rows[i].coll == c))
				return true;
		}
	return false;
}

bool sr_coll_supports_in_place(enum sr_coll coll)
{
	struct sr_coll_call call = {.coll = coll, .n = 2, .count = 2, .type = SR_I8};
	bool all_in_place = sr_coll_in_bytes(&call) == sr_coll_out_bytes(&call);
	for (int i = 0; i < sr_n_algorithms; i++)
		all_in_place = all_in_place && (sr_algorithms[i].coll != coll || sr_algorithms[i].in_place);
	return all_in_place;
}

static void print_bound(int64_t x, struct sr_buf *out)
{
	if (x == INT64_MAX)
		sr_buf_puts(out, "inf");
	else
		sr_buf_int(out, x);
}

void sr_selection_print(const struct sr_selection *selection, struct sr_buf *out)
{
	for (int i = 0; i < selection->n; i++) {
		const struct selection_row *row = &selection->rows[i];
		sr_buf_puts(out, row->coll == SR_COLL_COUNT ? "*" : sr_coll_name((enum sr_coll)row->coll));
		sr_buf_printf(out, ":%lld-", (long long)row->from_bytes);
		print_bound(row->to_bytes, out);
		sr_buf_printf(out, ":%lld-", (long long)row->from_members);
		print_bound(row->to_members, out);
		if (row->type != SR_DTYPE_NONE)
			sr_buf_printf(out, ":%s", sr_dtypes[row->type].name);
		if (row->carrier != SR_CARRIER_ANY)
			sr_buf_printf(out, ":%s", carrier_names[row->carrier]);
		sr_buf_printf(out, ":@%.*s\n", (int)row->n_name, row->name);
	}
}

const struct sr_algorithm *sr_algorithm_find(enum sr_coll coll, const char *name, size_t n)
{
	for (int i = 0; i < sr_n_algorithms; i++)
		if (sr_algorithms[i].coll == coll && strlen(sr_algorithms[i].name) == n && !memcmp(sr_algorithms[i].name, name, n))
			return &sr_algorithms[i];
	return NULL;
}

static bool row_matches(const struct selection_row *row, const struct sr_coll_call *call)
{
	int64_t in = sr_coll_in_bytes(call), out = sr_coll_out_bytes(call), bytes = in > out ? in : out;
	return (row->coll == SR_COLL_COUNT || row->coll == (int)call->coll) && bytes >= row->from_bytes &&
	       (bytes < row->to_bytes || row->to_bytes == INT64_MAX) && call->n >= row->from_members &&
	       call->n <= row->to_members && (row->type == SR_DTYPE_NONE || row->type == call->type) &&
	       (row->carrier == SR_CARRIER_ANY || call->carrier == SR_CARRIER_ANY || row->carrier == call->carrier);
}

enum sr_status sr_select(const struct sr_selection *selection, const struct sr_coll_call *call, struct sr_arena *arena,
			 struct sr_schedule *out, const struct sr_algorithm **row)
{
	const char *message;
	struct sr_selection *defaults;
	if (!selection) {
		enum sr_status status = sr_selection_parse(arena, NULL, &defaults, &message);
		if (status != SR_OK)
			return status;
		selection = defaults;
	}
	for (int i = 0; i < selection->n; i++) {
		const struct selection_row *r = &selection->rows[i];
		*row = row_matches(r, call) ? sr_algorithm_find(call->coll, r->name, r->n_name) : NULL;
		if (!*row)
			continue;
		enum sr_status status = sr_algorithm_build(*row, call, arena, out);
		if (status != SR_NEXT)
			return status;
	}
	/* No row matched: the call is in place and no algorithm of the collective supports that, or a default row is missing. */
	return call->in_place ? SR_UNSUPPORTED : SR_INTERNAL;
}

void sr_algorithms_list(struct sr_buf *out)
{
	for (int c = 0; c < SR_COLL_COUNT; c++) {
		sr_buf_printf(out, "%s\n", sr_coll_name((enum sr_coll)c));
		for (int i = 0; i < sr_n_algorithms; i++) {
			const struct sr_algorithm *a = &sr_algorithms[i];
			if ((int)a->coll != c)
				continue;
			sr_buf_printf(out, "  %-18s %s\n", a->name, a->doc);
			if (*a->precondition)
				sr_buf_printf(out, "  %-18s needs %s\n", "", a->precondition);
			sr_buf_printf(out, "  %-18s %s\n", "", a->source);
		}
	}
}
