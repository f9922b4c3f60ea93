/* Conversion between element types of PJRT and of shardrun. Types narrower than a byte take one byte per element in both, and
 * on the host. */
#include "pjrt/pjrt.h"

static const uint8_t table[PJRT_TYPES] = { /* for each PJRT type the enum sr_dtype; SR_DTYPE_NONE: not supported */
    [PJRT_PRED] = SR_I1, [PJRT_S2] = SR_I2, [PJRT_S4] = SR_I4, [PJRT_S8] = SR_I8, [PJRT_S16] = SR_I16,
    [PJRT_S32] = SR_I32, [PJRT_S64] = SR_I64, [PJRT_U2] = SR_UI2, [PJRT_U4] = SR_UI4, [PJRT_U8] = SR_UI8,
    [PJRT_U16] = SR_UI16, [PJRT_U32] = SR_UI32, [PJRT_U64] = SR_UI64, [PJRT_F16] = SR_F16, [PJRT_F32] = SR_F32,
    [PJRT_F64] = SR_F64, [PJRT_BF16] = SR_BF16, [PJRT_C64] = SR_C64, [PJRT_C128] = SR_C128,
    [PJRT_F8E5M2] = SR_F8E5M2, [PJRT_F8E4M3FN] = SR_F8E4M3FN, [PJRT_F8E4M3B11FNUZ] = SR_F8E4M3B11FNUZ,
    [PJRT_F8E5M2FNUZ] = SR_F8E5M2FNUZ, [PJRT_F8E4M3FNUZ] = SR_F8E4M3FNUZ, [PJRT_F8E4M3] = SR_F8E4M3,
    [PJRT_F8E3M4] = SR_F8E3M4, [PJRT_F8E8M0FNU] = SR_F8E8M0FNU, [PJRT_F4E2M1FN] = SR_F4E2M1FN,
    [PJRT_F6E2M3FN] = SR_F6E2M3FN, [PJRT_F6E3M2FN] = SR_F6E3M2FN,
};

enum sr_dtype sr_pjrt_dtype(uint32_t type)
{
	return type < PJRT_TYPES ? (enum sr_dtype)table[type] : SR_DTYPE_NONE;
}

uint32_t sr_pjrt_type(enum sr_dtype dtype)
{
	for (uint32_t t = PJRT_INVALID + 1; t < PJRT_TYPES; t++)
		if (table[t] == dtype)
			return t;
	return PJRT_INVALID;
}
