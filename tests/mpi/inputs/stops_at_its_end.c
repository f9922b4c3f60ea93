/* Loaded before a program: the process stops itself when all of it is done but to be gone. */
#include <signal.h>

__attribute__((destructor)) static void stop(void)
{
	raise(SIGSTOP);
}
