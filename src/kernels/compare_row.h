/* A row of choose.c's table of types. */
[DTYPE_ID] = FN(compare),
