/* Compiled units in a program's file: one after another, each a head and its object, filled up to a multiple of 16 bytes. */
#include "program/program.h"
#include "support/crc32.h"
#include <string.h>

enum { ALIGN = 16 };

struct head {
	char magic[8];
	uint32_t crc, zero; /* of all that comes behind `zero` */
	uint64_t n;         /* bytes of the object */
	char machine[16], target[16], compiler[64]; /* NUL-terminated */
	struct sr_digest key;
};
static const struct head empty = {.magic = "\303SRUNIT"};

static uint32_t sum_of(const struct head *head, const char *object)
{
	size_t sealed = offsetof(struct head, n);
	return sr_crc32(sr_crc32(0, (const char *)head + sealed, sizeof *head - sealed), object, head->n);
}

static void put_name(char *to, size_t size, const char *name)
{
	size_t n = strlen(name);
	memcpy(to, name, n < size ? n : size - 1);
}

static void save(const struct sr_program_object *unit, struct sr_buf *out)
{
	static const char filling[ALIGN];
	struct head head = empty;
	put_name(head.machine, sizeof head.machine, unit->machine);
	put_name(head.target, sizeof head.target, unit->target);
	put_name(head.compiler, sizeof head.compiler, unit->compiler);
	head.key = unit->key;
	head.n = unit->n;
	head.crc = sum_of(&head, unit->object);
	sr_buf_put(out, (const char *)&head, sizeof head);
	sr_buf_put(out, unit->object, unit->n);
	sr_buf_put(out, filling, -out->n % ALIGN);
}

void sr_program_objects_save(const struct sr_program_objects *units, struct sr_buf *out)
{
	for (int i = 0; i < units->n; i++)
		save(&units->at[i], out);
}

static bool ends(const char *text, size_t size)
{
	return memchr(text, '\0', size) != NULL;
}

/* NULL, or what is wrong with the one that begins at p, where `left` bytes are left. */
static const char *read_unit(const char *p, uint64_t left, struct sr_arena *arena, struct sr_program_object *out)
{
	struct head *head = sr_alloc(arena, 1, sizeof *head);
	if (left < sizeof *head)
		return "are cut short";
	memcpy(head, p, sizeof *head);
	if (memcmp(head->magic, empty.magic, sizeof head->magic) != 0)
		return "are damaged: they do not begin as units do";
	if (head->n > left - sizeof *head)
		return "are cut short";
	*out = (struct sr_program_object){head->machine, head->target, head->compiler, head->key, p + sizeof *head, head->n};
	if (head->crc != sum_of(head, out->object) || !ends(head->machine, sizeof head->machine) ||
	    !ends(head->target, sizeof head->target) || !ends(head->compiler, sizeof head->compiler))
		return "are damaged: their checksum differs";
	return NULL;
}

void sr_program_objects_load(const struct sr_program *p, uint64_t n_bytes, struct sr_arena *arena, struct sr_program_objects *out)
{
	enum { MOST = 16 };
	struct sr_program_object *units = SR_NEWS(arena, struct sr_program_object, MOST);
	const char *at = (const char *)p + p->bytes;
	uint64_t left = n_bytes - p->bytes;
	bool cut = left < p->object_bytes;
	*out = (struct sr_program_objects){.at = units};
	while (left && out->n < MOST && !out->broken) {
		struct sr_program_object *unit = &units[out->n];
		out->broken = read_unit(at, left, arena, unit);
		if (out->broken)
			break;
		uint64_t size = sizeof(struct head) + unit->n;
		size += -size % ALIGN;
		out->n++;
		at += size < left ? size : left;
		left -= size < left ? size : left;
	}
	if (cut && !out->broken)
		out->broken = "are cut short";
}
