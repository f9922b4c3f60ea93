/* A row of convert.c's table of conversions by element type. Included once per type. */
[DTYPE_ID] = &FN(conversion),
