/* A row of compare.c's table of types. */
[DTYPE_ID] = FN(compare),
