/* Run the program argv[1] through the C library, with argv[3] devices per rank (-1: all): two steps with the same arguments,
 * argv[4] and following; the result is written to argv[2]. Rank 0 prints its devices. */
#include <shardrun.h>
#include <stdio.h>
#include <stdlib.h>

static int report_failure(enum sr_status status, const char *message)
{
	if (status)
		fputs(message, stderr);
	return status;
}

/* Fill the slices of each device of this rank. */
static int fill_arguments(struct shardrun_run *run, int n, char **values)
{
	int status = 0;
	for (int k = 0; !status && k < shardrun_run_devices(run); k++) {
		status = report_failure(shardrun_run_select(run, k), shardrun_run_message(run));
		for (int i = 0; !status && i < n; i++)
			status = report_failure(shardrun_run_fill(run, i, values[i]), shardrun_run_message(run));
	}
	return status;
}

int main(int argc, char **argv)
{
	struct shardrun_client_options options = SHARDRUN_CLIENT_OPTIONS_INIT;
	struct shardrun_run_options on_client = SHARDRUN_RUN_OPTIONS_INIT;
	struct shardrun_client *client = NULL;
	struct shardrun_module *module = NULL;
	struct shardrun_plan *plan = NULL;
	struct shardrun_run *run = NULL;
	const char *const outputs[] = {argv[2]};
	if (argc < 5)
		return SR_USAGE;
	options.devices_per_rank = atoi(argv[3]);
	int status = report_failure(shardrun_client_open(&options, &client), shardrun_client_message(client));
	on_client.client = client;
	if (!status)
		status = report_failure(shardrun_module_load(argv[1], &module), shardrun_module_message(module));
	if (!status)
		status = report_failure(shardrun_plan_make(module, NULL, &plan), shardrun_plan_message(plan));
	if (!status)
		status = report_failure(shardrun_run_open(plan, &on_client, &run), shardrun_run_message(run));
	for (int step = 0; !status && step < 2; step++) {
		status = fill_arguments(run, argc - 4, argv + 4);
		if (!status)
			status = report_failure(shardrun_run_step(run), shardrun_run_message(run));
	}
	for (int k = 0; !status && shardrun_client_rank(client) == 0 && k < shardrun_run_devices(run); k++)
		if (!shardrun_run_select(run, k))
			printf("rank 0 executes device %d\n", (int)shardrun_run_device(run));
	if (!status)
		status = report_failure(shardrun_run_write(run, outputs, 1), shardrun_run_message(run));
	shardrun_run_close(run);
	shardrun_plan_free(plan);
	shardrun_module_free(module);
	shardrun_client_close(client);
	return status;
}
