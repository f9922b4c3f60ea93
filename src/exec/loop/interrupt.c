/* A signal noted. Handlers are the process's, so this is, too. */
#include "exec/loop/interrupt.h"
#include <signal.h>

static volatile sig_atomic_t came;

static void note(int number)
{
	(void)number;
	came = 1;
}

void sr_interrupt_begin(void)
{
	struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
	sigemptyset(&action.sa_mask);
	came = 0;
	(void)sigaction(SIGUSR1, &action, NULL);
}

bool sr_interrupt_came(void)
{
	return came;
}
