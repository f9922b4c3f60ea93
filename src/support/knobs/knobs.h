/* Flags and environment variables as one table per tool: parsing, --help and the man page come from it. The only getenv.
 *
 * Long names take - and _ alike, one dash or two, and both --flag=value and --flag value. A bool takes nothing, =true or =false.
 * A knob with env set reads that variable first; the command line wins. A LIST knob collects every use in order. A word @FILE that
 * is
 * no flag's value stands for the words in that file, which may name others. */
#ifndef SR_SUPPORT_KNOBS_H
#define SR_SUPPORT_KNOBS_H

#include "support/arena.h"
#include "support/buf.h"
#include "support/diag.h"
#include "support/vec.h"
#include <stdbool.h>

enum sr_knob_type { SR_KNOB_BOOL, SR_KNOB_INT, SR_KNOB_DOUBLE, SR_KNOB_SIZE /* K, M, G */, SR_KNOB_STRING, SR_KNOB_CHOICE, SR_KNOB_LIST };

struct sr_knob {
	const char *name;      /* long name with -, e.g. "num-repeats" */
	char letter;           /* short form, 0: none */
	enum sr_knob_type type;
	size_t offset;         /* of the field in the tool's options struct */
	const char *value;     /* placeholder in help: "N", "FILE"; for CHOICE "a|b|c" */
	const char *initial;   /* default, as text; NULL: zero / none */
	const char *env;       /* environment variable, or NULL */
	const char *section;   /* heading in help and manual */
	const char *help;      /* one or two sentences */
	const char *implicit_value; /* value of the flag without one; NULL: then the next word is its value */
	bool may_differ;       /* without effect on the other processes of a job, which may be given another value */
};

typedef SR_VEC(const char *) sr_strings_list;

struct sr_example { /* of the manual */
	const char *command, *help; /* what it does, one sentence */
};

/* Fields by type: bool; int64_t; double; int64_t (SIZE); const char *; int (CHOICE: the index); sr_strings_list (LIST). */
struct sr_knobs {
	const char *tool;     /* "shardrun" */
	const char *synopsis; /* "shardrun [options] model.mlir" */
	const char *summary;  /* one sentence */
	const struct sr_knob *rows;
	int n;
	const struct sr_example *examples;
	int n_examples;
};

/* Set the defaults, read the environment, then the command line. Words that are no flags go to `rest`, in order.
 * `other` may take a flag that no row has (shardopt's passes): returns true where it took it; NULL: none. `name` comes as written
 * without dashes, `value` after '=' or NULL; flags are offered in command-line order. SR_USAGE with one error reported where
 * something is unknown or malformed; an unknown flag names the nearest one. `--` ends flags. */
enum sr_status sr_knobs_parse(const struct sr_knobs *knobs, void *options, int argc, char **argv, struct sr_arena *arena,
			      struct sr_diags *diags, sr_strings_list *rest,
			      bool (*other)(void *data, const char *name, const char *value), void *data);
/* --help: synopsis, summary, flags by section with defaults and variables. */
void sr_knobs_help(const struct sr_knobs *knobs, FILE *out);
/* The same as a man page in roff (section 1), `extra` is roff text put before SEE ALSO, may be NULL. */
void sr_knobs_man(const struct sr_knobs *knobs, const char *extra, FILE *out);
/* --completion: what a shell proposes behind the tool's name, as a file for it to read: flags, their values, files, and `words`
 * that stand for themselves, such as the passes of shardopt. */
enum sr_shell { SR_SHELL_NONE, SR_SHELL_BASH, SR_SHELL_ZSH };
#define SR_SHELL_NAMES "none|bash|zsh"
#define SR_COMPLETION_HELP "Print what this shell completes the tool's arguments by; make install puts it where shells look."
void sr_knobs_completion(const struct sr_knobs *knobs, enum sr_shell shell, const sr_strings_list *words, FILE *out);
/* --show-knobs: name, value now, where it came from (default, environment, flag), as far as the value tells. */
void sr_knobs_show(const struct sr_knobs *knobs, const void *options, FILE *out);
/* What each knob that is not `apart` is set to, for comparison by the processes of a job: pairs of strings, each ended by NUL: the
 * knob as messages name it ("--seed", "--input, use 2"), and its value. Equal settings give equal bytes. */
void sr_knobs_serialize(const struct sr_knobs *knobs, const void *options, struct sr_buf *out);
/* An environment variable that is no knob (a launcher's: OMPI_COMM_WORLD_SIZE, SLURM_NTASKS, TMPDIR); NULL where unset. */
const char *sr_env(const char *name);
/* "128M" (K, M, G, T; 1024 each) to bytes; false where malformed or too large. */
bool sr_parse_size(const char *text, int64_t *bytes);

#endif
