/* Detect the format of the input: unwrap the module from jax.export's serialization, and explain input that is no program.
 *
 * jax.export's exported.serialize() is a FlatBuffer: little endian, offsets relative to where they are stored. The root table
 * starts with the offset back to its vtable, a list of 16-bit field offsets; field 13 is a byte vector, the portable artifact. */
#include "driver/driver.h"
#include "text/text.h"
#include <ctype.h>
#include <string.h>

enum { MODULE_FIELD = 13 };
static const char bytecode_magic[] = "ML\xefR";
#define USE_LOWER "write the output of jax.jit(f).lower(...).as_text()"

static bool starts_with(const char *text, size_t n, const char *prefix)
{
	size_t m = strlen(prefix);
	return n >= m && !memcmp(text, prefix, m);
}

/* ---- jax.export ---- */

static bool read_number(const char *text, size_t n, uint64_t at, int bytes, uint64_t *out)
{
	*out = 0;
	if (at > n || n - at < (uint64_t)bytes)
		return false;
	for (int i = bytes - 1; i >= 0; i--)
		*out = *out << 8 | (unsigned char)text[at + (uint64_t)i];
	return true;
}

/* Find the module's bytes inside jax.export's serialization; return false if the text is no such serialization. */
static bool find_exported_module(const char *text, size_t n, const char **module, size_t *size)
{
	uint64_t table, offset_back, vtable_bytes, string_offset, vector, length;
	if (!read_number(text, n, 0, 4, &table) || !read_number(text, n, table, 4, &offset_back))
		return false;
	/* an offset that points before the beginning wraps to a value above n */
	uint64_t list = table - (uint64_t)(int64_t)(int32_t)(uint32_t)offset_back;
	if (!read_number(text, n, list, 2, &vtable_bytes) || vtable_bytes < 4 + 2 * (MODULE_FIELD + 1) ||
	    !read_number(text, n, list + 4 + 2 * MODULE_FIELD, 2, &string_offset) || !string_offset)
		return false;
	uint64_t at = table + string_offset;
	if (!read_number(text, n, at, 4, &vector) || !read_number(text, n, at + vector, 4, &length))
		return false;
	at += vector + 4;
	if (length > n - at || !starts_with(text + at, length, bytecode_magic))
		return false;
	*module = text + at;
	*size = length;
	return true;
}

/* ---- input that is no program ---- */

static const struct {
	const char *prefix, *description;
} known_formats[] = {
	{"\x93NUMPY", "is a NumPy array, not a program; values are given as --input=@FILE.npy"},
	{"\x80\x02", "is a Python pickle, not a program; " USE_LOWER},
	{"\x80\x03", "is a Python pickle, not a program; " USE_LOWER},
	{"\x80\x04", "is a Python pickle, not a program; " USE_LOWER},
	{"\x80\x05", "is a Python pickle, not a program; " USE_LOWER},
	{"PK\x03\x04", "is a zip archive (.npz, or PyTorch's .pt and .pt2), not a program; write the module as text"},
	{"\x1f\x8b", "is compressed by gzip; use `gunzip -c FILE | shardrun -`"},
	{"\x28\xb5\x2f\xfd", "is compressed by zstd; use `zstd -dc FILE | shardrun -`"},
	{SR_PROGRAM_MAGIC, "is a compiled program and contains no module; run it with `shardrun FILE`"},
	{"\177ELF", "is a native executable, not a module"},
};

/* Return true if the first statement after blank lines and comments is Python. MLIR comments are //, and #name is an attribute. */
static bool is_python(const char *text, size_t n)
{
	static const char *const words[] = {"import ", "from ", "def ", "class ", "@", "\"\"\"", "'''", "if ", "with ", "async def "};
	const char *p = text, *end = text + n;
	while (p < end && (isspace((unsigned char)*p) || starts_with(p, (size_t)(end - p), "# ") || starts_with(p, (size_t)(end - p), "#!"))) {
		const char *line = *p == '#' ? memchr(p, '\n', (size_t)(end - p)) : p;
		p = line ? line + 1 : end;
	}
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (starts_with(p, (size_t)(end - p), words[i]))
			return true;
	return false;
}

/* Return an error message for text that is no program; NULL: the text may be a program. */
static const char *explain_other_text(const char *text, size_t n)
{
	while (n && isspace((unsigned char)*text))
		text++, n--;
	if (starts_with(text, n, "{ lambda ") || starts_with(text, n, "let "))
		return "is a printed jaxpr, which cannot be parsed; " USE_LOWER;
	if (starts_with(text, n, "Exported(") || starts_with(text, n, "<jax."))
		return "is the printed form of a JAX object; " USE_LOWER ", or exported.serialize()";
	return is_python(text, n) ? "is Python source, not a program; in Python, " USE_LOWER : NULL;
}

enum sr_status sr_check_format(struct sr_context *ctx, const char *file, const char **text, size_t *n)
{
	struct sr_src_loc location = {.file = file};
	const char *module;
	size_t size;
	if (sr_is_binary_module(*text, *n))
		return SR_OK;
	for (size_t i = 0; i < sizeof known_formats / sizeof *known_formats; i++)
		if (starts_with(*text, *n, known_formats[i].prefix))
			return sr_error(&ctx->diags, SR_INVALID, location, "%s", known_formats[i].description);
	if (find_exported_module(*text, *n, &module, &size)) {
		/* copy the module, so that its bytes are aligned like those of a file */
		*text = sr_dup(ctx->arena, module, size, 1);
		*n = size;
		return SR_OK;
	}
	if (memchr(*text, 0, *n))
		return sr_error(&ctx->diags, SR_INVALID, location,
				"is not text: it contains NUL bytes; expected MLIR text or bytecode, HLO text or a HloModuleProto, or the output of "
				"jax.export's exported.serialize()");
	const char *explanation = explain_other_text(*text, *n);
	return explanation ? sr_error(&ctx->diags, SR_INVALID, location, "%s", explanation) : SR_OK;
}
