/* Register the elementwise kernels for TYPE. Included once per type, in an init function with a parameter `table`. */
FN(register_kernels)(table);
