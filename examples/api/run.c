/* Run a program on the ranks of an MPI job and print the first element of its first result: the C API in one page.
 *
 *	cc run.c -o run $(pkg-config --cflags --libs shardrun)
 *	mpirun -np 8 ./run ../mlp/model.mlir ../mlp/x.npy ../mlp/w1.npy ../mlp/w2.npy
 *
 * Every argument after the model is an argument of the program, in order. The results are written to result0.npy, ... */
#include <shardrun.h>
#include <stdio.h>

static int failed(enum sr_status status, const char *message)
{
	if (status)
		fputs(message, stderr); /* message is empty on all ranks but one */
	return status;
}

int main(int argc, char **argv)
{
	static const char *const results[] = {"result0.npy"};
	struct shardrun_module *module = NULL;
	struct shardrun_plan *plan = NULL;
	struct shardrun_run *run = NULL;
	struct shardrun_figures figures = SHARDRUN_FIGURES_INIT;
	char text[4096];
	int status = failed(shardrun_module_load(argc > 1 ? argv[1] : "-", &module), shardrun_module_message(module));
	if (!status)
		status = failed(shardrun_plan_make(module, NULL, &plan), shardrun_plan_message(plan));
	if (!status)
		status = failed(shardrun_run_open(plan, NULL, &run), shardrun_run_message(run));
	for (int i = 0; !status && i + 2 < argc; i++) {
		snprintf(text, sizeof text, "@%s", argv[i + 2]);
		status = failed(shardrun_run_fill(run, i, text), shardrun_run_message(run));
	}
	if (!status)
		status = failed(shardrun_run_step(run), shardrun_run_message(run));
	if (!status)
		status = failed(shardrun_run_write(run, results, 1), shardrun_run_message(run));
	if (!status && shardrun_run_device(run) == 0) {
		shardrun_plan_figures(plan, &figures);
		printf("%lld devices, %lld bytes on each; wrote %s\n", (long long)figures.devices, (long long)figures.peak_bytes, results[0]);
	}
	shardrun_run_close(run);
	shardrun_plan_free(plan);
	shardrun_module_free(module);
	return status;
}
