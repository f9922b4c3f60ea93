/* Read names of values and call stacks from locations. A value has a name in the module's text and one in the source program. */
#include "ir/ir.h"

const struct sr_attr *sr_value_loc(const struct sr_value *v)
{
	return v->def ? v->def->loc : v->loc;
}

static bool is_text_name(const struct sr_attr *loc)
{
	return loc->s[0] == '%';
}

const struct sr_attr *sr_loc_text_name(const struct sr_attr *loc)
{
	const struct sr_attr *name_loc = NULL;
	if (loc->kind == SR_LOC_NAME)
		return is_text_name(loc) ? loc : sr_loc_text_name(loc->list[0]);
	if (loc->kind == SR_LOC_CALLSITE)
		return sr_loc_text_name(loc->list[0]);
	for (int i = 0; loc->kind == SR_LOC_FUSED && !name_loc && i < loc->n; i++)
		name_loc = sr_loc_text_name(loc->list[i]);
	return name_loc;
}

const char *sr_value_text_name(const struct sr_value *v)
{
	const struct sr_attr *loc = sr_loc_text_name(sr_value_loc(v));
	return loc ? loc->s : NULL;
}

const char *sr_loc_source_name(const struct sr_attr *loc)
{
	while (loc->kind == SR_LOC_NAME && is_text_name(loc))
		loc = loc->list[0];
	if (loc->kind == SR_LOC_CALLSITE)
		return sr_loc_source_name(loc->list[0]);
	return loc->kind == SR_LOC_NAME ? loc->s : NULL;
}

static int append_frames(const struct sr_attr *loc, const char *function, struct sr_loc_frame *frames, int n, int max_frames)
{
	switch ((int)loc->kind) {
	case SR_LOC_NAME:
		return append_frames(loc->list[0], is_text_name(loc) ? function : loc->s, frames, n, max_frames);
	case SR_LOC_CALLSITE: /* list[0] is the callee's location, list[1] the caller's */
		n = append_frames(loc->list[0], NULL, frames, n, max_frames);
		return append_frames(loc->list[1], NULL, frames, n, max_frames);
	case SR_LOC_FUSED:
		return loc->n ? append_frames(loc->list[0], function, frames, n, max_frames) : n;
	case SR_LOC_FILE:
		if (n < max_frames)
			frames[n++] = (struct sr_loc_frame){function, {loc->s, loc->line, loc->col}};
		return n;
	default:
		return n;
	}
}

int sr_loc_frames(const struct sr_attr *loc, struct sr_loc_frame *frames, int max_frames)
{
	return append_frames(loc, NULL, frames, 0, max_frames);
}
