/* Events: set once, from any thread, with functions called in order. Included by run.c. */
#include "run/event.h"
#include "support/thread.h"

static int event_calls[4], n_event_calls;

static void note_event(void *data, enum sr_status status, const char *message)
{
	ck_assert_int_eq(status, SR_USAGE);
	ck_assert_str_eq(message, "refused");
	event_calls[n_event_calls++] = *(int *)data;
}

START_TEST(event_calls_functions_in_order)
{
	struct sr_event *e = sr_event_new();
	int one = 1, two = 2, three = 3;
	n_event_calls = 0;
	ck_assert(!sr_event_is_set(e));
	ck_assert(sr_event_on_set(e, note_event, &one));
	ck_assert(sr_event_on_set(e, note_event, &two));
	ck_assert_int_eq(n_event_calls, 0);
	sr_event_set(e, SR_USAGE, "refused");
	ck_assert(sr_event_on_set(e, note_event, &three));
	ck_assert_int_eq(n_event_calls, 3);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(event_calls[i], i + 1);
	ck_assert_int_eq(sr_event_wait(e), SR_USAGE);
	sr_event_release(e);
}
END_TEST

static int event_value; /* variable that is written before the event is set and read after it */

static void *set_event(void *data)
{
	event_value = 7;
	sr_event_set(data, SR_OK, NULL);
	sr_event_release(data);
	return NULL;
}

START_TEST(event_is_set_by_another_thread)
{
	for (int i = 0; i < 200; i++) {
		struct sr_event *e = sr_event_new();
		pthread_t thread;
		event_value = 0;
		ck_assert(sr_thread_begin(&thread, set_event, sr_event_keep(e)));
		ck_assert_int_eq(sr_event_wait(e), SR_OK);
		ck_assert_int_eq(event_value, 7);
		ck_assert_str_eq(sr_event_message(e), "");
		sr_event_release(e);
		pthread_join(thread, NULL);
	}
}
END_TEST

START_TEST(event_that_nobody_sets_is_released_with_its_functions)
{
	struct sr_event *e = sr_event_new();
	ck_assert(sr_event_on_set(e, note_event, NULL));
	sr_event_release(e);
}
END_TEST
