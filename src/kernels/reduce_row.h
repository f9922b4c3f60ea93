/* A row of reduce.c's table of types. */
[DTYPE_ID] = FN(reduce),
