/* Include BODY once for every element type of the enabled classes, with TYPE defined. WANT_BOOL, WANT_INTEGER, WANT_SMALL (floats
 * of at most 8 bits), WANT_FLOAT and WANT_COMPLEX are 0 or 1. Undefines BODY and the switches. Without include guard, since it is
 * included repeatedly. */
#if WANT_BOOL
#define TYPE I1
#include BODY
#undef TYPE
#endif
#if WANT_INTEGER
#define TYPE I2
#include BODY
#undef TYPE
#define TYPE I4
#include BODY
#undef TYPE
#define TYPE I8
#include BODY
#undef TYPE
#define TYPE I16
#include BODY
#undef TYPE
#define TYPE I32
#include BODY
#undef TYPE
#define TYPE I64
#include BODY
#undef TYPE
#define TYPE UI2
#include BODY
#undef TYPE
#define TYPE UI4
#include BODY
#undef TYPE
#define TYPE UI8
#include BODY
#undef TYPE
#define TYPE UI16
#include BODY
#undef TYPE
#define TYPE UI32
#include BODY
#undef TYPE
#define TYPE UI64
#include BODY
#undef TYPE
#endif
#if WANT_SMALL
#define TYPE F4E2M1FN
#include BODY
#undef TYPE
#define TYPE F6E2M3FN
#include BODY
#undef TYPE
#define TYPE F6E3M2FN
#include BODY
#undef TYPE
#define TYPE F8E3M4
#include BODY
#undef TYPE
#define TYPE F8E4M3
#include BODY
#undef TYPE
#define TYPE F8E4M3B11FNUZ
#include BODY
#undef TYPE
#define TYPE F8E4M3FN
#include BODY
#undef TYPE
#define TYPE F8E4M3FNUZ
#include BODY
#undef TYPE
#define TYPE F8E5M2
#include BODY
#undef TYPE
#define TYPE F8E5M2FNUZ
#include BODY
#undef TYPE
#define TYPE F8E8M0FNU
#include BODY
#undef TYPE
#endif
#if WANT_FLOAT
#define TYPE BF16
#include BODY
#undef TYPE
#define TYPE F16
#include BODY
#undef TYPE
#define TYPE F32
#include BODY
#undef TYPE
#define TYPE F64
#include BODY
#undef TYPE
#endif
#if WANT_COMPLEX
#define TYPE C64
#include BODY
#undef TYPE
#define TYPE C128
#include BODY
#undef TYPE
#endif
#undef BODY
#undef WANT_BOOL
#undef WANT_INTEGER
#undef WANT_SMALL
#undef WANT_FLOAT
#undef WANT_COMPLEX
