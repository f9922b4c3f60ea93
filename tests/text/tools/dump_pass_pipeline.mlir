// The passes that will run are printed with their options, which can be given again as a pipeline
// RUN: shardopt %s --dump-pass-pipeline -cse -canonicalize=max-iterations=3 -sdy-close-shardings
module {
}
