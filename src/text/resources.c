/* Parse and print dense_resource<key> : type, a constant whose bytes are in a section at the end of the text.
 *
 *	{-#
 *	  dialect_resources: {
 *	    builtin: {
 *	      key: "0x040000000000803F"      the alignment in 4 bytes, then the elements, little endian
 *	    }
 *	  }
 *	#-}
 *
 * A resource is parsed to its constant (kind DENSE, with the key in `s` and the alignment in `i`) and printed as a resource
 * again. If its bytes are not in the text, it stays a reference (kind RESOURCE). */
#include "text/mlir/print/aliases.h"
#include "text/mlir/print/printer.h"
#include "text/mlir/parse/parser.h"
#include <string.h>

enum { ALIGNMENT_DIGITS = 8 };

struct blob {
	const char *digits; /* hex digits after the prefix 0x */
	size_t n;
};

/* Parse { key: "0x...", ... }, possibly nested by name. */
static void parse_group(struct sr_parser *p)
{
	sr_parser_enter(p);
	sr_parser_expect(p, '{');
	while (p->kind != '}') {
		const char *key = sr_parser_attr_name(p);
		sr_parser_expect(p, ':');
		if (p->kind == '{') {
			parse_group(p);
		} else {
			struct blob *blob = SR_NEW(p->arena, struct blob);
			if (p->kind == SR_TOK_STRING && p->len >= 4 && !memcmp(p->tok, "\"0x", 3))
				*blob = (struct blob){p->tok + 3, p->len - 4};
			sr_map_put(&p->resources, key, blob);
			sr_parser_next(p);
		}
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, '}');
	sr_parser_leave(p);
}

void sr_parser_resources(struct sr_parser *p)
{
	sr_parser_expect(p, SR_TOK_RESOURCES);
	while (p->kind != SR_TOK_RESOURCES_END) {
		sr_parser_attr_name(p);
		sr_parser_expect(p, ':');
		parse_group(p);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, SR_TOK_RESOURCES_END);
}

/* Return the position of the last {-# in the text; NULL if there is none. */
static const char *find_trailer(const struct sr_parser *p)
{
	const char *at = p->end;
	while ((at = memrchr(p->text, '{', (size_t)(at - p->text))))
		if (p->end - at > 3 && !memcmp(at, "{-#", 3))
			return at;
	return NULL;
}

/* Return the bytes of a resource; NULL if they are not in the text. The first call parses the resource section. */
static const struct blob *find_blob(struct sr_parser *p, const char *key)
{
	if (!p->has_read_resources) {
		const char *saved_token = p->tok, *trailer = find_trailer(p);
		p->has_read_resources = true;
		if (trailer) {
			sr_parser_restart(p, trailer);
			sr_parser_resources(p);
			sr_parser_restart(p, saved_token);
		}
	}
	const struct blob *blob = sr_map_get(&p->resources, key);
	return blob && blob->n >= ALIGNMENT_DIGITS ? blob : NULL;
}

static int64_t read_alignment(struct sr_parser *p, const char *position, const struct blob *blob)
{
	const struct sr_attr *a = sr_parser_hex(p, position, blob->digits, ALIGNMENT_DIGITS,
						sr_type_tensor(p->ctx, SR_UI32, 0, NULL));
	return *(const uint32_t *)a->dense->data;
}

const struct sr_attr *sr_parser_resource(struct sr_parser *p)
{
	sr_parser_expect(p, '<');
	const char *position = p->tok, *key = sr_parser_attr_name(p);
	sr_parser_expect(p, '>');
	sr_parser_expect(p, ':');
	const struct sr_type *type = sr_parser_type(p);
	const struct blob *blob = find_blob(p, key);
	struct sr_attr a = {.kind = SR_ATTR_RESOURCE, .s = key, .type = type};
	if (blob) {
		a = *sr_parser_hex(p, position, blob->digits + ALIGNMENT_DIGITS, blob->n - ALIGNMENT_DIGITS, type);
		a.s = key;
		a.i = read_alignment(p, position, blob);
	}
	return sr_attr_intern(p->ctx, &a);
}

/* ---- printing ---- */

void sr_print_resource(struct sr_printer *p, const struct sr_attr *a)
{
	if (p->resources && a->dense && !sr_is_collecting_aliases(p))
		sr_map_put(p->resources, a->s, (void *)a);
	sr_buf_puts(p->out, "dense_resource<");
	sr_print_keyword_or_string(p->out, a->s);
	sr_buf_puts(p->out, "> : ");
	sr_print_type(p, a->type);
}

static void print_blob(struct sr_printer *p, const struct sr_attr *a)
{
	struct sr_dense dense = {0};
	unsigned char alignment[4];
	for (int i = 0; i < 4; i++)
		alignment[i] = (unsigned char)(a->i >> 8 * i);
	dense.hex = a->dense->splat ? NULL : a->dense->hex;
	dense.n_bytes = a->dense->n_bytes;
	if (!dense.hex)
		dense.data = sr_dense_data(p->ctx, a, true, &dense.n_bytes);
	sr_buf_puts(p->out, "\"0x");
	sr_print_hex(p, &(struct sr_dense){.data = alignment, .n_bytes = sizeof alignment}, SR_UI8);
	sr_print_hex(p, &dense, a->type->dtype);
	sr_buf_putc(p->out, '"');
}

void sr_print_resources(struct sr_printer *p)
{
	if (p->resources->n == 0)
		return;
	sr_buf_puts(p->out, "\n{-#\n  dialect_resources: {\n    builtin: {\n");
	for (size_t i = 0; i < p->resources->n; i++) {
		sr_buf_puts(p->out, "      ");
		sr_print_keyword_or_string(p->out, p->resources->entries[i].key);
		sr_buf_puts(p->out, ": ");
		print_blob(p, p->resources->entries[i].value);
		sr_buf_puts(p->out, i + 1 < p->resources->n ? ",\n" : "\n");
	}
	sr_buf_puts(p->out, "    }\n  }\n#-}\n");
}
