/* Reductions with bodies of their own. A part of kernels.c, which includes this once, after kernels_nest.h. */
/* A FOLD whose body is a * x + x. */
START_TEST(bodies_of_folds_are_vector_code)
{
	enum { COLUMNS = 1300, ROWS = 21 };
	struct nest_case *c = malloc(sizeof *c);
	*c = (struct nest_case){.seed = 5, .constants = {77}};
	c->nest = (struct sr_nest){.n_loops = 2, .n_parallel = 1, .n_inputs = 3, .n_outputs = 2, .n_stages = 3,
				   .constant_bytes = 16, .extent = {COLUMNS, ROWS}};
	c->accesses[c->nest.n_accesses++] = (struct sr_nest_access){.fill = -1, .stride = {1, COLUMNS}};
	int init = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_CONSTANT}, 0, true), body = 5, args = 5;
	c->stages[1] = (struct sr_nest_stage){1, 0, 1, 0};
	int x = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD}, 1, true);
	struct sr_nest_instr fold = {.op = SR_NEST_FOLD, .n_args = 2, .args = {x, init}, .n_folds = 1, .body = body - 1,
				     .n_body = 2, .body_args = args, .body_results = {args + 3}};
	int result = new_instr(c, fold, 1, true);
	c->stages[2] = (struct sr_nest_stage){3, 0, 0, 0};
	new_store(c, 2, 1, result, 0);
	c->nest.n_values = args + 4;
	for (int v = result + 1; v < c->nest.n_values; v++)
		c->values[v] = (struct sr_nest_value){.dtype = SR_I32, .stage = -1};
	for (int k = 0; k < 2; k++)
		c->instrs[c->nest.n_instrs++] = (struct sr_nest_instr){
			.op = SR_NEST_MAP, .type = SR_I32, .kernel = k ? SR_KERNEL_ADD : SR_KERNEL_MULTIPLY, .n_args = 2,
			.result = args + 2 + k, .args = {k ? args + 2 : args, args + 1}};
	struct sr_nest *nest = pack_with_inputs(c, 0);
	struct sr_nest_prepared *r = sr_nest_prepare(nest, &table, SR_NEST_STREAM_BYTES);
	void *buffers[5] = {c->buffers[0], c->buffers[1], c->buffers[2], c->buffers[3], c->buffers[4]};
	ck_assert_int_ge(r->maps[body - 1].group, 0);
	ck_assert_int_eq(r->maps[body - 1].group, r->maps[body].group);
	execute_nest(r, buffers);
	for (int i = 0; i < COLUMNS; i++) {
		uint32_t a = 77;
		for (int row = 0; row < ROWS; row++)
			a = a * (uint32_t)c->buffers[0][row * COLUMNS + i] + (uint32_t)c->buffers[0][row * COLUMNS + i];
		ck_assert_int_eq(c->buffers[3][i], (int32_t)a);
	}
	release_case(c, nest, r);
}
END_TEST

/* A FOLD to the largest value of each column and its row, in several tiles of rows. The row is counted, unless a STORE reads it. */
START_TEST(indices_of_extrema_are_counted)
{
	enum { COLUMNS = 70, ROWS = 500, ARGS = 6, KEEPS = ARGS + 4 };
	struct nest_case *c = malloc(sizeof *c);
	bool is_stored = _i;
	*c = (struct nest_case){.seed = 7, .constants = {INT32_MIN}};
	c->nest = (struct sr_nest){.n_loops = 2, .n_parallel = 1, .n_inputs = 3, .n_outputs = 2, .n_stages = 3,
				   .constant_bytes = 16, .extent = {COLUMNS, ROWS}};
	int init = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_CONSTANT}, 0, true);
	c->stages[1] = (struct sr_nest_stage){1, 0, 1, 0};
	c->accesses[c->nest.n_accesses++] = (struct sr_nest_access){.fill = -1, .stride = {1, COLUMNS}};
	c->accesses[c->nest.n_accesses++] = (struct sr_nest_access){.buffer = -1, .fill = -1, .offset = 3, .stride = {0, 2}};
	int x = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD}, 1, true);
	int row = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_INDEX, .access = 1}, 1, true);
	int index = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_MAP, .kernel = SR_KERNEL_CONVERT, .n_args = 1, .args = {row}},
			      1, true);
	c->values[row].dtype = SR_I64;
	c->instrs[c->nest.n_instrs - 1].type = SR_I64;
	c->instrs[c->nest.n_instrs - 2].type = SR_I64;
	if (is_stored)
		new_store(c, 1, 2, index, 1);
	int fold_instr = c->nest.n_instrs;
	struct sr_nest_instr fold = {.op = SR_NEST_FOLD, .n_args = 4, .args = {x, index, init, init}, .n_folds = 2,
				     .body = fold_instr + (is_stored ? 2 : 3), .n_body = 3, .body_args = ARGS,
				     .body_results = {KEEPS + 1, KEEPS + 2}};
	int result = new_instr(c, fold, 1, true);
	c->nest.n_values++;
	c->values[result + 1] = c->values[result];
	c->stages[2] = (struct sr_nest_stage){fold_instr + 1, 0, 0, 0};
	if (!is_stored)
		new_store(c, 2, 1, result, 1);
	new_store(c, 2, 1, result + 1, 0);
	for (c->nest.n_values = ARGS; c->nest.n_values < KEEPS + 3; c->nest.n_values++)
		c->values[c->nest.n_values] =
			(struct sr_nest_value){.dtype = c->nest.n_values == KEEPS ? SR_I1 : SR_I32, .stage = -1};
	for (int k = 0; k < 3; k++)
		c->instrs[c->nest.n_instrs++] = (struct sr_nest_instr){
			.op = SR_NEST_MAP, .type = SR_I32, .kernel = k ? SR_KERNEL_SELECT : SR_KERNEL_COMPARE,
			.variant = k ? 0 : SR_GE, .n_args = k ? 3 : 2, .result = KEEPS + k,
			.args = {k ? KEEPS : ARGS, k ? ARGS + k - 1 : ARGS + 2, k ? ARGS + 1 + k : 0}};
	struct sr_nest *nest = pack_with_inputs(c, 0);
	struct sr_nest_prepared *r = sr_nest_prepare(nest, &table, SR_NEST_STREAM_BYTES);
	void *buffers[5] = {c->buffers[0], c->buffers[1], c->buffers[2], c->buffers[3], c->buffers[4]};
	ck_assert_int_eq(r->maps[fold_instr].counted, is_stored ? -1 : fold_instr - 2);
	execute_nest(r, buffers);
	for (int i = 0; i < COLUMNS; i++) {
		int32_t found = 0;
		for (int k = 1; k < ROWS; k++)
			found = c->buffers[0][k * COLUMNS + i] > c->buffers[0][found * COLUMNS + i] ? k : found;
		ck_assert_int_eq(c->buffers[3][i], 3 + 2 * found);
		if (!is_stored)
			ck_assert_int_eq(c->buffers[4][i], c->buffers[0][found * COLUMNS + i]);
	}
	release_case(c, nest, r);
}
END_TEST
