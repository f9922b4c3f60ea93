/* The registry of the compiler's passes: folders in the order of the pipeline, then the passes of each. */
#include "driver/driver.h"
#include "driver/tune.h"
#include "import/import.h"
#include "optimize/optimize.h"
#include "partition/partition.h"
#include "propagate/propagate.h"
#include "work/work.h"

static const struct sr_pass *const pass_tables[] = {sr_import_passes,   sr_propagate_passes, sr_pipeline_passes, sr_partition_passes,
					       sr_optimize_passes, sr_work_passes,      sr_driver_passes,   sr_tune_passes};

const struct sr_passes sr_compiler_passes = {pass_tables, sizeof pass_tables / sizeof *pass_tables};
