/* JIT modules in the cache of compiled programs: a header, then the object code. */
#include "codegen/jit.h"
#include <string.h>

static const char kind[] = "module";

struct header {
	struct sr_jit_counts counts;
	struct sr_digest source; /* digest of the C source of the module */
	char compiler[64];       /* name of the compiler, truncated if it is longer */
};

bool sr_jit_cache_get(const struct sr_jit_options *o, const struct sr_digest *key, struct sr_arena *arena,
		      struct sr_program_object *out, struct sr_jit_counts *counts)
{
	const char *data;
	uint64_t n;
	struct header head;
	if (!o->cache || !sr_cache_get(o->cache, kind, key, arena, &data, &n) || n < sizeof head)
		return false;
	memcpy(&head, data, sizeof head);
	head.compiler[sizeof head.compiler - 1] = '\0';
	*counts = head.counts;
	*out = (struct sr_program_object){.machine = sr_target_arch,
					  .target = sr_isa_names[o->target],
					  .compiler = sr_strdup(arena, head.compiler),
					  .key = head.source,
					  .object = data + sizeof head,
					  .n = n - sizeof head};
	return true;
}

void sr_jit_cache_put(const struct sr_jit_options *o, const struct sr_digest *key, struct sr_arena *arena,
		      const struct sr_program_object *object, const struct sr_jit_counts *counts)
{
	struct header head = {.counts = *counts, .source = object->key};
	struct sr_buf entry;
	if (!o->cache || !o->cache->folder)
		return;
	snprintf(head.compiler, sizeof head.compiler, "%s", object->compiler);
	sr_buf_init(&entry, arena);
	sr_buf_put(&entry, (const char *)&head, sizeof head);
	sr_buf_put(&entry, object->object, object->n);
	sr_cache_put(o->cache, kind, key, arena, entry.data, entry.n);
}
