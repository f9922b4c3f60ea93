// With dedup-functions-fully, the pipeline unflattens the call graph as it does without the option.
// RUN: shardopt %s --dump-pass-pipeline -sdy-propagation-pipeline=dedup-functions-fully=true 2>&1 >%t/out | tr , '\n' | grep unflatten
module {
}
