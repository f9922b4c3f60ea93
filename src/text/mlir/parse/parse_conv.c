/* Parse convolution dimension numbers: [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]. Each position holds a letter or the number of a
 * spatial dimension. */
#include "text/mlir/parse/parser.h"

enum { MAX_SPATIAL = 64 };

struct conv_labels {
	/* positions of the two letters: batch or kernel input feature; feature or kernel output feature */
	int64_t first_letter, second_letter;
	int64_t spatial_dims[MAX_SPATIAL]; /* position of each spatial dimension */
	int64_t n;		      /* number of spatial dimensions */
};

static _Noreturn void fail_unexpected(struct sr_parser *p, const char *position, const char *word, const char letters[2],
				      const struct conv_labels *s)
{
	if (s->first_letter >= 0 && s->second_letter >= 0)
		sr_parser_fail(p, position, "Unexpected keyword %s", word);
	if (s->first_letter < 0 && s->second_letter < 0)
		sr_parser_fail(p, position, "Unexpected dimension %s, expecting %c, %c", word, letters[0], letters[1]);
	sr_parser_fail(p, position, "Unexpected dimension %s, expecting %c", word, letters[s->first_letter < 0 ? 0 : 1]);
}

static void parse_labels(struct sr_parser *p, const char letters[2], struct conv_labels *s)
{
	bool is_defined[MAX_SPATIAL] = {false};
	s->first_letter = s->second_letter = -1;
	sr_parser_expect(p, '[');
	for (int64_t dim_index = 0;; dim_index++) {
		const char *position = p->tok;
		if (p->kind == SR_TOK_INT || p->kind == '-') {
			int64_t dim = sr_parser_integer(p);
			if (dim < 0 || dim >= MAX_SPATIAL)
				sr_parser_fail(p, position, "Unexpected dimension %lld", (long long)dim);
			if (is_defined[dim])
				sr_parser_fail(p, position, "Duplicate entries for spatial dimension %lld", (long long)dim);
			is_defined[dim] = true;
			s->spatial_dims[dim] = dim_index;
			s->n++;
		} else {
			const char *word = sr_parser_word(p, "dimension: a number or a letter");
			int64_t *slot = word[1]			? NULL
					: word[0] == letters[0] ? &s->first_letter
					: word[0] == letters[1] ? &s->second_letter
								: NULL;
			if (!slot || *slot >= 0)
				fail_unexpected(p, position, word, letters, s);
			*slot = dim_index;
		}
		if (!sr_parser_accept(p, ','))
			break;
	}
	if (s->first_letter < 0 || s->second_letter < 0)
		sr_parser_fail(p, p->tok, "Expected dimensions %c not specified", s->first_letter < 0 ? letters[0] : letters[1]);
	for (int64_t i = 0; i < s->n; i++)
		if (!is_defined[i])
			sr_parser_fail(p, p->tok, "Expected spatial dimensions %lld not specified", (long long)i);
	sr_parser_expect(p, ']');
}

static void set_fields(struct sr_parser *p, const struct conv_labels *s, const struct sr_attr **fields)
{
	fields[0] = sr_attr_i64(p->ctx, s->first_letter);
	fields[1] = sr_attr_i64(p->ctx, s->second_letter);
	fields[2] = sr_attr_i64s(p->ctx, s->spatial_dims, s->n);
}

const struct sr_attr *sr_parser_conv_dims(struct sr_parser *p, const struct sr_attr_def *def)
{
	struct conv_labels input = {0}, kernel = {0}, output = {0};
	const struct sr_attr *fields[9];
	parse_labels(p, "bf", &input);
	if (p->kind == SR_TOK_BARE && p->tok[0] == 'x')
		sr_parser_restart(p, p->tok + 1);
	else
		sr_parser_expected(p, "'x'");
	parse_labels(p, "io", &kernel);
	sr_parser_expect(p, SR_TOK_ARROW);
	parse_labels(p, "bf", &output);
	set_fields(p, &input, fields);
	set_fields(p, &kernel, fields + 3);
	set_fields(p, &output, fields + 6);
	return sr_attr_struct(p->ctx, def, fields);
}
