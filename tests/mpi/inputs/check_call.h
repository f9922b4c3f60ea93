/* For programs that use the C library: end the process if a call fails, with the message, which is evaluated after the call. */
#pragma once
#include <shardrun.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call, message)                     \
	do {                                     \
		enum sr_status status_ = (call); \
		if (status_) {                   \
			fputs(message, stderr);  \
			exit(status_);           \
		}                                \
	} while (0)
