// A slice of a concatenate that takes most of its elements from one operand is a concatenate of slices; slices of slices, and dynamic slices with constant starts, are slices.
// RUN: shardopt %s -shardrun-simplify -dce
// The border repeats elements from the other end: each neighbor is one edge and a slice.
func.func @periodic(%x: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x6xf32>) {
  %last = stablehlo.slice %x [7:8, 0:6] : (tensor<8x6xf32>) -> tensor<1x6xf32>
  %first = stablehlo.slice %x [0:1, 0:6] : (tensor<8x6xf32>) -> tensor<1x6xf32>
  %rows = stablehlo.concatenate %last, %x, %first, dim = 0 : (tensor<1x6xf32>, tensor<8x6xf32>, tensor<1x6xf32>) -> tensor<10x6xf32>
  %right = stablehlo.slice %rows [0:10, 5:6] : (tensor<10x6xf32>) -> tensor<10x1xf32>
  %left = stablehlo.slice %rows [0:10, 0:1] : (tensor<10x6xf32>) -> tensor<10x1xf32>
  %p = stablehlo.concatenate %right, %rows, %left, dim = 1 : (tensor<10x1xf32>, tensor<10x6xf32>, tensor<10x1xf32>) -> tensor<10x8xf32>
  %center = stablehlo.slice %p [1:9, 1:7] : (tensor<10x8xf32>) -> tensor<8x6xf32>
  %north = stablehlo.slice %p [0:8, 1:7] : (tensor<10x8xf32>) -> tensor<8x6xf32>
  %east = stablehlo.slice %p [1:9, 2:8] : (tensor<10x8xf32>) -> tensor<8x6xf32>
  %corner = stablehlo.slice %p [0:8, 0:6] : (tensor<10x8xf32>) -> tensor<8x6xf32>
  return %center, %north, %east, %corner : tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x6xf32>
}

// Strides along the concatenated dimension stay, others are kept in the slices; so do halves.
func.func @strided(%x: tensor<1x6xf32>, %y: tensor<7x6xf32>) -> (tensor<4x6xf32>, tensor<5x3xf32>, tensor<2x6xf32>) {
  %c = stablehlo.concatenate %x, %y, dim = 0 : (tensor<1x6xf32>, tensor<7x6xf32>) -> tensor<8x6xf32>
  %rows = stablehlo.slice %c [0:8:2, 0:6] : (tensor<8x6xf32>) -> tensor<4x6xf32>
  %columns = stablehlo.slice %c [0:5, 0:6:2] : (tensor<8x6xf32>) -> tensor<5x3xf32>
  %halves = stablehlo.slice %c [0:2, 0:6] : (tensor<8x6xf32>) -> tensor<2x6xf32>
  return %rows, %columns, %halves : tensor<4x6xf32>, tensor<5x3xf32>, tensor<2x6xf32>
}

// A chain of concatenates along one dimension.
func.func @chain(%x: tensor<8xf32>, %y: tensor<1xf32>) -> tensor<9xf32> {
  %a = stablehlo.concatenate %x, %y, dim = 0 : (tensor<8xf32>, tensor<1xf32>) -> tensor<9xf32>
  %b = stablehlo.concatenate %a, %y, dim = 0 : (tensor<9xf32>, tensor<1xf32>) -> tensor<10xf32>
  %s = stablehlo.slice %b [1:10] : (tensor<10xf32>) -> tensor<9xf32>
  return %s : tensor<9xf32>
}

// More than four operands.
func.func @many(%x: tensor<1xf32>) -> tensor<5xf32> {
  %c = stablehlo.concatenate %x, %x, %x, %x, %x, %x, dim = 0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<6xf32>
  %s = stablehlo.slice %c [1:6] : (tensor<6xf32>) -> tensor<5xf32>
  return %s : tensor<5xf32>
}

func.func @slices(%x: tensor<20xf32>) -> (tensor<3xf32>, tensor<1xf32>, tensor<0xf32>, tensor<4xf32>) {
  %s = stablehlo.slice %x [1:20:3] : (tensor<20xf32>) -> tensor<7xf32>
  %strided = stablehlo.slice %s [1:7:2] : (tensor<7xf32>) -> tensor<3xf32>
  %one = stablehlo.slice %s [6:7:9] : (tensor<7xf32>) -> tensor<1xf32>
  %none = stablehlo.slice %s [4:4] : (tensor<7xf32>) -> tensor<0xf32>
  %start = stablehlo.constant dense<18> : tensor<i32>
  %clamped = stablehlo.dynamic_slice %x, %start, sizes = [4] : (tensor<20xf32>, tensor<i32>) -> tensor<4xf32>
  return %strided, %one, %none, %clamped : tensor<3xf32>, tensor<1xf32>, tensor<0xf32>, tensor<4xf32>
}
