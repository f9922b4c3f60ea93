// Slices and splats whose readers read the operand instead have the attribute shardrun.elided: the slice of a matrix product, and the
// updates of a scatter. A slice that is a result keeps its instruction, and an attribute in the input is removed.
// RUN: shardopt %s -shardrun-work-pipeline
func.func @slices(%a: tensor<64x32xf32>, %b: tensor<16x8xf32>) -> (tensor<32x8xf32>, tensor<32x16xf32>) {
  %0 = stablehlo.slice %a [0:32, 0:16] : (tensor<64x32xf32>) -> tensor<32x16xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<32x16xf32>, tensor<16x8xf32>) -> tensor<32x8xf32>
  %2 = stablehlo.slice %a [32:64, 16:32] : (tensor<64x32xf32>) -> tensor<32x16xf32>
  return %1, %2 : tensor<32x8xf32>, tensor<32x16xf32>
}

func.func @splats(%a: tensor<64xf32>, %indices: tensor<8x1xi32>) -> (tensor<64xf32>, tensor<8xf32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  %1 = "stablehlo.scatter"(%a, %indices, %0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<64xf32>, tensor<8x1xi32>, tensor<8xf32>) -> tensor<64xf32>
  %2 = stablehlo.constant {shardrun.elided} dense<2.0> : tensor<8xf32>
  return %1, %2 : tensor<64xf32>, tensor<8xf32>
}
