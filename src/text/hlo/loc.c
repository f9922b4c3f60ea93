/* Read an instruction's source location: metadata={op_name="jit(f)/dot" source_file="f.py" source_line=3 stack_frame_id=7}, and
 * the tables of files and stack frames that newer XLA versions print before the computations. The MLIR location has the structure
 * that JAX emits: a name location (op_name) of a file location, or of a chain of call sites. */
#include "text/hlo/hlo.h"
#include <string.h>

enum { N_TABLES = 4, MAX_FRAMES = 64 /* maximum stack depth in a location */ };
enum { FILES, FUNCTIONS, LOCATIONS, FRAMES };

struct row { /* a row of any of the four tables */
	const char *text;                       /* text of a row of FileNames or FunctionNames */
	int64_t file, line, column;             /* fields of a row of FileLocations */
	int64_t location, parent; /* fields of a row of StackFrames: row numbers in FileLocations and StackFrames */
};

struct sr_hlo_files {
	struct sr_map tables[N_TABLES]; /* map from 1 + number of the row to struct row, for each table */
};

static const struct {
	const char *name;
	size_t offset;
} fields[SR_HLO_N_ROW_FIELDS] = {
	{"file_name_id", offsetof(struct row, file)},         {"line", offsetof(struct row, line)},
	{"column", offsetof(struct row, column)},             {"file_location_id", offsetof(struct row, location)},
	{"parent_frame_id", offsetof(struct row, parent)},
};

const struct sr_attr *sr_hlo_text_loc(struct sr_hlo *h, const char *position)
{
	struct sr_src_loc loc = sr_parser_src_loc(&h->p, position);
	return sr_loc_file(h->ctx, loc.file, loc.line, loc.col);
}

static const struct row *find_row(const struct sr_hlo *h, int table, int64_t id)
{
	return h->files && id >= 0 && id < INT32_MAX ? sr_map_get(&h->files->tables[table], (const void *)(intptr_t)(id + 1))
						     : NULL;
}

/* Read the fields of a table row, e.g. {file_name_id=1 line=28}. */
static void read_row_fields(struct sr_hlo *h, struct row *row)
{
	sr_hlo_expect(h, "{");
	while (!sr_hlo_accept(h, "}")) {
		const char *name = sr_hlo_word(h, "a field of the table");
		size_t i = 0, n = sizeof fields / sizeof *fields;
		sr_hlo_expect(h, "=");
		int64_t v = sr_hlo_integer(h);
		while (i < n && strcmp(fields[i].name, name) != 0)
			i++;
		if (i < n)
			*(int64_t *)((char *)row + fields[i].offset) = v;
	}
}

static struct row *new_row(struct sr_hlo *h, int table, int64_t id)
{
	struct row *row = SR_NEW(h->arena, struct row);
	if (!h->files) {
		h->files = SR_NEW(h->arena, struct sr_hlo_files);
		for (int i = 0; i < N_TABLES; i++)
			sr_map_init(&h->files->tables[i], h->arena);
	}
	sr_map_put(&h->files->tables[table], (const void *)(intptr_t)(id + 1), row);
	return row;
}

void sr_hlo_add_row(struct sr_hlo *h, int table, int64_t id, const char *text, const int64_t values[SR_HLO_N_ROW_FIELDS])
{
	struct row *row = new_row(h, table, id);
	row->text = text;
	for (int i = 0; i < SR_HLO_N_ROW_FIELDS; i++)
		*(int64_t *)((char *)row + fields[i].offset) = values[i];
}

bool sr_hlo_read_stack_frame_table(struct sr_hlo *h)
{
	static const char *const names[N_TABLES] = {"FileNames", "FunctionNames", "FileLocations", "StackFrames"};
	const char *start = h->at;
	int table = 0;
	while (table < N_TABLES && !sr_hlo_accept(h, names[table]))
		table++;
	/* A word before "(" or "{" is the name of a computation, not of a table. */
	if (table == N_TABLES || sr_hlo_is(h, "(") || sr_hlo_is(h, "{")) {
		h->at = start;
		return false;
	}
	while (sr_hlo_is_digit(h)) {
		const char *position = h->at;
		int64_t id = sr_hlo_count(h, "a row's number");
		if (id >= INT32_MAX)
			sr_parser_fail(&h->p, position, "the row's number is too large");
		struct row *row = new_row(h, table, id);
		if (table <= FUNCTIONS)
			row->text = sr_hlo_string(h);
		else
			read_row_fields(h, row);
		if (table == FRAMES)
			row->parent--; /* XLA prints the parent's number plus one */
	}
	return true;
}

static const struct sr_attr *file_loc(struct sr_hlo *h, const char *file, const struct row *row)
{
	struct sr_attr loc = {
		.kind = SR_LOC_FILE, .s = file, .line = (int)(row->line & INT32_MAX), .col = (int)(row->column & INT32_MAX)};
	return sr_attr_intern(h->ctx, &loc);
}

/* Return the location of a stack frame with its callers, innermost first. */
static const struct sr_attr *stack_loc(struct sr_hlo *h, int64_t id, int depth)
{
	const struct row *frame = find_row(h, FRAMES, id), *location = frame ? find_row(h, LOCATIONS, frame->location) : NULL;
	const struct row *file = location ? find_row(h, FILES, location->file) : NULL;
	if (!file)
		return NULL;
	const struct sr_attr *frame_loc = file_loc(h, file->text, location), *caller = NULL;
	if (frame->parent != id && depth < MAX_FRAMES)
		caller = stack_loc(h, frame->parent, depth + 1);
	if (!caller)
		return frame_loc;
	return sr_attr_intern(
	    h->ctx, &(struct sr_attr){.kind = SR_LOC_CALLSITE, .list = (const struct sr_attr *[]){frame_loc, caller}, .n = 2});
}

void sr_hlo_read_metadata(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	const char *file = NULL;
	struct row location = {0};
	int64_t frame = -1;
	sr_hlo_expect(h, "{");
	while (!sr_hlo_accept(h, "}")) {
		const char *name = sr_hlo_word(h, "a field of the metadata");
		sr_hlo_expect(h, "=");
		if (!strcmp(name, "op_name"))
			v->instruction->op_name = sr_hlo_string(h);
		else if (!strcmp(name, "source_file"))
			file = sr_hlo_string(h);
		else if (!strcmp(name, "source_line"))
			location.line = sr_hlo_integer(h);
		else if (!strcmp(name, "source_column"))
			location.column = sr_hlo_integer(h);
		else if (!strcmp(name, "stack_frame_id"))
			frame = sr_hlo_integer(h);
		else
			sr_hlo_skip_value(h);
	}
	const struct sr_attr *loc = file ? file_loc(h, file, &location) : stack_loc(h, frame, 0);
	if (v->instruction->op_name)
		loc = sr_loc_name(h->ctx, v->instruction->op_name, loc ? loc : h->ctx->unknown_loc);
	v->instruction->loc = loc;
}
