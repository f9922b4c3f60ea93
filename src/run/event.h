/* An event: the completion of asynchronous work, with a status. It is set once, and stays set.
 *
 * Events are reference-counted. Any thread may call any function; a thread that sees an event set also sees everything that was written
 * before it was set. */
#ifndef SR_RUN_EVENT_H
#define SR_RUN_EVENT_H

#include <shardrun/status.h>
#include <stdbool.h>

struct sr_event;

/* Create an event with one reference, not set. Return NULL if memory runs out. */
struct sr_event *sr_event_new(void);
struct sr_event *sr_event_keep(struct sr_event *event); /* Add a reference and return the event. */
void sr_event_release(struct sr_event *event);          /* Drop a reference; `event` may be NULL. */

/* Set a function that may complete the work: threads that wait for the event call advance(data) before they sleep. For work that
 * has no thread of its own. Must be called before other threads see the event. */
void sr_event_set_helper(struct sr_event *event, void (*advance)(void *data), void *data);

/* Set the event, and call on this thread the functions added by sr_event_on_set. `message` says why the work failed; it is copied,
 * and may be NULL. */
void sr_event_set(struct sr_event *event, enum sr_status status, const char *message);
bool sr_event_is_set(const struct sr_event *event);
/* Wait until the event is set: spin for some microseconds, then sleep. Return its status. */
enum sr_status sr_event_wait(struct sr_event *event);
/* Return the message of an event that is set, or "". The event owns the text. */
const char *sr_event_message(const struct sr_event *event);

/* Call fn once when the event is set, on the thread that sets it; at once if it is set already. fn must not wait for other events.
 * Return false, without a call, if memory runs out. */
typedef void sr_event_fn(void *data, enum sr_status status, const char *message);
bool sr_event_on_set(struct sr_event *event, sr_event_fn *fn, void *data);

#endif
