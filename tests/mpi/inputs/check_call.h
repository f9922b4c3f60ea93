/* CHECK for programs that use the C library: if a call fails, print a message, which is evaluated after the call, and exit. */
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
