/* Included once per type: an entry of compare.c's table. */
[DTYPE_ID] = FN(compare),
