// Stencil loops that copy new values to the borders of the array after each step, within rows and between the first and last rows:
// Neumann conditions and ghost cells of periodic ones, as dynamic_update_slice and as scatter, rows before columns and after them, one to
// three dimensions. In the last loop a copied row is far from the ends, so its steps are executed one by one.
func.func @main(%a: tensor<200x220xf32>, %b: tensor<40x20x64xf64>, %c: tensor<70000xf32>)
    -> (tensor<200x220xf32>, tensor<200x220xf32>, tensor<40x20x64xf64>, tensor<70000xf32>, tensor<200x220xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %forty = stablehlo.constant dense<40> : tensor<i32>
  %ghost = stablehlo.constant dense<[69999]> : tensor<1xi32>
  %c18 = stablehlo.constant dense<18> : tensor<i32>
  %c19 = stablehlo.constant dense<19> : tensor<i32>
  %c39 = stablehlo.constant dense<39> : tensor<i32>
  %c63 = stablehlo.constant dense<63> : tensor<i32>
  %c100 = stablehlo.constant dense<100> : tensor<i32>
  %c199 = stablehlo.constant dense<199> : tensor<i32>
  %c219 = stablehlo.constant dense<219> : tensor<i32>

  // Neumann, rows first
  %wr0 = stablehlo.constant dense<0.2> : tensor<198x218xf32>
  %r0:2 = stablehlo.while(%i = %zero, %u = %a) : tensor<i32>, tensor<200x220xf32>
    cond {
      %p = stablehlo.compare LT, %i, %forty : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %s0 = stablehlo.slice %u [0:198, 1:219] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %s1 = stablehlo.slice %u [2:200, 1:219] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %t1 = stablehlo.add %s0, %s1 : tensor<198x218xf32>
      %s2 = stablehlo.slice %u [1:199, 0:218] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %t2 = stablehlo.subtract %t1, %s2 : tensor<198x218xf32>
      %s3 = stablehlo.slice %u [1:199, 2:220] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %t3 = stablehlo.add %t2, %s3 : tensor<198x218xf32>
      %m = stablehlo.multiply %t3, %wr0 : tensor<198x218xf32>
      %v0 = stablehlo.dynamic_update_slice %u, %m, %one, %one : (tensor<200x220xf32>, tensor<198x218xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      %e0 = stablehlo.slice %v0 [1:2, 0:220] : (tensor<200x220xf32>) -> tensor<1x220xf32>
      %v1 = stablehlo.dynamic_update_slice %v0, %e0, %zero, %zero : (tensor<200x220xf32>, tensor<1x220xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      %e1 = stablehlo.slice %v1 [198:199, 0:220] : (tensor<200x220xf32>) -> tensor<1x220xf32>
      %v2 = stablehlo.dynamic_update_slice %v1, %e1, %c199, %zero : (tensor<200x220xf32>, tensor<1x220xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      %e2 = stablehlo.slice %v2 [0:200, 1:2] : (tensor<200x220xf32>) -> tensor<200x1xf32>
      %v3 = stablehlo.dynamic_update_slice %v2, %e2, %zero, %zero : (tensor<200x220xf32>, tensor<200x1xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      %e3 = stablehlo.slice %v3 [0:200, 218:219] : (tensor<200x220xf32>) -> tensor<200x1xf32>
      %v4 = stablehlo.dynamic_update_slice %v3, %e3, %zero, %c219 : (tensor<200x220xf32>, tensor<200x1xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      stablehlo.return %i1, %v4 : tensor<i32>, tensor<200x220xf32>
    }

  // ghost cells, columns first
  %wr1 = stablehlo.constant dense<0.2> : tensor<198x218xf32>
  %r1:2 = stablehlo.while(%i = %zero, %u = %a) : tensor<i32>, tensor<200x220xf32>
    cond {
      %p = stablehlo.compare LT, %i, %forty : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %s0 = stablehlo.slice %u [0:198, 1:219] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %s1 = stablehlo.slice %u [2:200, 1:219] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %t1 = stablehlo.add %s0, %s1 : tensor<198x218xf32>
      %s2 = stablehlo.slice %u [1:199, 0:218] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %t2 = stablehlo.subtract %t1, %s2 : tensor<198x218xf32>
      %s3 = stablehlo.slice %u [1:199, 2:220] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %t3 = stablehlo.add %t2, %s3 : tensor<198x218xf32>
      %m = stablehlo.multiply %t3, %wr1 : tensor<198x218xf32>
      %v0 = stablehlo.dynamic_update_slice %u, %m, %one, %one : (tensor<200x220xf32>, tensor<198x218xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      %e0 = stablehlo.slice %v0 [0:200, 218:219] : (tensor<200x220xf32>) -> tensor<200x1xf32>
      %v1 = stablehlo.dynamic_update_slice %v0, %e0, %zero, %zero : (tensor<200x220xf32>, tensor<200x1xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      %e1 = stablehlo.slice %v1 [0:200, 1:2] : (tensor<200x220xf32>) -> tensor<200x1xf32>
      %v2 = stablehlo.dynamic_update_slice %v1, %e1, %zero, %c219 : (tensor<200x220xf32>, tensor<200x1xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      %e2 = stablehlo.slice %v2 [198:199, 0:220] : (tensor<200x220xf32>) -> tensor<1x220xf32>
      %v3 = stablehlo.dynamic_update_slice %v2, %e2, %zero, %zero : (tensor<200x220xf32>, tensor<1x220xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      %e3 = stablehlo.slice %v3 [1:2, 0:220] : (tensor<200x220xf32>) -> tensor<1x220xf32>
      %v4 = stablehlo.dynamic_update_slice %v3, %e3, %c199, %zero : (tensor<200x220xf32>, tensor<1x220xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      stablehlo.return %i1, %v4 : tensor<i32>, tensor<200x220xf32>
    }

  // three dimensions, copies of rows and in rows in turn
  %wr2 = stablehlo.constant dense<0.2> : tensor<38x18x62xf64>
  %r2:2 = stablehlo.while(%i = %zero, %u = %b) : tensor<i32>, tensor<40x20x64xf64>
    cond {
      %p = stablehlo.compare LT, %i, %forty : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %s0 = stablehlo.slice %u [0:38, 1:19, 1:63] : (tensor<40x20x64xf64>) -> tensor<38x18x62xf64>
      %s1 = stablehlo.slice %u [2:40, 1:19, 1:63] : (tensor<40x20x64xf64>) -> tensor<38x18x62xf64>
      %t1 = stablehlo.add %s0, %s1 : tensor<38x18x62xf64>
      %s2 = stablehlo.slice %u [1:39, 0:18, 1:63] : (tensor<40x20x64xf64>) -> tensor<38x18x62xf64>
      %t2 = stablehlo.subtract %t1, %s2 : tensor<38x18x62xf64>
      %s3 = stablehlo.slice %u [1:39, 2:20, 1:63] : (tensor<40x20x64xf64>) -> tensor<38x18x62xf64>
      %t3 = stablehlo.add %t2, %s3 : tensor<38x18x62xf64>
      %s4 = stablehlo.slice %u [1:39, 1:19, 0:62] : (tensor<40x20x64xf64>) -> tensor<38x18x62xf64>
      %t4 = stablehlo.subtract %t3, %s4 : tensor<38x18x62xf64>
      %s5 = stablehlo.slice %u [1:39, 1:19, 2:64] : (tensor<40x20x64xf64>) -> tensor<38x18x62xf64>
      %t5 = stablehlo.add %t4, %s5 : tensor<38x18x62xf64>
      %m = stablehlo.multiply %t5, %wr2 : tensor<38x18x62xf64>
      %v0 = stablehlo.dynamic_update_slice %u, %m, %one, %one, %one : (tensor<40x20x64xf64>, tensor<38x18x62xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<40x20x64xf64>
      %e0 = stablehlo.slice %v0 [1:2, 0:20, 0:64] : (tensor<40x20x64xf64>) -> tensor<1x20x64xf64>
      %v1 = stablehlo.dynamic_update_slice %v0, %e0, %zero, %zero, %zero : (tensor<40x20x64xf64>, tensor<1x20x64xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<40x20x64xf64>
      %e1 = stablehlo.slice %v1 [0:40, 1:2, 0:64] : (tensor<40x20x64xf64>) -> tensor<40x1x64xf64>
      %v2 = stablehlo.dynamic_update_slice %v1, %e1, %zero, %zero, %zero : (tensor<40x20x64xf64>, tensor<40x1x64xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<40x20x64xf64>
      %e2 = stablehlo.slice %v2 [1:2, 0:20, 0:64] : (tensor<40x20x64xf64>) -> tensor<1x20x64xf64>
      %v3 = stablehlo.dynamic_update_slice %v2, %e2, %c39, %zero, %zero : (tensor<40x20x64xf64>, tensor<1x20x64xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<40x20x64xf64>
      %e3 = stablehlo.slice %v3 [0:40, 0:20, 62:63] : (tensor<40x20x64xf64>) -> tensor<40x20x1xf64>
      %v4 = stablehlo.dynamic_update_slice %v3, %e3, %zero, %zero, %c63 : (tensor<40x20x64xf64>, tensor<40x20x1xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<40x20x64xf64>
      %e4 = stablehlo.slice %v4 [0:40, 18:19, 0:64] : (tensor<40x20x64xf64>) -> tensor<40x1x64xf64>
      %v5 = stablehlo.dynamic_update_slice %v4, %e4, %zero, %c19, %zero : (tensor<40x20x64xf64>, tensor<40x1x64xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<40x20x64xf64>
      %e5 = stablehlo.slice %v5 [0:40, 0:20, 62:63] : (tensor<40x20x64xf64>) -> tensor<40x20x1xf64>
      %v6 = stablehlo.dynamic_update_slice %v5, %e5, %zero, %zero, %zero : (tensor<40x20x64xf64>, tensor<40x20x1xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<40x20x64xf64>
      stablehlo.return %i1, %v6 : tensor<i32>, tensor<40x20x64xf64>
    }

  // scatters of one element
  %wr3 = stablehlo.constant dense<0.2> : tensor<69998xf32>
  %r3:2 = stablehlo.while(%i = %zero, %u = %c) : tensor<i32>, tensor<70000xf32>
    cond {
      %p = stablehlo.compare LT, %i, %forty : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %s0 = stablehlo.slice %u [0:69998] : (tensor<70000xf32>) -> tensor<69998xf32>
      %s1 = stablehlo.slice %u [2:70000] : (tensor<70000xf32>) -> tensor<69998xf32>
      %t1 = stablehlo.add %s0, %s1 : tensor<69998xf32>
      %m = stablehlo.multiply %t1, %wr3 : tensor<69998xf32>
      %v0 = stablehlo.dynamic_update_slice %u, %m, %one : (tensor<70000xf32>, tensor<69998xf32>, tensor<i32>) -> tensor<70000xf32>
      %e0 = stablehlo.slice %v0 [1:2] : (tensor<70000xf32>) -> tensor<1xf32>
      %f0 = stablehlo.reshape %e0 : (tensor<1xf32>) -> tensor<f32>
      %scatter0 = stablehlo.constant dense<[0]> : tensor<1xi32>
      %v1 = "stablehlo.scatter"(%v0, %scatter0, %f0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        stablehlo.return %y : tensor<f32>
      }) : (tensor<70000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<70000xf32>
      %e1 = stablehlo.slice %v1 [69998:69999] : (tensor<70000xf32>) -> tensor<1xf32>
      %f1 = stablehlo.reshape %e1 : (tensor<1xf32>) -> tensor<f32>
      %v2 = "stablehlo.scatter"(%v1, %ghost, %f1) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        stablehlo.return %y : tensor<f32>
      }) : (tensor<70000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<70000xf32>
      stablehlo.return %i1, %v2 : tensor<i32>, tensor<70000xf32>
    }

  // a copy of a row in the middle
  %wr4 = stablehlo.constant dense<0.2> : tensor<198x218xf32>
  %r4:2 = stablehlo.while(%i = %zero, %u = %a) : tensor<i32>, tensor<200x220xf32>
    cond {
      %p = stablehlo.compare LT, %i, %forty : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %i1 = stablehlo.add %i, %one : tensor<i32>
      %s0 = stablehlo.slice %u [0:198, 1:219] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %s1 = stablehlo.slice %u [2:200, 1:219] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %t1 = stablehlo.add %s0, %s1 : tensor<198x218xf32>
      %s2 = stablehlo.slice %u [1:199, 0:218] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %t2 = stablehlo.subtract %t1, %s2 : tensor<198x218xf32>
      %s3 = stablehlo.slice %u [1:199, 2:220] : (tensor<200x220xf32>) -> tensor<198x218xf32>
      %t3 = stablehlo.add %t2, %s3 : tensor<198x218xf32>
      %m = stablehlo.multiply %t3, %wr4 : tensor<198x218xf32>
      %v0 = stablehlo.dynamic_update_slice %u, %m, %one, %one : (tensor<200x220xf32>, tensor<198x218xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      %e0 = stablehlo.slice %v0 [100:101, 0:220] : (tensor<200x220xf32>) -> tensor<1x220xf32>
      %v1 = stablehlo.dynamic_update_slice %v0, %e0, %zero, %zero : (tensor<200x220xf32>, tensor<1x220xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      %e1 = stablehlo.slice %v1 [0:200, 1:2] : (tensor<200x220xf32>) -> tensor<200x1xf32>
      %v2 = stablehlo.dynamic_update_slice %v1, %e1, %zero, %zero : (tensor<200x220xf32>, tensor<200x1xf32>, tensor<i32>, tensor<i32>) -> tensor<200x220xf32>
      stablehlo.return %i1, %v2 : tensor<i32>, tensor<200x220xf32>
    }
  return %r0#1, %r1#1, %r2#1, %r3#1, %r4#1 : tensor<200x220xf32>, tensor<200x220xf32>, tensor<40x20x64xf64>, tensor<70000xf32>, tensor<200x220xf32>
}
