/* What a program's bytes are: the module where it is wrapped in something, and a word for what is none, with what to write instead.
 *
 * jax.export's exported.serialize() is a FlatBuffer: numbers little endian, offsets from where they stand. Its root is a table,
 * whose first word leads back to a list of 16-bit places of its fields; field 13 is a vector of bytes, the portable artifact. */
#include "driver/driver.h"
#include <ctype.h>
#include <string.h>

enum { MODULE_FIELD = 13 };
static const char bytecode[] = "ML\xefR";
#define LOWER "write what jax.jit(f).lower(...).as_text() gives"

static bool starts(const char *text, size_t n, const char *with)
{
	size_t m = strlen(with);
	return n >= m && !memcmp(text, with, m);
}

/* ---- jax.export ---- */

static bool number(const char *text, size_t n, uint64_t at, int bytes, uint64_t *out)
{
	*out = 0;
	if (at > n || n - at < (uint64_t)bytes)
		return false;
	for (int i = bytes - 1; i >= 0; i--)
		*out = *out << 8 | (unsigned char)text[at + (uint64_t)i];
	return true;
}

/* The module's bytes inside of what jax.export serialized; false where it is nothing like that. */
static bool exported(const char *text, size_t n, const char **module, size_t *size)
{
	uint64_t table, back, length_of_list, place, vector, length;
	if (!number(text, n, 0, 4, &table) || !number(text, n, table, 4, &back))
		return false;
	uint64_t list = table - (uint64_t)(int64_t)(int32_t)(uint32_t)back; /* far beyond n where it is before the begin */
	if (!number(text, n, list, 2, &length_of_list) || length_of_list < 4 + 2 * (MODULE_FIELD + 1) ||
	    !number(text, n, list + 4 + 2 * MODULE_FIELD, 2, &place) || !place)
		return false;
	uint64_t at = table + place;
	if (!number(text, n, at, 4, &vector) || !number(text, n, at + vector, 4, &length))
		return false;
	at += vector + 4;
	if (length > n - at || !starts(text + at, length, bytecode))
		return false;
	*module = text + at;
	*size = length;
	return true;
}

/* ---- what is no program ---- */

static const struct {
	const char *begin, *what;
} kinds[] = {
	{"\x93NUMPY", "is a NumPy array, not a program; values are given as --input=@FILE.npy"},
	{"\x80\x02", "is a Python pickle, not a program; " LOWER},
	{"\x80\x03", "is a Python pickle, not a program; " LOWER},
	{"\x80\x04", "is a Python pickle, not a program; " LOWER},
	{"\x80\x05", "is a Python pickle, not a program; " LOWER},
	{"PK\x03\x04", "is a zip archive (.npz, or PyTorch's .pt and .pt2), not a program; write the module as text"},
	{"\x1f\x8b", "is compressed by gzip; take `gunzip -c FILE | shardrun -`"},
	{"\x28\xb5\x2f\xfd", "is compressed by zstd; take `zstd -dc FILE | shardrun -`"},
	{SR_PROGRAM_MAGIC, "is a compiled program, whose module is not in it; `shardrun FILE` runs it"},
	{"\177ELF", "is a program of this machine, not a module"},
};

/* Python's first statement behind blank lines and comments; MLIR text has // for comments, and #name = for attributes. */
static bool is_python(const char *text, size_t n)
{
	static const char *const words[] = {"import ", "from ", "def ", "class ", "@", "\"\"\"", "'''", "if ", "with ", "async def "};
	const char *p = text, *end = text + n;
	while (p < end && (isspace((unsigned char)*p) || starts(p, (size_t)(end - p), "# ") || starts(p, (size_t)(end - p), "#!"))) {
		const char *line = *p == '#' ? memchr(p, '\n', (size_t)(end - p)) : p;
		p = line ? line + 1 : end;
	}
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (starts(p, (size_t)(end - p), words[i]))
			return true;
	return false;
}

/* NULL: it may be a program. */
static const char *other_text(const char *text, size_t n)
{
	while (n && isspace((unsigned char)*text))
		text++, n--;
	if (starts(text, n, "{ lambda ") || starts(text, n, "let "))
		return "is a printed jaxpr, which nothing reads back; " LOWER;
	if (starts(text, n, "Exported(") || starts(text, n, "<jax."))
		return "is what Python prints of an object of JAX; " LOWER ", or exported.serialize()";
	return is_python(text, n) ? "is Python source, not a program; run it with Python, and there " LOWER : NULL;
}

enum sr_status sr_check_format(struct sr_context *ctx, const char *file, const char **text, size_t *n)
{
	struct sr_src_loc place = {.file = file};
	const char *module;
	size_t size;
	if (starts(*text, *n, bytecode))
		return SR_OK;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (starts(*text, *n, kinds[i].begin))
			return sr_error(&ctx->diags, SR_INVALID, place, "%s", kinds[i].what);
	if (exported(*text, *n, &module, &size)) {
		*text = sr_dup(ctx->arena, module, size, 1); /* aligned as a file is */
		*n = size;
		return SR_OK;
	}
	if (memchr(*text, 0, *n))
		return sr_error(&ctx->diags, SR_INVALID, place,
				"is not text: it holds NUL bytes; MLIR text or bytecode, HLO text, or what exported.serialize() of "
				"jax.export gives is expected");
	const char *what = other_text(*text, *n);
	return what ? sr_error(&ctx->diags, SR_INVALID, place, "%s", what) : SR_OK;
}
