/* shardopt: run compiler passes on MLIR text. This file is the table of options; the work is in driver/shardopt_driver.c. */
#include "driver/driver.h"
#include "support/knobs/knobs.h"
#include "upstream/upstream.h"
#include <stdio.h>
#include <string.h>

struct options {
	struct sr_opt_options opt;
	bool help, version, man, list_passes, list_ops;
	int completion;
};

#define OPTION_OFFSET(field) offsetof(struct options, opt.field)
static const struct sr_knob rows[] = {
	{"split-input-file", 0, SR_KNOB_BOOL, OPTION_OFFSET(split_input_file), NULL, NULL, NULL, "Input", "Process the parts between "
	 "lines `// -----` separately."},
	{"allow-unregistered-dialect", 0, SR_KNOB_BOOL, OPTION_OFFSET(allow_unregistered), NULL, NULL, NULL, "Input", "Accept ops of "
	 "unknown dialects."},
	{"verify-diagnostics", 0, SR_KNOB_BOOL, OPTION_OFFSET(verify_diagnostics), NULL, NULL, NULL, "Input",
	 "Check messages against comments `expected-error@+1 {{text}}` instead of printing them."},
	{"max-model-bytes", 0, SR_KNOB_SIZE, OPTION_OFFSET(max_model_bytes), "SIZE", NULL, NULL, "Input",
	 "Refuse larger inputs. Default: 16G, or a quarter of the memory if that is less."},
	{"pass-pipeline", 0, SR_KNOB_STRING, OPTION_OFFSET(pipeline), "PIPELINE", NULL, NULL, "Passes",
	 "Run builtin.module(a,func.func(b{x=1})) before passes named by flags."},
	{"machine", 0, SR_KNOB_STRING, OPTION_OFFSET(machine), "FILE", NULL, NULL, "Passes",
	 "Machine file, as shardbench --calibrate writes it: the costs by which passes choose. Default: built-in figures."},
	{"verify-each", 0, SR_KNOB_BOOL, OPTION_OFFSET(verify_each), NULL, "true", NULL, "Passes", "Verify the module after each pass."},
	{"dump-pass-pipeline", 0, SR_KNOB_BOOL, OPTION_OFFSET(dump_pipeline), NULL, NULL, NULL, "Passes", "Print the list of passes that "
	 "will run."},
	{"list-passes", 0, SR_KNOB_BOOL, offsetof(struct options, list_passes), NULL, NULL, NULL, "Passes", "List every pass "
	 "and pipeline with its options."},
	{"list-ops", 0, SR_KNOB_BOOL, offsetof(struct options, list_ops), NULL, NULL, NULL, "Passes", "List every registered op."},
	{"mlir-print-op-generic", 0, SR_KNOB_BOOL, OPTION_OFFSET(generic), NULL, NULL, NULL, "Output", "Print every op in the quoted form."},
	{"mlir-print-debuginfo", 0, SR_KNOB_BOOL, OPTION_OFFSET(debuginfo), NULL, NULL, NULL, "Output", "Print locations."},
	{"mlir-print-local-scope", 0, SR_KNOB_BOOL, OPTION_OFFSET(local_scope), NULL, NULL, NULL, "Output", "Print without aliases."},
	{"mlir-elide-elementsattrs-if-larger", 0, SR_KNOB_SIZE, OPTION_OFFSET(elide_larger), "N", NULL, NULL, "Output",
	 "Elide constants of more than N elements. 0: elide none."},
	{"mlir-print-ir-before", 0, SR_KNOB_STRING, OPTION_OFFSET(print_before), "PASS,...", NULL, NULL, "Output", "Print the module "
	 "before these passes, or all, to standard error."},
	{"mlir-print-ir-after", 0, SR_KNOB_STRING, OPTION_OFFSET(print_after), "PASS,...", NULL, NULL, "Output", "Print the module after "
	 "these passes to standard error."},
	{"mlir-print-ir-after-all", 0, SR_KNOB_BOOL, OPTION_OFFSET(print_after_all), NULL, NULL, NULL, "Output", "Print the module after "
	 "every pass to standard error."},
	{"explain", 0, SR_KNOB_STRING, OPTION_OFFSET(explain), "%NAME|OP|LINE", NULL, NULL, "Output",
	 "Instead of the module, explain where propagation took the shardings of these values from. Values are given by name "
	 "in the text, op or source line."},
	{"explain-partition", 0, SR_KNOB_STRING, OPTION_OFFSET(explain_partition), "%NAME|OP|LINE", NULL, NULL, "Output",
	 "Instead of the module, explain the shardings that the search chose for these values: alternatives with their cost, "
	 "and readers."},
	{"mlir-timing", 0, SR_KNOB_BOOL, OPTION_OFFSET(timing), NULL, NULL, NULL, "Output", "Print the wall time of parser, passes and "
	 "output to standard error."},
	{"output", 'o', SR_KNOB_STRING, OPTION_OFFSET(output), "FILE", "-", NULL, "Output", "Output file."},
	{"help", 'h', SR_KNOB_BOOL, offsetof(struct options, help), NULL, NULL, NULL, "Help", "Print this help."},
	{"help-man", 0, SR_KNOB_BOOL, offsetof(struct options, man), NULL, NULL, NULL, "Help", "Print the manual page."},
	{"completion", 0, SR_KNOB_CHOICE, offsetof(struct options, completion), SR_SHELL_NAMES, "none", NULL, "Help",
	 SR_COMPLETION_HELP},
	{"version", 0, SR_KNOB_BOOL, offsetof(struct options, version), NULL, NULL, NULL, "Help", "Print the version."},
};

static const struct sr_example examples[] = {
	{"shardopt model.mlir -sdy-propagation-pipeline -o sharded.mlir", "Propagate shardings: every value with its sharding."},
	{"shardopt sharded.mlir -shardrun-partition-pipeline", "Partition: one device's program, with its collectives."},
	{"shardopt model.mlir -sdy-propagation-pipeline --explain=%1", "Explain where the sharding of a value comes from."},
	{"shardopt model.hlo", "Convert HLO text, or a HloModuleProto, to StableHLO."},
	{"shardopt --list-passes", "List each pass with its options, requirements and results."},
};

static const struct sr_knobs knobs = {
	"shardopt", "shardopt [options] [-PASS[=options]]... [FILE|-]",
	"Runs compiler passes on MLIR text, HLO text or a portable artifact, in the order of the command line.", rows,
	sizeof rows / sizeof *rows, examples, sizeof examples / sizeof *examples};

struct words {
	struct sr_arena *arena;
	struct sr_passes registry; /* the compiler's passes and upstream's */
	SR_VEC(struct sr_opt_pass) passes;
};

static bool pass_flag(void *data, const char *name, const char *value, struct sr_suggest *s)
{
	struct words *w = data;
	if (!sr_pass_find(&w->registry, name, strlen(name))) {
		sr_passes_offer(&w->registry, s);
		return false;
	}
	sr_push(w->arena, &w->passes, (struct sr_opt_pass){name, value});
	return true;
}

static int list(const struct options *o, const struct sr_passes *registry, struct sr_arena *arena)
{
	struct sr_buf buf;
	sr_buf_init(&buf, arena);
	if (o->list_passes)
		sr_passes_print(registry, &buf);
	if (o->list_ops)
		sr_ops_print(&buf);
	sr_buf_write(&buf, stdout);
	return 0;
}

static void complete(enum sr_shell shell, const struct sr_passes *registry, struct sr_arena *arena)
{
	sr_strings_list passes = {0};
	for (int i = 0; i < registry->n_tables; i++)
		for (const struct sr_pass *p = registry->tables[i]; p->name; p++)
			sr_push(arena, &passes, sr_printf(arena, "-%s", p->name));
	sr_knobs_completion(&knobs, shell, &passes, stdout);
}

int main(int argc, char **argv)
{
	struct sr_arena *arena = sr_arena_new();
	struct options o = {0};
	struct words w = {.arena = arena};
	sr_strings_list rest = {0};
	struct sr_diags diags;
	if (!arena)
		return 1;
	sr_diags_init(&diags, arena);
	w.registry = sr_passes_with(arena, &sr_compiler_passes, sr_upstream_passes);
	o.opt.registry = &w.registry;
	enum sr_status status = sr_knobs_parse(&knobs, &o, argc, argv, arena, &diags, &rest, pass_flag, &w);
	if (!status && rest.n > 1)
		status = sr_error(&diags, SR_USAGE, (struct sr_src_loc){0},
				  "expected one input file, but '%s' and '%s' are "
				  "given",
				  rest.data[0], rest.data[1]);
	if (!status)
		status = sr_check_pass_names(&w.registry, "--mlir-print-ir-after", o.opt.print_after, arena, &diags);
	if (!status)
		status = sr_check_pass_names(&w.registry, "--mlir-print-ir-before", o.opt.print_before, arena, &diags);
	sr_diags_print(&diags, stderr);
	if (status)
		; /* an error of the command line has been reported above */
	else if (o.help)
		sr_knobs_help(&knobs, stdout);
	else if (o.man)
		sr_knobs_man(&knobs, ".SH EXIT STATUS\n0 good, 1 an error was reported.\n", stdout);
	else if (o.completion)
		complete((enum sr_shell)o.completion, &w.registry, arena);
	else if (o.version)
		printf("shardopt %s\n", PACKAGE_VERSION);
	else if (o.list_passes || o.list_ops)
		list(&o, &w.registry, arena);
	else
		status = sr_opt_run(rest.n ? rest.data[0] : "-", &o.opt, w.passes.data, (int)w.passes.n);
	sr_diags_clear(&diags);
	if (!status)
		status = sr_flush_stream(&diags, stdout, "standard output");
	sr_diags_print(&diags, stderr);
	sr_arena_free(arena);
	return status ? 1 : 0;
}
