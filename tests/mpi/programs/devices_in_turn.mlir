// A loop whose condition sums over the devices, with a branch and further collectives in each iteration
sdy.mesh @mesh = <["x"=8]>
func.func @main(%m: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %v: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<i32>, tensor<64xf32>, tensor<64x64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %x = %v, %a = %m) : tensor<i32>, tensor<64xf32>, tensor<64x64xf32>
    cond {
      %f = stablehlo.constant dense<0.0> : tensor<f32>
      %bound = stablehlo.constant dense<25> : tensor<i32>
      %squares = stablehlo.multiply %x, %x : tensor<64xf32>
      %sum = stablehlo.reduce(%squares init: %f) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
      %large = stablehlo.compare GT, %sum, %f : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %more = stablehlo.compare LT, %i, %bound : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %both = stablehlo.and %large, %more : tensor<i1>
      stablehlo.return %both : tensor<i1>
    } do {
      %f = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %three = stablehlo.constant dense<3> : tensor<i32>
      %y = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64xf32>) -> tensor<64xf32>
      %abs = stablehlo.abs %y : tensor<64xf32>
      %max = stablehlo.reduce(%abs init: %f) applies stablehlo.maximum across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
      %scale = stablehlo.broadcast_in_dim %max, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %unit = stablehlo.divide %y, %scale : tensor<64xf32>
      %which = stablehlo.remainder %i, %three : tensor<i32>
      %next = "stablehlo.case"(%which) ({
        stablehlo.return %unit : tensor<64xf32>
      }, {
        %head = stablehlo.slice %unit [0:3] : (tensor<64xf32>) -> tensor<3xf32>
        %tail = stablehlo.slice %unit [3:64] : (tensor<64xf32>) -> tensor<61xf32>
        %rolled = stablehlo.concatenate %tail, %head, dim = 0 : (tensor<61xf32>, tensor<3xf32>) -> tensor<64xf32>
        stablehlo.return %rolled : tensor<64xf32>
      }, {
        %z = stablehlo.constant dense<0.0> : tensor<f32>
        %sum = stablehlo.reduce(%unit init: %z) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
        %mean = stablehlo.broadcast_in_dim %sum, dims = [] : (tensor<f32>) -> tensor<64xf32>
        %r = stablehlo.subtract %unit, %mean : tensor<64xf32>
        stablehlo.return %r : tensor<64xf32>
      }) : (tensor<i32>) -> tensor<64xf32>
      %columns = stablehlo.broadcast_in_dim %next, dims = [1] : (tensor<64xf32>) -> tensor<64x64xf32>
      %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
      %b = stablehlo.add %t, %columns : tensor<64x64xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %next, %b : tensor<i32>, tensor<64xf32>, tensor<64x64xf32>
    }
  return %0#0, %0#1, %0#2 : tensor<i32>, tensor<64xf32>, tensor<64x64xf32>
}
