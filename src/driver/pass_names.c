/* Names of passes in options: lists such as --mlir-print-ir-after=cse,inline, and suggestions for misspelled names. */
#include "driver/driver.h"
#include <string.h>

bool sr_pass_list_contains(const char *list, const char *pass)
{
	size_t n = strlen(pass);
	if (!strcmp(list, "all"))
		return true;
	for (const char *p = list; *p;) {
		size_t m = strcspn(p, ",");
		if (m == n && !memcmp(p, pass, n))
			return true;
		p += m + (p[m] == ',');
	}
	return false;
}

void sr_passes_offer(const struct sr_passes *passes, struct sr_suggest *s)
{
	for (int i = 0; i < passes->n_tables; i++)
		for (const struct sr_pass *p = passes->tables[i]; p->name; p++)
			sr_suggest_offer(s, p->name);
}

enum sr_status sr_check_pass_names(const struct sr_passes *passes, const char *flag, const char *list, struct sr_arena *arena,
				   struct sr_diags *diags)
{
	struct sr_src_loc no_place = {0};
	if (!list || !strcmp(list, "all"))
		return SR_OK;
	for (const char *p = list; *p;) {
		size_t n = strcspn(p, ",");
		const struct sr_pass *pass = sr_pass_find(passes, p, n);
		if (pass && !pass->run)
			return sr_error(diags, SR_USAGE, no_place,
					"%s=%s: '%s' is a pipeline; name its passes, which shardopt --list-passes lists", flag,
					list, pass->name);
		if (!pass) {
			struct sr_suggest s = sr_suggest_for(p, n);
			sr_passes_offer(passes, &s);
			return sr_error(diags, SR_USAGE, no_place, "%s=%s: '%.*s' is not a pass%s", flag, list, (int)n, p,
					s.nearest ? sr_suggest_message(arena, s.nearest) : "; shardopt --list-passes lists them");
		}
		p += n + (p[n] == ',');
	}
	return SR_OK;
}
