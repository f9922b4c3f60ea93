/* A row of reduce.c's table of kernels by element type. Included once per type. */
[DTYPE_ID] = FN(reduce),
