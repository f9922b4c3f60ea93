/* A row of convert.c's table of types. */
[DTYPE_ID] = &FN(conversion),
