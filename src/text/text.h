/* MLIR text: reading and printing of modules. Reading takes bytecode too: a portable artifact (VHLO, and Shardy's ops among it)
 * becomes the StableHLO module that it was made of; and HLO text, verified while its places are known.
 *
 * sr_parse reads a module (with or without the builtin.module around), registered ops in pretty or generic form, attribute and
 * location aliases, and gives each op its location. Printing is upstream's, byte for byte: SSA names, aliases, constants (see
 * doc/printing.md). Nothing of the text is kept but hex constants, so `text` must outlive the context. */
#ifndef SR_TEXT_TEXT_H
#define SR_TEXT_TEXT_H

#include "ir/ir.h"

/* file names the text in locations and messages; it is interned. *module is set on SR_OK. Syntax only: call sr_verify after. */
enum sr_status sr_parse(struct sr_context *ctx, const char *file, const char *text, size_t n, struct sr_op **module);
/* line_offset: lines before `text` in the file, for pieces of a split file. */
enum sr_status sr_parse_at(struct sr_context *ctx, const char *file, const char *text, size_t n, int line_offset,
			   struct sr_op **module);
/* One attribute or type from text, e.g. a dense constant of --args; the rest of the text must be blank. */
enum sr_status sr_parse_attr(struct sr_context *ctx, const char *text, const struct sr_attr **out);
enum sr_status sr_parse_type(struct sr_context *ctx, const char *text, const struct sr_type **out);

struct sr_print_options {
	bool generic;     /* --mlir-print-op-generic */
	bool debuginfo;   /* --mlir-print-debuginfo */
	bool local_scope; /* --mlir-print-local-scope */
	int64_t elide_larger; /* --mlir-elide-elementsattrs-if-larger; 0: never */
};
void sr_print(struct sr_context *ctx, const struct sr_op *module, const struct sr_print_options *options, struct sr_buf *out);
void sr_print_attr(struct sr_context *ctx, const struct sr_attr *attr, struct sr_buf *out);
/* The SSA name that printing gives a value: "%12", "%arg0", "%2#1". */
const char *sr_value_name(struct sr_context *ctx, const struct sr_value *value);

#endif
