/* Abort on internal errors. Errors from outside (input, memory, peers) are a status and a message instead. */
#ifndef SR_SUPPORT_BUG_H
#define SR_SUPPORT_BUG_H

/* Print "internal: <message>" on standard error and abort. */
_Noreturn void sr_bug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
