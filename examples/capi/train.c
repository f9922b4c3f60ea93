/* Train through the C API: execute 100 steps of one program, whose weights stay on the devices. Between steps, execute a second
 * program, on another mesh, which reads the weights. A program is a module, or a file made by
 * shardrun --run=false --program=FILE.srp.
 *
 *	cc train.c -o train $(pkg-config --cflags --libs shardrun)
 *	mpirun -np 4 ./train train.mlir largest_error.mlir */
#include <shardrun.h>
#include <stdio.h>
#include <string.h>

static const char x_text[] = "8x2xf32=[[1 0][0 1][1 1][1 -1][0.5 1][1 0.5][-1 0.5][0.5 -1]]";
static const char y_text[] = "8xf32=2 -1 1 3 0 1.5 -2.5 2"; /* y = x times [2, -1] */

struct program {
	struct shardrun_module *module;
	struct shardrun_plan *plan;
	struct shardrun_run *run;
	struct shardrun_array *x, *y;
};

static int failed(enum sr_status status, const char *message)
{
	if (status)
		fputs(message, stderr); /* message is empty on all ranks but one */
	return status;
}

static int make_plan(struct program *p, const char *path)
{
	size_t n = strlen(path);
	if (n > 4 && !strcmp(path + n - 4, ".srp")) /* a compiled program and its run */
		return failed(shardrun_plan_load(path, &p->plan), shardrun_plan_message(p->plan));
	int status = failed(shardrun_module_load(path, &p->module), shardrun_module_message(p->module));
	return status ? status : failed(shardrun_plan_make(p->module, NULL, &p->plan), shardrun_plan_message(p->plan));
}

static int open_program(struct program *p, const char *path, struct shardrun_client *client)
{
	struct shardrun_run_options options = SHARDRUN_RUN_OPTIONS_INIT;
	options.client = client;
	int status = make_plan(p, path);
	if (!status)
		status = failed(shardrun_run_open(p->plan, &options, &p->run), shardrun_run_message(p->run));
	if (!status)
		status = failed(shardrun_array_make(p->run, 1, x_text, &p->x), shardrun_run_message(p->run));
	if (!status)
		status = failed(shardrun_array_make(p->run, 2, y_text, &p->y), shardrun_run_message(p->run));
	return status;
}

static void close_program(struct program *p)
{
	shardrun_array_free(p->x);
	shardrun_array_free(p->y);
	shardrun_run_close(p->run);
	shardrun_plan_free(p->plan);
	shardrun_module_free(p->module);
}

/* Execute program p with these weights; rank 0 prints the last result, a scalar. */
static int execute(struct program *p, struct shardrun_array *weights, int n_results, struct shardrun_array **results, const char *what, int rank)
{
	struct shardrun_array *arguments[] = {weights, p->x, p->y};
	struct shardrun_buffer scalar;
	int status = failed(shardrun_execute(p->run, arguments, 3, results, n_results), shardrun_run_message(p->run));
	if (!status && what && rank == 0 && !shardrun_array_slice(results[n_results - 1], &scalar))
		printf("%s %.4f\n", what, *(const float *)scalar.data);
	return status;
}

static int train_and_check(struct program *step, struct program *reader, int rank)
{
	struct shardrun_array *weights, *results[2];
	int status = failed(shardrun_array_make(step->run, 0, NULL, &weights), shardrun_run_message(step->run)); /* zeros */
	for (int i = 1; !status && i <= 100; i++) {
		status = execute(step, weights, 2, results, i % 50 ? NULL : "loss", rank);
		shardrun_array_free(weights); /* frees only the handle: the memory was donated to the execution */
		weights = results[0];
		shardrun_array_free(results[1]);
		if (status)
			break;
		status = execute(reader, weights, 1, results, i % 50 ? NULL : "largest error", rank);
		shardrun_array_free(results[0]);
	}
	struct shardrun_buffer w;
	if (!status && rank == 0 && !shardrun_array_slice(weights, &w))
		printf("weights %.3f %.3f\n", ((const float *)w.data)[0], ((const float *)w.data)[1]);
	shardrun_array_free(weights);
	return status;
}

int main(int argc, char **argv)
{
	struct shardrun_client *client = NULL;
	struct program step = {0}, reader = {0};
	int status = failed(shardrun_client_open(NULL, &client), shardrun_client_message(client));
	if (!status)
		status = open_program(&step, argc > 1 ? argv[1] : "train.mlir", client);
	if (!status)
		status = open_program(&reader, argc > 2 ? argv[2] : "largest_error.mlir", client);
	if (!status)
		status = train_and_check(&step, &reader, shardrun_client_rank(client));
	close_program(&step);
	close_program(&reader);
	shardrun_client_close(client);
	return status;
}
