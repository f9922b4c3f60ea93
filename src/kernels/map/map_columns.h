/* Make the columns of map.ops for one class of element types expand to their expression and all others to nothing. Included
 * before map.ops with COLUMNS set to one of the COLUMNS_ numbers. Without include guard, since it is included repeatedly. */
#define COLUMNS_BOOL 1
#define COLUMNS_SINT 2
#define COLUMNS_UINT 3
#define COLUMNS_FLOAT 4
#define COLUMNS_COMPLEX 5
#define COLUMNS_PART 6
#define COLUMNS_TEST 7

#undef SIGNED
#undef UNSIGNED
#undef INTEGER
#undef PRED
#undef FLOAT
#undef COMPLEX
#undef PART
#undef TEST
#if COLUMNS == COLUMNS_SINT
#define SIGNED(...) __VA_ARGS__
#else
#define SIGNED(...)
#endif
#if COLUMNS == COLUMNS_UINT
#define UNSIGNED(...) __VA_ARGS__
#else
#define UNSIGNED(...)
#endif
#if COLUMNS == COLUMNS_SINT || COLUMNS == COLUMNS_UINT
#define INTEGER(...) __VA_ARGS__
#else
#define INTEGER(...)
#endif
#if COLUMNS == COLUMNS_BOOL
#define PRED(...) __VA_ARGS__
#else
#define PRED(...)
#endif
#if COLUMNS == COLUMNS_FLOAT
#define FLOAT(...) __VA_ARGS__
#else
#define FLOAT(...)
#endif
#if COLUMNS == COLUMNS_COMPLEX
#define COMPLEX(...) __VA_ARGS__
#else
#define COMPLEX(...)
#endif
#if COLUMNS == COLUMNS_PART
#define PART(...) __VA_ARGS__
#else
#define PART(...)
#endif
#if COLUMNS == COLUMNS_TEST
#define TEST(...) __VA_ARGS__
#else
#define TEST(...)
#endif
