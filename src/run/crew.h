/* The threads of a process that plays several devices, one for each, which sleep between tasks. Signals are none of theirs. */
#ifndef SR_RUN_CREW_H
#define SR_RUN_CREW_H

struct sr_crew;
typedef void sr_crew_task(void *data, int member);

struct sr_crew *sr_crew_open(int n); /* NULL where they cannot be started */
void sr_crew_close(struct sr_crew *crew); /* NULL is fine */
/* Each member does the task; the caller goes on, until it waits for all of them. One task at a time. */
void sr_crew_begin(struct sr_crew *crew, sr_crew_task *task, void *data);
void sr_crew_wait(struct sr_crew *crew);

#endif
