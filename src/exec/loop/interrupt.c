/* Handler of SIGUSR1, which sets one flag per process. */
#include "exec/loop/interrupt.h"
#include <signal.h>

static volatile sig_atomic_t received_signal;

static void on_signal(int number)
{
	(void)number;
	received_signal = 1;
}

void sr_interrupt_begin(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	sigemptyset(&action.sa_mask);
	received_signal = 0;
	(void)sigaction(SIGUSR1, &action, NULL);
}

bool sr_interrupt_came(void)
{
	return received_signal;
}
