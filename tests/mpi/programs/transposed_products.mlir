// Products whose large operands are transposed values, products, or selected rows; some operands are the identity, so that the result is known
func.func @main() {
  %n = stablehlo.iota dim = 0 : tensor<90000xf32>
  %rows = stablehlo.reshape %n : (tensor<90000xf32>) -> tensor<200x450xf32>
  %columns = stablehlo.transpose %rows, dims = [1, 0] : (tensor<200x450xf32>) -> tensor<450x200xf32>
  %c0 = stablehlo.iota dim = 0 : tensor<200x200xi32>
  %c1 = stablehlo.iota dim = 1 : tensor<200x200xi32>
  %same = stablehlo.compare EQ, %c0, %c1, SIGNED : (tensor<200x200xi32>, tensor<200x200xi32>) -> tensor<200x200xi1>
  %one = stablehlo.convert %same : (tensor<200x200xi1>) -> tensor<200x200xf32>
  %left = stablehlo.dot_general %columns, %one, contracting_dims = [1] x [0] : (tensor<450x200xf32>, tensor<200x200xf32>) -> tensor<450x200xf32>
  check.expect_eq %left, %columns : tensor<450x200xf32>
  %right = stablehlo.dot_general %one, %columns, contracting_dims = [1] x [1] : (tensor<200x200xf32>, tensor<450x200xf32>) -> tensor<200x450xf32>
  check.expect_eq %right, %rows : tensor<200x450xf32>

  %blocks = stablehlo.reshape %n : (tensor<90000xf32>) -> tensor<50x9x200xf32>
  %turned = stablehlo.transpose %blocks, dims = [1, 2, 0] : (tensor<50x9x200xf32>) -> tensor<9x200x50xf32>
  %each = stablehlo.broadcast_in_dim %one, dims = [1, 2] : (tensor<200x200xf32>) -> tensor<9x200x200xf32>
  %batch = stablehlo.dot_general %each, %turned, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<9x200x200xf32>, tensor<9x200x50xf32>) -> tensor<9x200x50xf32>
  check.expect_eq %batch, %turned : tensor<9x200x50xf32>
  %turned2 = stablehlo.transpose %blocks, dims = [1, 0, 2] : (tensor<50x9x200xf32>) -> tensor<9x50x200xf32>
  %ordered = stablehlo.dot_general %turned2, %one, contracting_dims = [2] x [0] : (tensor<9x50x200xf32>, tensor<200x200xf32>) -> tensor<9x50x200xf32>
  check.expect_eq %ordered, %turned2 : tensor<9x50x200xf32>

  %made = stablehlo.dot_general %rows, %one, contracting_dims = [0] x [0] : (tensor<200x450xf32>, tensor<200x200xf32>) -> tensor<450x200xf32>
  %back = stablehlo.transpose %made, dims = [1, 0] : (tensor<450x200xf32>) -> tensor<200x450xf32>
  check.expect_eq %back, %rows : tensor<200x450xf32>
  return
}
