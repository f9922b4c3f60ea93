/* Write and read the object code in a program's file: JIT modules one after another, each a header and its object, padded to a
 * multiple of 16 bytes. */
#include "program/program.h"
#include "support/crc32.h"
#include <string.h>

enum { ALIGN = 16 };

struct module_header {
	char magic[8];
	uint32_t crc, zero; /* crc: checksum of all bytes after `zero` */
	uint64_t n;         /* size of the object in bytes */
	char machine[16], target[16], compiler[64]; /* processor, instruction set and compiler, NUL-terminated */
	struct sr_digest key;
};
static const struct module_header empty_header = {.magic = "\303SRUNIT"};

static uint32_t checksum_of(const struct module_header *header, const char *object)
{
	size_t checksum_start = offsetof(struct module_header, n);
	return sr_crc32(sr_crc32(0, (const char *)header + checksum_start, sizeof *header - checksum_start), object, header->n);
}

static void put_name(char *to, size_t size, const char *name)
{
	size_t n = strlen(name);
	memcpy(to, name, n < size ? n : size - 1);
}

static void save(const struct sr_program_object *entry, struct sr_buf *out)
{
	static const char zero_padding[ALIGN];
	struct module_header header = empty_header;
	put_name(header.machine, sizeof header.machine, entry->machine);
	put_name(header.target, sizeof header.target, entry->target);
	put_name(header.compiler, sizeof header.compiler, entry->compiler);
	header.key = entry->key;
	header.n = entry->n;
	header.crc = checksum_of(&header, entry->object);
	sr_buf_put(out, (const char *)&header, sizeof header);
	sr_buf_put(out, entry->object, entry->n);
	sr_buf_put(out, zero_padding, -out->n % ALIGN);
}

void sr_program_objects_save(const struct sr_program_objects *objects, struct sr_buf *out)
{
	for (int i = 0; i < objects->n; i++)
		save(&objects->objects[i], out);
}

static bool is_terminated(const char *text, size_t size)
{
	return memchr(text, '\0', size) != NULL;
}

/* Read the object at p, in the `n_remaining` bytes that are left. Return NULL, or an error message. */
static const char *read_entry(const char *p, uint64_t n_remaining, struct sr_arena *arena, struct sr_program_object *out)
{
	struct module_header *header = sr_alloc(arena, 1, sizeof *header);
	if (n_remaining < sizeof *header)
		return "are truncated";
	memcpy(header, p, sizeof *header);
	if (memcmp(header->magic, empty_header.magic, sizeof header->magic) != 0)
		return "are damaged: the magic number is missing";
	if (header->n > n_remaining - sizeof *header)
		return "are truncated";
	*out = (struct sr_program_object){header->machine, header->target, header->compiler, header->key, p + sizeof *header, header->n};
	if (header->crc != checksum_of(header, out->object) || !is_terminated(header->machine, sizeof header->machine) ||
	    !is_terminated(header->target, sizeof header->target) || !is_terminated(header->compiler, sizeof header->compiler))
		return "are damaged: their checksum differs";
	return NULL;
}

void sr_program_objects_load(const struct sr_program *p, uint64_t n_bytes, struct sr_arena *arena, struct sr_program_objects *out)
{
	enum { MAX_OBJECTS = 16 };
	struct sr_program_object *objects = SR_NEW_ARRAY(arena, struct sr_program_object, MAX_OBJECTS);
	const char *at = (const char *)p + p->bytes;
	uint64_t n_remaining = n_bytes - p->bytes;
	bool is_short = n_remaining < p->object_bytes;
	*out = (struct sr_program_objects){.objects = objects};
	while (n_remaining && out->n < MAX_OBJECTS && !out->error) {
		struct sr_program_object *entry = &objects[out->n];
		out->error = read_entry(at, n_remaining, arena, entry);
		if (out->error)
			break;
		uint64_t size = sizeof(struct module_header) + entry->n;
		size += -size % ALIGN;
		out->n++;
		at += size < n_remaining ? size : n_remaining;
		n_remaining -= size < n_remaining ? size : n_remaining;
	}
	if (is_short && !out->error)
		out->error = "are truncated";
}
