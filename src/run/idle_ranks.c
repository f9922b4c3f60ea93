/* Implementation of outcomes by messages on the launch's communicator. Executions may end in another order than they began, so a
 * message's tag is the number of its execution. */
#include "run/idle_ranks.h"
#include "run/client.h"
#include <stddef.h>
#include <string.h>

/* Tags 1 to N_TAGS are used in turn; 0 is that of the launch's own messages. At most some hundred executions are under way. */
enum { N_TAGS = 16384 };

static int tag_of(uint64_t number)
{
	return 1 + (int)(number % N_TAGS);
}

/* Return true if the rank has no device of the set. */
static bool is_idle_rank(const struct sr_device_set *w, int rank)
{
	for (int d = 0; d < w->n_devices; d++)
		if (w->rank_of_device[d] == rank)
			return false;
	return true;
}

void sr_outcome_send(struct sr_client *c, const struct sr_device_set *w, uint64_t number, const struct sr_outcome *outcome)
{
	uint64_t bytes = offsetof(struct sr_outcome, message) + strlen(outcome->message) + 1;
	if (c->launch.rank != w->rank_of_device[0])
		return;
	for (int r = 0; r < c->launch.size; r++)
		if (is_idle_rank(w, r) && !sr_launch_send(&c->launch, r, tag_of(number), outcome, bytes))
			return;
}

void sr_outcome_receive(struct sr_client *c, const struct sr_device_set *w, uint64_t number, struct sr_outcome *outcome)
{
	if (sr_launch_receive(&c->launch, w->rank_of_device[0], tag_of(number), outcome, sizeof *outcome))
		return;
	uint64_t word = sr_abort_read(&c->launch.abort);
	*outcome = (struct sr_outcome){.status = (int32_t)sr_abort_status(word), .has_run = true};
	sr_abort_text(word, outcome->message, sizeof outcome->message);
}
