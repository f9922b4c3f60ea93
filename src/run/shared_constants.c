/* The list of blocks of constants: a program with constants equal to those of a block shares the block. */
#include "run/shared_constants.h"
#include "run/array.h"
#include "run/device.h"
#include "support/map.h"
#include <stdlib.h>
#include <string.h>

void sr_constants_list_open(struct sr_constants_list *list)
{
	*list = (struct sr_constants_list){0};
	pthread_mutex_init(&list->lock, NULL);
}

void sr_constants_list_close(struct sr_constants_list *list)
{
	pthread_mutex_destroy(&list->lock);
}

static void block_free(struct sr_constants_block *b)
{
	free(b->data);
	free(b);
}

/* Create a block with the program's constants, which is not yet in the list. Returns NULL if memory runs out. */
static struct sr_constants_block *block_new(const struct sr_program *p)
{
	struct sr_constants_block *b = calloc(1, sizeof *b);
	if (!b)
		return NULL;
	b->references = 1;
	b->bytes = sr_program_constants_bytes(p);
	b->data = aligned_alloc(SR_ARRAY_ALIGN, (size_t)b->bytes + SR_ARRAY_ALIGN);
	if (!b->data) {
		free(b);
		return NULL;
	}
	memset(b->data, 0, (size_t)b->bytes); /* the padding between constants is cleared, since blocks are compared including it */
	sr_program_write_constants(p, b->data);
	b->hash = sr_hash_bytes(b->data, (size_t)b->bytes, 0);
	return b;
}

static bool are_equal(const struct sr_constants_block *a, const struct sr_constants_block *b)
{
	return a->hash == b->hash && a->bytes == b->bytes && !memcmp(a->data, b->data, (size_t)a->bytes);
}

struct sr_constants_block *sr_constants_get(struct sr_constants_list *list, const struct sr_program *p)
{
	struct sr_constants_block *own_block = block_new(p), *known_block;
	if (!own_block)
		return NULL;
	pthread_mutex_lock(&list->lock);
	for (known_block = list->first; known_block && !are_equal(known_block, own_block);)
		known_block = known_block->next;
	if (known_block) {
		known_block->references++;
	} else {
		own_block->next = list->first;
		list->first = own_block;
	}
	pthread_mutex_unlock(&list->lock);
	if (known_block)
		block_free(own_block);
	return known_block ? known_block : own_block;
}

void sr_constants_release(struct sr_constants_list *list, struct sr_constants_block *b)
{
	pthread_mutex_lock(&list->lock);
	bool is_last = !--b->references;
	for (struct sr_constants_block **at = &list->first; is_last && *at; at = &(*at)->next)
		if (*at == b) {
			*at = b->next;
			break;
		}
	pthread_mutex_unlock(&list->lock);
	if (is_last)
		block_free(b);
}
