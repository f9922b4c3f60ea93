/* Command-line flags and environment variables, described by one table per tool from which parsing, --help, the manual page and
 * shell completion are generated. This component contains the only getenv.
 *
 * In long names - and _ are interchangeable; one or two dashes are accepted, and both --flag=value and --flag value. A bool
 * takes no value, =true or =false. If a knob has an environment variable, it is read first and the command line overrides it. A
 * LIST knob collects the values of all uses in order. A word @FILE that is not a flag's value is replaced by the words in FILE,
 * which may name further files. */
#ifndef SR_SUPPORT_KNOBS_H
#define SR_SUPPORT_KNOBS_H

#include "support/arena.h"
#include "support/buf.h"
#include "support/diag.h"
#include "support/knobs/suggest.h"
#include "support/vec.h"
#include <stdbool.h>

enum sr_knob_type { SR_KNOB_BOOL, SR_KNOB_INT, SR_KNOB_DOUBLE, SR_KNOB_SIZE /* an integer, perhaps with suffix K, M, G or T */, SR_KNOB_STRING, SR_KNOB_CHOICE, SR_KNOB_LIST };

struct sr_knob {
	const char *name;      /* long name, written with -: "num-repeats" */
	char letter;           /* one-letter form; 0: none */
	enum sr_knob_type type;
	size_t offset;         /* offset of the field in the tool's struct of options */
	const char *value;     /* placeholder in the help: "N", "FILE"; of a CHOICE "a|b|c" */
	const char *initial;   /* default as text; NULL: zero, or none */
	const char *env;       /* environment variable, or NULL */
	const char *section;   /* section heading in the help and the manual page */
	const char *help;      /* description: one or two sentences */
	const char *implicit_value; /* value of the flag without a value; NULL: the next word is the value */
	bool may_differ;       /* affects this process only, so the processes of a job may have different values */
};

typedef SR_VEC(const char *) sr_strings_list;

struct sr_example { /* an example for the manual page */
	const char *command, *help; /* `help` is one sentence on what the command does */
};

/* C type of an option's field, by knob type: BOOL bool; INT and SIZE int64_t; DOUBLE double; STRING const char *; CHOICE int
 * (index of the choice); LIST sr_strings_list. */
struct sr_knobs {
	const char *tool;     /* name of the tool: "shardrun" */
	const char *synopsis; /* usage line: "shardrun [options] model.mlir" */
	const char *summary;  /* what the tool does, in one sentence */
	const struct sr_knob *rows;
	int n;
	const struct sr_example *examples;
	int n_examples;
};

/* Set defaults, then read the environment, then the command line. Words that are not flags are appended to `positional` in order.
 * `set_other`, if not NULL, is offered each flag without a row, in command-line order (shardopt's passes): `name` without dashes,
 * `value` the text after '=' or NULL; it returns true if it accepts the flag, else it may offer names of its own to `s`. Return
 * SR_USAGE with one error reported if a flag is unknown or a value is malformed; the message for an unknown flag suggests the
 * nearest name. `--` ends the flags. */
enum sr_status sr_knobs_parse(const struct sr_knobs *knobs, void *options, int argc, char **argv, struct sr_arena *arena,
			      struct sr_diags *diags, sr_strings_list *positional,
			      bool (*set_other)(void *data, const char *name, const char *value, struct sr_suggest *s),
			      void *data);
/* Functions that sr_knobs_parse calls, also for options that are not on a command line. */
/* Set defaults, then read the environment. */
enum sr_status sr_knobs_begin(const struct sr_knobs *knobs, void *options, struct sr_arena *arena, struct sr_diags *diags);
/* Return the knob with this long name. If there is none, return NULL and set *nearest to the most similar name, or NULL. */
const struct sr_knob *sr_knobs_find(const struct sr_knobs *knobs, const char *name, const char **nearest);
/* Set a knob from text. `source` names the option in messages. */
enum sr_status sr_knobs_set(const struct sr_knob *knob, void *options, const char *source, const char *text, struct sr_arena *arena,
			    struct sr_diags *diags);
/* Write the --help text: synopsis, summary, flags by section with defaults and environment variables. */
void sr_knobs_help(const struct sr_knobs *knobs, FILE *out);
/* Write the manual page in roff (section 1). `extra`, which may be NULL, is roff text inserted before SEE ALSO. */
void sr_knobs_man(const struct sr_knobs *knobs, const char *extra, FILE *out);
/* Write a completion script for a shell (--completion): flags, their values, file names, and `words`, further words such as the
 * passes of shardopt. */
enum sr_shell { SR_SHELL_NONE, SR_SHELL_BASH, SR_SHELL_ZSH };
#define SR_SHELL_NAMES "none|bash|zsh"
#define SR_COMPLETION_HELP "Print the completion script of this shell for the tool; make install puts it where the shell looks."
void sr_knobs_completion(const struct sr_knobs *knobs, enum sr_shell shell, const sr_strings_list *words, FILE *out);
/* Print name, current value and origin (default, environment or flag) of each knob, for --show-knobs. The origin is inferred
 * from the value. */
void sr_knobs_show(const struct sr_knobs *knobs, const void *options, FILE *out);
/* Serialize the values of all knobs that may not differ between processes, for comparison: pairs of NUL-terminated strings, the
 * knob as messages name it ("--seed", "--input, use 2") and its value. Processes with equal settings get equal bytes. */
void sr_knobs_serialize(const struct sr_knobs *knobs, const void *options, struct sr_buf *out);
/* Return an environment variable that is not a knob (OMPI_COMM_WORLD_SIZE, SLURM_NTASKS, TMPDIR); NULL if unset. */
const char *sr_env(const char *name);
/* Parse a size such as "128M" (K, M, G, T: powers of 1024) into bytes. Return false if it is malformed or too large. */
bool sr_parse_size(const char *text, int64_t *bytes);

#endif
