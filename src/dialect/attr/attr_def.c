/* Hold the definitions of dialect attributes (attr_defs.def), and create attributes from them. */
#include "dialect/ops.h"
#include "dialect/signature.h"
#include <string.h>

#define ENUM(dialect, name, ...) static const struct sr_attr_def def_##dialect##_##name;
#define STRUCT(dialect, name, form, ...) static const struct sr_attr_def def_##dialect##_##name;
#include "dialect/attr/attr_defs.def"

#define DEF(dialect, name) (&def_##dialect##_##name)
#define FIELD(field, kind, of, initial) {#field, SR_KIND_##kind, #kind, (initial) != NULL, initial, of}
#define STRUCT(dialect, name, form, ...) static const struct sr_attr_slot fields_##dialect##_##name[] = {__VA_ARGS__};
#include "dialect/attr/attr_defs.def"
#define ENUM(dialect, name, ...) static const char *const values_##dialect##_##name[] = {__VA_ARGS__, NULL};
#include "dialect/attr/attr_defs.def"

#define ENUM(dialect, name, ...) \
	static const struct sr_attr_def def_##dialect##_##name = {#dialect, #name, SR_FORM_ENUM, values_##dialect##_##name, NULL, 0};
#define STRUCT(dialect, name, form, ...) \
	static const struct sr_attr_def def_##dialect##_##name = { \
		#dialect, #name, SR_FORM_##form, NULL, fields_##dialect##_##name, \
		sizeof fields_##dialect##_##name / sizeof *fields_##dialect##_##name};
#include "dialect/attr/attr_defs.def"

static const struct sr_attr_def *const defs[] = {
#define ENUM(dialect, name, ...) DEF(dialect, name),
#define STRUCT(dialect, name, form, ...) DEF(dialect, name),
#include "dialect/attr/attr_defs.def"
};
#undef FIELD
#undef DEF

const struct sr_attr_def *sr_attr_def_find(const char *dialect, const char *name)
{
	for (size_t i = 0; i < sizeof defs / sizeof *defs; i++)
		if (strcmp(defs[i]->name, name) == 0 && strcmp(defs[i]->dialect, dialect) == 0)
			return defs[i];
	return NULL;
}

const struct sr_attr *sr_attr_enum_at(struct sr_context *ctx, const char *dialect, const char *name, int value)
{
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_ATTR_ENUM, .def = sr_attr_def_find(dialect, name), .i = value});
}

const struct sr_attr *sr_attr_enum(struct sr_context *ctx, const char *dialect, const char *name, const char *value)
{
	const struct sr_attr_def *def = sr_attr_def_find(dialect, name);
	for (int i = 0; def && def->values[i]; i++)
		if (strcmp(def->values[i], value) == 0)
			return sr_attr_enum_at(ctx, dialect, name, i);
	return NULL;
}

const struct sr_attr *sr_attr_struct(struct sr_context *ctx, const struct sr_attr_def *def, const struct sr_attr *const *fields)
{
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_ATTR_STRUCT, .def = def, .list = fields, .n = def->n_fields});
}

const char *sr_attr_enum_name(const struct sr_attr *a)
{
	return a->def->values[a->i];
}

const struct sr_attr *sr_attr_field(const struct sr_attr *structure, const char *field)
{
	for (int i = 0; i < structure->def->n_fields; i++)
		if (strcmp(structure->def->fields[i].name, field) == 0)
			return structure->list[i];
	return NULL;
}
