// Values of options that cannot be meant, misspelled names of passes and empty names of files and commands are errors before the model is compiled
// RUN: for o in --mlir-print-ir-after=csee --mlir-print-ir-after=sdy-propagation-pipeline --expected-rtol=-1 --expected-f32-threshold=nan --report= --machine= --max-model-bytes=10 --launcher= --cc= --seed=0x --seed=09x; do shardrun --run=false $o %s; echo $?; done; shardopt %s -sdy-propagation-pipelin; shardopt %s -cse -mlir-print-ir-before=cs; shardopt %s --mlir-elide-elementsattrs-if-larger=-1; shardopt %s -o ""; echo $?
func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %x, %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}
