/* Conversion of runs of indices of any integer type to int64_t. */
#include "kernels/element.h"

#pragma GCC optimize("O3")

#define NUMBERS(T, max) \
	do { \
		const T *from = (const T *)indices + first; \
		for (int64_t i = 0; i < n; i++) \
			to[i] = (int64_t)(from[i * step] > (max) ? (max) : from[i * step]); \
	} while (0); \
	break

void sr_index_load_strided(enum sr_dtype type, const void *indices, int64_t first, int64_t step, int64_t n, int64_t *to)
{
	switch (type) {
	case SR_I16:
		NUMBERS(int16_t, INT16_MAX);
	case SR_I32:
		NUMBERS(int32_t, INT32_MAX);
	case SR_I64:
		NUMBERS(int64_t, INT64_MAX);
	case SR_UI16:
		NUMBERS(uint16_t, UINT16_MAX);
	case SR_UI32:
		NUMBERS(uint32_t, UINT32_MAX);
	case SR_UI64:
		NUMBERS(uint64_t, INT64_MAX);
	case SR_I2:
	case SR_I4:
	case SR_I8:
		NUMBERS(int8_t, INT8_MAX);
	default:
		NUMBERS(uint8_t, UINT8_MAX);
	}
}
