/* Parse and print modules. The parser accepts MLIR text; MLIR bytecode of portable artifacts, whose VHLO ops become StableHLO
 * again; HLO text, whose modules it also verifies, as long as their locations point into the text; and HloModuleProtos.
 *
 * sr_parse accepts a module (with or without builtin.module around it), registered ops in custom or generic form, and attribute
 * and location aliases, and gives each op its location. The printer's output equals upstream's byte for byte: SSA names, aliases,
 * constants (see doc/printing.md). Only large hex constants keep pointing into the text, so `text` must outlive the context. */
#ifndef SR_TEXT_TEXT_H
#define SR_TEXT_TEXT_H

#include "ir/ir.h"

/* Parse a file. `file` is its name in locations and messages. Sets *module on SR_OK. Checks only the syntax: call sr_verify
 * afterwards. */
enum sr_status sr_parse(struct sr_context *ctx, const char *file, const char *text, size_t n, struct sr_op **module);
/* Parse a section of a file. line_offset: number of lines of the file before the section. */
enum sr_status sr_parse_at(struct sr_context *ctx, const char *file, const char *text, size_t n, int line_offset,
			   struct sr_op **module);
/* Return true if the bytes are the beginning of a binary module: bytecode or a HloModuleProto. */
bool sr_is_binary_module(const char *bytes, size_t n);
/* Parse one attribute or type, e.g. a dense constant of --args, up to the end of the text. */
enum sr_status sr_parse_attr(struct sr_context *ctx, const char *text, const struct sr_attr **out);
enum sr_status sr_parse_type(struct sr_context *ctx, const char *text, const struct sr_type **out);

struct sr_print_options {
	bool uses_generic_form;     /* print the generic form: --mlir-print-op-generic */
	bool prints_debuginfo;   /* print locations: --mlir-print-debuginfo */
	bool uses_local_scope; /* print locations inline, without aliases: --mlir-print-local-scope */
	int64_t elision_limit; /* elide constants with more elements than this; 0: none. --mlir-elide-elementsattrs-if-larger */
};
void sr_print(struct sr_context *ctx, const struct sr_op *module, const struct sr_print_options *options, struct sr_buf *out);
void sr_print_attr(struct sr_context *ctx, const struct sr_attr *attr, struct sr_buf *out);
/* Return the SSA name that the printer gives a value: "%12", "%arg0", "%2#1". */
const char *sr_value_name(struct sr_context *ctx, const struct sr_value *value);

#endif
