/* Included once per type: an entry of convert.c's table. */
[DTYPE_ID] = &FN(conversion),
