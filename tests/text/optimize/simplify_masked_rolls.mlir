// A select by the mask of a box reads rolls of the tensor inside the box only, where they are shifts. Rolls stay if the box touches
// the rows that they move to the other end (@touching), or if they have other readers (@shared).
// RUN: shardopt %s -shardrun-simplify -dce | sed "s/, interior = .0, 0.//"
func.func @inside(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %i = stablehlo.iota dim = 0 : tensor<8x6xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x6xi32>
  %zero = stablehlo.constant dense<0> : tensor<8x6xi32>
  %last = stablehlo.constant dense<5> : tensor<8x6xi32>
  %top = stablehlo.compare GT, %i, %zero, SIGNED : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
  %right = stablehlo.compare LT, %j, %last, SIGNED : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
  %mask = stablehlo.and %top, %right : tensor<8x6xi1>
  %0 = stablehlo.slice %x [7:8, 0:6] : (tensor<8x6xf32>) -> tensor<1x6xf32>
  %1 = stablehlo.slice %x [0:7, 0:6] : (tensor<8x6xf32>) -> tensor<7x6xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x6xf32>, tensor<7x6xf32>) -> tensor<8x6xf32>
  %3 = stablehlo.slice %2 [0:8, 1:6] : (tensor<8x6xf32>) -> tensor<8x5xf32>
  %4 = stablehlo.slice %2 [0:8, 0:1] : (tensor<8x6xf32>) -> tensor<8x1xf32>
  %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<8x5xf32>, tensor<8x1xf32>) -> tensor<8x6xf32>
  %6 = stablehlo.add %5, %x : tensor<8x6xf32>
  %7 = stablehlo.select %mask, %6, %x : tensor<8x6xi1>, tensor<8x6xf32>
  return %7 : tensor<8x6xf32>
}

func.func @outside(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %i = stablehlo.iota dim = 0 : tensor<8x6xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x6xi32>
  %zero = stablehlo.constant dense<0> : tensor<8x6xi32>
  %last = stablehlo.constant dense<5> : tensor<8x6xi32>
  %top = stablehlo.compare EQ, %i, %zero, SIGNED : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
  %right = stablehlo.compare EQ, %j, %last, SIGNED : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
  %mask = stablehlo.or %top, %right : tensor<8x6xi1>
  %0 = stablehlo.slice %x [7:8, 0:6] : (tensor<8x6xf32>) -> tensor<1x6xf32>
  %1 = stablehlo.slice %x [0:7, 0:6] : (tensor<8x6xf32>) -> tensor<7x6xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x6xf32>, tensor<7x6xf32>) -> tensor<8x6xf32>
  %3 = stablehlo.add %2, %x : tensor<8x6xf32>
  %4 = stablehlo.select %mask, %x, %3 : tensor<8x6xi1>, tensor<8x6xf32>
  return %4 : tensor<8x6xf32>
}

func.func @touching(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %i = stablehlo.iota dim = 0 : tensor<8x6xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x6xi32>
  %zero = stablehlo.constant dense<0> : tensor<8x6xi32>
  %last = stablehlo.constant dense<5> : tensor<8x6xi32>
  %top = stablehlo.compare GT, %i, %zero, SIGNED : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
  %right = stablehlo.compare LT, %j, %last, SIGNED : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
  %mask = stablehlo.and %top, %right : tensor<8x6xi1>
  %0 = stablehlo.slice %x [1:8, 0:6] : (tensor<8x6xf32>) -> tensor<7x6xf32>
  %1 = stablehlo.slice %x [0:1, 0:6] : (tensor<8x6xf32>) -> tensor<1x6xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<7x6xf32>, tensor<1x6xf32>) -> tensor<8x6xf32>
  %3 = stablehlo.add %2, %x : tensor<8x6xf32>
  %4 = stablehlo.select %mask, %3, %x : tensor<8x6xi1>, tensor<8x6xf32>
  return %4 : tensor<8x6xf32>
}

func.func @shared(%x: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %i = stablehlo.iota dim = 0 : tensor<8x6xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x6xi32>
  %zero = stablehlo.constant dense<0> : tensor<8x6xi32>
  %last = stablehlo.constant dense<5> : tensor<8x6xi32>
  %top = stablehlo.compare GT, %i, %zero, SIGNED : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
  %right = stablehlo.compare LT, %j, %last, SIGNED : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
  %mask = stablehlo.and %top, %right : tensor<8x6xi1>
  %0 = stablehlo.slice %x [7:8, 0:6] : (tensor<8x6xf32>) -> tensor<1x6xf32>
  %1 = stablehlo.slice %x [0:7, 0:6] : (tensor<8x6xf32>) -> tensor<7x6xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x6xf32>, tensor<7x6xf32>) -> tensor<8x6xf32>
  %3 = stablehlo.add %2, %x : tensor<8x6xf32>
  %4 = stablehlo.select %mask, %3, %x : tensor<8x6xi1>, tensor<8x6xf32>
  return %2, %4 : tensor<8x6xf32>, tensor<8x6xf32>
}

func.func @one_dimension(%x: tensor<8xf32>) -> tensor<8xf32> {
  %i = stablehlo.iota dim = 0 : tensor<8xi32>
  %zero = stablehlo.constant dense<0> : tensor<8xi32>
  %mask = stablehlo.compare GT, %i, %zero, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %0 = stablehlo.slice %x [7:8] : (tensor<8xf32>) -> tensor<1xf32>
  %1 = stablehlo.slice %x [0:7] : (tensor<8xf32>) -> tensor<7xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xf32>, tensor<7xf32>) -> tensor<8xf32>
  %3 = stablehlo.add %2, %x : tensor<8xf32>
  %4 = stablehlo.select %mask, %3, %x : tensor<8xi1>, tensor<8xf32>
  return %4 : tensor<8xf32>
}
