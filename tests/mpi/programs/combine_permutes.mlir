// Halos of two arrays in a loop: the permutes to one neighbour have the same pairs. One of the arrays has another element type.
module attributes {mhlo.num_partitions = 3 : i32} {
  sdy.mesh @mesh = <["x"=3]>
  func.func public @main(%u: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %v: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %n: tensor<12xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<12xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %steps = stablehlo.constant dense<7> : tensor<i32>
    %half = stablehlo.constant dense<0.5> : tensor<12xf32>
    %i, %x, %y, %z = stablehlo.while(%i0 = %zero, %u0 = %u, %v0 = %v, %n0 = %n) : tensor<i32>, tensor<12xf32>, tensor<12xf32>, tensor<12xi32>
    cond {
      %c = stablehlo.compare LT, %i0, %steps : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %ua = stablehlo.slice %u0 [11:12] : (tensor<12xf32>) -> tensor<1xf32>
      %ub = stablehlo.slice %u0 [0:11] : (tensor<12xf32>) -> tensor<11xf32>
      %ul = stablehlo.concatenate %ua, %ub, dim = 0 : (tensor<1xf32>, tensor<11xf32>) -> tensor<12xf32>
      %va = stablehlo.slice %v0 [11:12] : (tensor<12xf32>) -> tensor<1xf32>
      %vb = stablehlo.slice %v0 [0:11] : (tensor<12xf32>) -> tensor<11xf32>
      %vl = stablehlo.concatenate %va, %vb, dim = 0 : (tensor<1xf32>, tensor<11xf32>) -> tensor<12xf32>
      %na = stablehlo.slice %n0 [11:12] : (tensor<12xi32>) -> tensor<1xi32>
      %nb = stablehlo.slice %n0 [0:11] : (tensor<12xi32>) -> tensor<11xi32>
      %nl = stablehlo.concatenate %na, %nb, dim = 0 : (tensor<1xi32>, tensor<11xi32>) -> tensor<12xi32>
      %um = stablehlo.multiply %ul, %half : tensor<12xf32>
      %un = stablehlo.add %v0, %um : tensor<12xf32>
      %vm = stablehlo.multiply %vl, %half : tensor<12xf32>
      %vn = stablehlo.subtract %u0, %vm : tensor<12xf32>
      %nn = stablehlo.add %n0, %nl : tensor<12xi32>
      %next = stablehlo.add %i0, %one : tensor<i32>
      stablehlo.return %next, %un, %vn, %nn : tensor<i32>, tensor<12xf32>, tensor<12xf32>, tensor<12xi32>
    }
    return %x, %y, %z : tensor<12xf32>, tensor<12xf32>, tensor<12xi32>
  }
}
