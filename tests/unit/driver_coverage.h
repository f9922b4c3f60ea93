/* Find ops and passes without a test. Part of driver.c.
 *
 * Each op must occur in tests/text or tests/rule, the function of its sharding rule in tests/rule or tests/text/propagate (by
 * any op with that rule), and each op that is executed in tests/run or tests/mpi. Each pass must be named by a text test. */
#include <dirent.h>
#include <sys/stat.h>

static const struct covered {
	const char *name, *rule, *lower, *nest;
} covered[] = {
#define OP(dialect, name, signature, attributes) {#dialect "." #name,
#define RULE(f) #f,
#define LOWER(f) #f,
#define NEST(f) #f},
#include "dialect/table/all.ops"
};
enum { N_COVERED = sizeof covered / sizeof *covered };

static void read_test(const char *path, struct sr_buf *out)
{
	char block[4096];
	size_t n;
	FILE *f = fopen(path, "r");
	while (f && (n = fread(block, 1, sizeof block, f)) > 0)
		sr_buf_put(out, block, n);
	if (f)
		fclose(f);
	sr_buf_putc(out, '\n');
}

/* Append all tests below a folder to `out`. */
static void read_tests(const char *folder, struct sr_buf *out)
{
	DIR *dir = opendir(folder);
	ck_assert_msg(dir != NULL, "%s cannot be read: SRCDIR must name the top folder of the sources", folder);
	for (struct dirent *e; (e = readdir(dir));) {
		struct stat info;
		const char *path = sr_printf(ctx->arena, "%s/%s", folder, e->d_name), *dot = strrchr(e->d_name, '.');
		if (e->d_name[0] == '.' || stat(path, &info))
			continue;
		if (S_ISDIR(info.st_mode))
			read_tests(path, out);
		else if (dot && (!strcmp(dot, ".mlir") || !strcmp(dot, ".hlo") || !strcmp(dot, ".test") || !strcmp(dot, ".out")))
			read_test(path, out);
	}
	closedir(dir);
}

static const char *read_tests_in(const char *const *folders)
{
	struct sr_buf out;
	const char *top = getenv("SRCDIR");
	sr_buf_init(&out, ctx->arena);
	for (; *folders; folders++)
		read_tests(sr_printf(ctx->arena, "%s/tests/%s", top ? top : "..", *folders), &out);
	return sr_buf_string(&out);
}

static bool is_part_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

static bool contains_name(const char *text, const char *name)
{
	size_t n = strlen(name);
	for (const char *at = text; (at = strstr(at, name)); at++)
		if ((at == text || !is_part_of_name(at[-1])) && (at[n] == '.' || !is_part_of_name(at[n])))
			return true;
	return false;
}

/* Return the op's name in text, where "__" is a dash. */
static const char *op_text_name(const char *name)
{
	char *copy = sr_strdup(ctx->arena, name), *target = copy;
	for (const char *source = name; *source; source++) {
		bool dash = source[0] == '_' && source[1] == '_';
		*target++ = dash ? '-' : *source;
		source += dash;
	}
	*target = 0;
	return copy;
}

/* Return true if the op is executed at run time. */
static bool is_executed(const struct covered *op)
{
	static const char *const idle[] = {"none", "nothing", "identity"};
	bool steps = true;
	for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
		steps = steps && strcmp(op->lower, idle[i]);
	return steps || strcmp(op->nest, "none");
}

START_TEST(every_op_has_tests)
{
	const char *texts = read_tests_in((const char *const[]){"text", "rule", NULL}), *rules = read_tests_in((const char *const[]){"rule", "text/propagate", NULL}),
		   *executed = read_tests_in((const char *const[]){"run", "mpi", NULL});
	struct sr_buf missing_names;
	sr_buf_init(&missing_names, ctx->arena);
	for (int i = 0; i < N_COVERED; i++) {
		const char *name = op_text_name(covered[i].name);
		bool has_rule = !strcmp(covered[i].rule, "none");
		for (int k = 0; k < N_COVERED && !has_rule; k++)
			has_rule = !strcmp(covered[k].rule, covered[i].rule) && contains_name(rules, op_text_name(covered[k].name));
		if (!contains_name(texts, name))
			sr_buf_printf(&missing_names, "\n%s is in no file of tests/text and tests/rule", name);
		if (!has_rule)
			sr_buf_printf(&missing_names, "\nthe rule %s of %s is in no file of tests/rule and tests/text/propagate",
				      covered[i].rule, name);
		if (is_executed(&covered[i]) && !contains_name(executed, name))
			sr_buf_printf(&missing_names, "\n%s is in no file of tests/run and tests/mpi", name);
	}
	ck_assert_msg(!missing_names.n, "%s", sr_buf_string(&missing_names));
}
END_TEST

START_TEST(every_pass_has_a_text_test)
{
	const char *texts = read_tests_in((const char *const[]){"text", "rule", NULL});
	struct sr_buf missing_names;
	sr_buf_init(&missing_names, ctx->arena);
	const struct sr_passes passes = sr_passes_with(ctx->arena, &sr_compiler_passes, sr_upstream_passes);
	for (int t = 0; t < passes.n_tables; t++)
		for (const struct sr_pass *p = passes.tables[t]; p->name; p++)
			if (!contains_name(texts, sr_printf(ctx->arena, "-%s", p->name)) && !contains_name(texts, sr_printf(ctx->arena, "--%s", p->name)) &&
			    !contains_name(texts, p->name))
				sr_buf_printf(&missing_names, "\n-%s is in no file of tests/text", p->name);
	ck_assert_msg(!missing_names.n, "%s", sr_buf_string(&missing_names));
}
END_TEST
