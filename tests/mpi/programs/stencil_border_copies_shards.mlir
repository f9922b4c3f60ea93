// Stencil loops on shards that copy new values to the borders of the array after each step: within a shard, from the last shard to
// the first one and back, with dynamic_update_slice and scatter.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<200x220xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<100x10x64xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %c: tensor<70000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<200x220xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<200x220xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<100x10x64xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, tensor<70000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %k0 = stablehlo.constant dense<0> : tensor<i32>
  %k1 = stablehlo.constant dense<1> : tensor<i32>
  %k40 = stablehlo.constant dense<40> : tensor<i32>
  %k199 = stablehlo.constant dense<199> : tensor<i32>
  %k219 = stablehlo.constant dense<219> : tensor<i32>
  // Neumann conditions, rows first
  %w0 = stablehlo.constant dense<0.2> : tensor<198x218xf32>
  %r0:2 = stablehlo.while(%i = %k0, %u = %a) : tensor<i32>, tensor<200x220xf32>
    cond {
      %p = stablehlo.compare LT, %i, %k40 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %next = stablehlo.add %i, %k1 : tensor<i32>
      %s00 = stablehlo.slice %u [0:198, 1:219] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %s02 = stablehlo.slice %u [2:200, 1:219] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %t02 = stablehlo.add %s00, %s02 : tensor<198x218xf32>
      %s10 = stablehlo.slice %u [1:199, 0:218] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %t10 = stablehlo.subtract %t02, %s10 : tensor<198x218xf32>
      %s12 = stablehlo.slice %u [1:199, 2:220] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %t12 = stablehlo.add %t10, %s12 : tensor<198x218xf32>
      %m = stablehlo.multiply %t12, %w0 : tensor<198x218xf32>
      %v0 = stablehlo.dynamic_update_slice %u, %m, %k1, %k1 : (tensor<200x220xf32>, tensor<198x218xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      %e0 = stablehlo.slice %v0 [1:2, 0:220] : (tensor<200x220xf32>) -> tensor<1x220xf32>
      %v1 = stablehlo.dynamic_update_slice %v0, %e0, %k0, %k0 : (tensor<200x220xf32>, tensor<1x220xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      %e1 = stablehlo.slice %v1 [198:199, 0:220] : (tensor<200x220xf32>) -> tensor<1x220xf32>
      %v2 = stablehlo.dynamic_update_slice %v1, %e1, %k199, %k0 : (tensor<200x220xf32>, tensor<1x220xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      %e2 = stablehlo.slice %v2 [0:200, 1:2] : (tensor<200x220xf32>) -> tensor<200x1xf32>
      %v3 = stablehlo.dynamic_update_slice %v2, %e2, %k0, %k0 : (tensor<200x220xf32>, tensor<200x1xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      %e3 = stablehlo.slice %v3 [0:200, 218:219] : (tensor<200x220xf32>) -> tensor<200x1xf32>
      %v4 = stablehlo.dynamic_update_slice %v3, %e3, %k0, %k219 : (tensor<200x220xf32>, tensor<200x1xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      stablehlo.return %next, %v4 : tensor<i32>, tensor<200x220xf32>
    }

  // ghost cells, columns first
  %w1 = stablehlo.constant dense<0.2> : tensor<198x218xf32>
  %r1:2 = stablehlo.while(%i = %k0, %u = %a) : tensor<i32>, tensor<200x220xf32>
    cond {
      %p = stablehlo.compare LT, %i, %k40 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %next = stablehlo.add %i, %k1 : tensor<i32>
      %s00 = stablehlo.slice %u [0:198, 1:219] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %s02 = stablehlo.slice %u [2:200, 1:219] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %t02 = stablehlo.add %s00, %s02 : tensor<198x218xf32>
      %s10 = stablehlo.slice %u [1:199, 0:218] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %t10 = stablehlo.subtract %t02, %s10 : tensor<198x218xf32>
      %s12 = stablehlo.slice %u [1:199, 2:220] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %t12 = stablehlo.add %t10, %s12 : tensor<198x218xf32>
      %m = stablehlo.multiply %t12, %w1 : tensor<198x218xf32>
      %v0 = stablehlo.dynamic_update_slice %u, %m, %k1, %k1 : (tensor<200x220xf32>, tensor<198x218xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      %e0 = stablehlo.slice %v0 [0:200, 218:219] : (tensor<200x220xf32>) -> tensor<200x1xf32>
      %v1 = stablehlo.dynamic_update_slice %v0, %e0, %k0, %k0 : (tensor<200x220xf32>, tensor<200x1xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      %e1 = stablehlo.slice %v1 [0:200, 1:2] : (tensor<200x220xf32>) -> tensor<200x1xf32>
      %v2 = stablehlo.dynamic_update_slice %v1, %e1, %k0, %k219 : (tensor<200x220xf32>, tensor<200x1xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      %e2 = stablehlo.slice %v2 [198:199, 0:220] : (tensor<200x220xf32>) -> tensor<1x220xf32>
      %v3 = stablehlo.dynamic_update_slice %v2, %e2, %k0, %k0 : (tensor<200x220xf32>, tensor<1x220xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      %e3 = stablehlo.slice %v3 [1:2, 0:220] : (tensor<200x220xf32>) -> tensor<1x220xf32>
      %v4 = stablehlo.dynamic_update_slice %v3, %e3, %k199, %k0 : (tensor<200x220xf32>, tensor<1x220xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      stablehlo.return %next, %v4 : tensor<i32>, tensor<200x220xf32>
    }

  // scatters, three dimensions
  %w2 = stablehlo.constant dense<0.2> : tensor<98x8x62xf64>
  %r2:2 = stablehlo.while(%i = %k0, %u = %b) : tensor<i32>, tensor<100x10x64xf64>
    cond {
      %p = stablehlo.compare LT, %i, %k40 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %next = stablehlo.add %i, %k1 : tensor<i32>
      %s00 = stablehlo.slice %u [0:98, 1:9, 1:63] : (tensor<100x10x64xf64>) -> tensor<98x8x62xf64>
      %s02 = stablehlo.slice %u [2:100, 1:9, 1:63] : (tensor<100x10x64xf64>) -> tensor<98x8x62xf64>
      %t02 = stablehlo.add %s00, %s02 : tensor<98x8x62xf64>
      %s10 = stablehlo.slice %u [1:99, 0:8, 1:63] : (tensor<100x10x64xf64>) -> tensor<98x8x62xf64>
      %t10 = stablehlo.add %t02, %s10 : tensor<98x8x62xf64>
      %s12 = stablehlo.slice %u [1:99, 2:10, 1:63] : (tensor<100x10x64xf64>) -> tensor<98x8x62xf64>
      %t12 = stablehlo.add %t10, %s12 : tensor<98x8x62xf64>
      %s20 = stablehlo.slice %u [1:99, 1:9, 0:62] : (tensor<100x10x64xf64>) -> tensor<98x8x62xf64>
      %t20 = stablehlo.subtract %t12, %s20 : tensor<98x8x62xf64>
      %s22 = stablehlo.slice %u [1:99, 1:9, 2:64] : (tensor<100x10x64xf64>) -> tensor<98x8x62xf64>
      %t22 = stablehlo.add %t20, %s22 : tensor<98x8x62xf64>
      %m = stablehlo.multiply %t22, %w2 : tensor<98x8x62xf64>
      %v0 = stablehlo.dynamic_update_slice %u, %m, %k1, %k1, %k1 : (tensor<100x10x64xf64>, tensor<98x8x62xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<100x10x64xf64>
      %e0 = stablehlo.slice %v0 [1:2, 0:10, 0:64] : (tensor<100x10x64xf64>) -> tensor<1x10x64xf64>
      %f0 = stablehlo.reshape %e0 : (tensor<1x10x64xf64>) -> tensor<10x64xf64>
      %i0 = stablehlo.constant dense<[0]> : tensor<1xi32>
      %v1 = "stablehlo.scatter"(%v0, %i0, %f0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%x: tensor<f64>, %y: tensor<f64>):
        stablehlo.return %y : tensor<f64>
      }) : (tensor<100x10x64xf64>, tensor<1xi32>, tensor<10x64xf64>) -> tensor<100x10x64xf64>
      %e1 = stablehlo.slice %v1 [98:99, 0:10, 0:64] : (tensor<100x10x64xf64>) -> tensor<1x10x64xf64>
      %f1 = stablehlo.reshape %e1 : (tensor<1x10x64xf64>) -> tensor<10x64xf64>
      %i1 = stablehlo.constant dense<[99]> : tensor<1xi32>
      %v2 = "stablehlo.scatter"(%v1, %i1, %f1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%x: tensor<f64>, %y: tensor<f64>):
        stablehlo.return %y : tensor<f64>
      }) : (tensor<100x10x64xf64>, tensor<1xi32>, tensor<10x64xf64>) -> tensor<100x10x64xf64>
      %e2 = stablehlo.slice %v2 [0:100, 1:2, 0:64] : (tensor<100x10x64xf64>) -> tensor<100x1x64xf64>
      %f2 = stablehlo.reshape %e2 : (tensor<100x1x64xf64>) -> tensor<100x64xf64>
      %i2 = stablehlo.constant dense<[0]> : tensor<1xi32>
      %v3 = "stablehlo.scatter"(%v2, %i2, %f2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
      ^bb0(%x: tensor<f64>, %y: tensor<f64>):
        stablehlo.return %y : tensor<f64>
      }) : (tensor<100x10x64xf64>, tensor<1xi32>, tensor<100x64xf64>) -> tensor<100x10x64xf64>
      %e3 = stablehlo.slice %v3 [0:100, 8:9, 0:64] : (tensor<100x10x64xf64>) -> tensor<100x1x64xf64>
      %f3 = stablehlo.reshape %e3 : (tensor<100x1x64xf64>) -> tensor<100x64xf64>
      %i3 = stablehlo.constant dense<[9]> : tensor<1xi32>
      %v4 = "stablehlo.scatter"(%v3, %i3, %f3) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
      ^bb0(%x: tensor<f64>, %y: tensor<f64>):
        stablehlo.return %y : tensor<f64>
      }) : (tensor<100x10x64xf64>, tensor<1xi32>, tensor<100x64xf64>) -> tensor<100x10x64xf64>
      %e4 = stablehlo.slice %v4 [0:100, 0:10, 1:2] : (tensor<100x10x64xf64>) -> tensor<100x10x1xf64>
      %f4 = stablehlo.reshape %e4 : (tensor<100x10x1xf64>) -> tensor<100x10xf64>
      %i4 = stablehlo.constant dense<[0]> : tensor<1xi32>
      %v5 = "stablehlo.scatter"(%v4, %i4, %f4) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2]>, unique_indices = true}> ({
      ^bb0(%x: tensor<f64>, %y: tensor<f64>):
        stablehlo.return %y : tensor<f64>
      }) : (tensor<100x10x64xf64>, tensor<1xi32>, tensor<100x10xf64>) -> tensor<100x10x64xf64>
      %e5 = stablehlo.slice %v5 [0:100, 0:10, 62:63] : (tensor<100x10x64xf64>) -> tensor<100x10x1xf64>
      %f5 = stablehlo.reshape %e5 : (tensor<100x10x1xf64>) -> tensor<100x10xf64>
      %i5 = stablehlo.constant dense<[63]> : tensor<1xi32>
      %v6 = "stablehlo.scatter"(%v5, %i5, %f5) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [2], scatter_dims_to_operand_dims = [2]>, unique_indices = true}> ({
      ^bb0(%x: tensor<f64>, %y: tensor<f64>):
        stablehlo.return %y : tensor<f64>
      }) : (tensor<100x10x64xf64>, tensor<1xi32>, tensor<100x10xf64>) -> tensor<100x10x64xf64>
      stablehlo.return %next, %v6 : tensor<i32>, tensor<100x10x64xf64>
    }

  // scatters of one element
  %w3 = stablehlo.constant dense<0.2> : tensor<69998xf32>
  %r3:2 = stablehlo.while(%i = %k0, %u = %c) : tensor<i32>, tensor<70000xf32>
    cond {
      %p = stablehlo.compare LT, %i, %k40 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %next = stablehlo.add %i, %k1 : tensor<i32>
      %s00 = stablehlo.slice %u [0:69998] : (tensor<70000xf32>) -> tensor<69998xf32>
      %s02 = stablehlo.slice %u [2:70000] : (tensor<70000xf32>) -> tensor<69998xf32>
      %t02 = stablehlo.add %s00, %s02 : tensor<69998xf32>
      %m = stablehlo.multiply %t02, %w3 : tensor<69998xf32>
      %v0 = stablehlo.dynamic_update_slice %u, %m, %k1 : (tensor<70000xf32>, tensor<69998xf32>, tensor<i32>) -> tensor<70000xf32>
      %e0 = stablehlo.slice %v0 [69998:69999] : (tensor<70000xf32>) -> tensor<1xf32>
      %f0 = stablehlo.reshape %e0 : (tensor<1xf32>) -> tensor<f32>
      %i0 = stablehlo.constant dense<[0]> : tensor<1xi32>
      %v1 = "stablehlo.scatter"(%v0, %i0, %f0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        stablehlo.return %y : tensor<f32>
      }) : (tensor<70000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<70000xf32>
      %e1 = stablehlo.slice %v1 [1:2] : (tensor<70000xf32>) -> tensor<1xf32>
      %f1 = stablehlo.reshape %e1 : (tensor<1xf32>) -> tensor<f32>
      %i1 = stablehlo.constant dense<[69999]> : tensor<1xi32>
      %v2 = "stablehlo.scatter"(%v1, %i1, %f1) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        stablehlo.return %y : tensor<f32>
      }) : (tensor<70000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<70000xf32>
      stablehlo.return %next, %v2 : tensor<i32>, tensor<70000xf32>
    }
  return %r0#1, %r1#1, %r2#1, %r3#1 : tensor<200x220xf32>, tensor<200x220xf32>, tensor<100x10x64xf64>, tensor<70000xf32>
}
