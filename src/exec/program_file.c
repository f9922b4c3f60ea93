/* Compiled programs as files. */
#include "exec/program_file.h"
#include "exec/values/bind.h"

/* An option that needs the module; NULL: there is none. */
static const char *about_the_module(const struct sr_run_options *o)
{
	const struct {
		bool given;
		const char *name;
	} rows[] = {
		{o->function != NULL, "--function"},	  {o->partition != SR_PARTITION_CHEAP, "--partition"},
		{o->machine != NULL, "--machine"},	  {o->verify_each, "--verify-each"},
		{o->print_after != NULL, "--mlir-print-ir-after"}, {o->explain != NULL, "--explain"},
		{o->show_sharding != NULL, "--show-sharding"},	  {o->html != NULL, "--html"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].given)
			return rows[i].name;
	return NULL;
}

enum sr_status sr_program_open(const struct sr_run_options *o, const char *bytes, size_t n, struct sr_diags *diags,
			       const struct sr_program **out)
{
	struct sr_place place = {.file = o->model};
	const char *message, *option = about_the_module(o);
	if (option)
		return sr_error(diags, SR_USAGE, place, "is compiled already: %s goes with the module that it was made of", option);
	enum sr_status status = sr_program_load(bytes, n, out, &message);
	return status ? sr_error(diags, status, place, "%s", message) : SR_OK;
}

enum sr_status sr_program_write(const struct sr_program *p, const struct sr_run_options *o, struct sr_arena *arena,
				struct sr_diags *diags)
{
	struct sr_buf buf;
	sr_buf_init(&buf, arena);
	sr_program_save(p, &buf);
	return sr_bind_write_text(o->program, &buf, o->out, arena, diags);
}
