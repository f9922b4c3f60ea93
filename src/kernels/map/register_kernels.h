/* Included once per type, in an init function with a parameter `table`: register the kernels for TYPE. */
FN(register_kernels)(table);
