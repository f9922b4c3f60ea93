// An image with a border of two elements, which repeat its outermost ones, shifted up by four rows. The columns of the border that
// come from the next device are short rows that are partly out of bounds.
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["d"=2]>
  func.func @main(%im: tensor<128x128xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> (tensor<128x132xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) {
    %0 = stablehlo.slice %im [0:1, 0:128] : (tensor<128x128xi32>) -> tensor<1x128xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x128xi32>) -> tensor<2x128xi32>
    %2 = stablehlo.slice %im [127:128, 0:128] : (tensor<128x128xi32>) -> tensor<1x128xi32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x128xi32>) -> tensor<2x128xi32>
    %4 = stablehlo.concatenate %1, %im, %3, dim = 0 : (tensor<2x128xi32>, tensor<128x128xi32>, tensor<2x128xi32>) -> tensor<132x128xi32>
    %5 = stablehlo.slice %4 [0:132, 0:1] : (tensor<132x128xi32>) -> tensor<132x1xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<132x1xi32>) -> tensor<132x2xi32>
    %7 = stablehlo.slice %4 [0:132, 127:128] : (tensor<132x128xi32>) -> tensor<132x1xi32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<132x1xi32>) -> tensor<132x2xi32>
    %9 = stablehlo.concatenate %6, %4, %8, dim = 1 : (tensor<132x2xi32>, tensor<132x128xi32>, tensor<132x2xi32>) -> tensor<132x132xi32>
    %10 = stablehlo.slice %9 [4:132, 0:132] : (tensor<132x132xi32>) -> tensor<128x132xi32>
    return %10 : tensor<128x132xi32>
  }
}
