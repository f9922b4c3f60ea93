/* The end of a program that is wrong itself. What is wrong outside of it (input, memory, peers) is a status and a message. */
#ifndef SR_SUPPORT_BUG_H
#define SR_SUPPORT_BUG_H

/* "internal: ..." on standard error, and abort. */
_Noreturn void sr_bug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
