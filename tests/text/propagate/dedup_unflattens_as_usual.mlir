// the pipeline that dedups functions fully unflattens the call graph as the other does
// RUN: shardopt %s --dump-pass-pipeline -sdy-propagation-pipeline=dedup-functions-fully=true 2>&1 >%t/out | tr , '\n' | grep unflatten
module {
}
