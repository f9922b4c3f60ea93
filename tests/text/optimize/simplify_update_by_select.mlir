// Updates at constant indices become selects by index, if the new elements are computed from shifts of tensors of the updated one's shape, or
// if the updated tensor is computed elementwise and a row is set.
// RUN: shardopt %s -shardrun-simplify -dce
// u.at[1:-1, 1:-1].set(u[2:, 1:-1] * u[:-2, 1:-1])
func.func @interior(%u: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %at = stablehlo.constant dense<1> : tensor<2xi32>
  %0 = stablehlo.slice %u [2:8, 1:5] : (tensor<8x6xf32>) -> tensor<6x4xf32>
  %1 = stablehlo.slice %u [0:6, 1:5] : (tensor<8x6xf32>) -> tensor<6x4xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<6x4xf32>
  %3 = "stablehlo.scatter"(%u, %at, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<2xi32>, tensor<6x4xf32>) -> tensor<8x6xf32>
  return %3 : tensor<8x6xf32>
}

// u.at[:, :-1].add(2 * u[:, 1:]), whose index is a concatenate of broadcasts
func.func @add(%u: tensor<8x6xf32>, %two: tensor<f32>) -> tensor<8x6xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %z = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i32>) -> tensor<1xi32>
  %at = stablehlo.concatenate %z, %z, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.slice %u [0:8, 1:6] : (tensor<8x6xf32>) -> tensor<8x5xf32>
  %1 = stablehlo.broadcast_in_dim %two, dims = [] : (tensor<f32>) -> tensor<8x5xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<8x5xf32>
  %3 = "stablehlo.scatter"(%u, %at, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<2xi32>, tensor<8x5xf32>) -> tensor<8x6xf32>
  return %3 : tensor<8x6xf32>
}

// (u + u).at[7].set(row), then .at[:, 0].set(u[:, 1]), by dynamic_update_slice, whose start indices are clamped
func.func @rows(%u: tensor<8x6xf32>, %row: tensor<6xf32>) -> tensor<8x6xf32> {
  %at = stablehlo.constant dense<7> : tensor<1xi32>
  %minus = stablehlo.constant dense<-1> : tensor<i32>
  %0 = stablehlo.add %u, %u : tensor<8x6xf32>
  %1 = "stablehlo.scatter"(%0, %at, %row) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<1xi32>, tensor<6xf32>) -> tensor<8x6xf32>
  %2 = stablehlo.slice %u [0:8, 1:2] : (tensor<8x6xf32>) -> tensor<8x1xf32>
  %3 = stablehlo.dynamic_update_slice %1, %2, %minus, %minus : (tensor<8x6xf32>, tensor<8x1xf32>, tensor<i32>, tensor<i32>) -> tensor<8x6xf32>
  return %3 : tensor<8x6xf32>
}

// pad(u[1:-1] + 1, c): the border has another number.
func.func @pad(%u: tensor<8xf32>, %c: tensor<f32>) -> tensor<8xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<6xf32>
  %0 = stablehlo.slice %u [1:7] : (tensor<8xf32>) -> tensor<6xf32>
  %1 = stablehlo.add %0, %one : tensor<6xf32>
  %2 = stablehlo.pad %1, %c, low = [1], high = [1], interior = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// These stay: a window out of bounds, an index that is not constant, new elements from a tensor of another shape, an updated tensor with
// another user.
func.func @kept(%u: tensor<8xf32>, %i: tensor<1xi32>, %v: tensor<6xf32>, %number: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %out = stablehlo.constant dense<8> : tensor<1xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.add %u, %u : tensor<8xf32>
  %1 = "stablehlo.scatter"(%0, %out, %number) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8xf32>, tensor<1xi32>, tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.multiply %u, %u : tensor<8xf32>
  %3 = "stablehlo.scatter"(%2, %i, %number) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8xf32>, tensor<1xi32>, tensor<f32>) -> tensor<8xf32>
  %4 = stablehlo.negate %v : tensor<6xf32>
  %5 = stablehlo.dynamic_update_slice %u, %4, %zero : (tensor<8xf32>, tensor<6xf32>, tensor<i32>) -> tensor<8xf32>
  %6 = stablehlo.negate %u : tensor<8xf32>
  %one = stablehlo.broadcast_in_dim %number, dims = [] : (tensor<f32>) -> tensor<1xf32>
  %7 = stablehlo.dynamic_update_slice %6, %one, %zero : (tensor<8xf32>, tensor<1xf32>, tensor<i32>) -> tensor<8xf32>
  return %1, %3, %5, %6, %7 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// The selects have the update's sharding.
sdy.mesh @mesh = <["x"=2]>
func.func @sharded(%u: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %number: tensor<f32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  %0 = stablehlo.add %u, %u {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  %1 = "stablehlo.scatter"(%0, %zero, %number) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<1xi32>, tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// concatenate([u[:1], u[2:] * u[:-2], u[-1:]])
func.func @concatenate(%u: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.slice %u [2:8] : (tensor<8xf32>) -> tensor<6xf32>
  %1 = stablehlo.slice %u [0:6] : (tensor<8xf32>) -> tensor<6xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<6xf32>
  %first = stablehlo.slice %u [0:1] : (tensor<8xf32>) -> tensor<1xf32>
  %last = stablehlo.slice %u [7:8] : (tensor<8xf32>) -> tensor<1xf32>
  %3 = stablehlo.concatenate %first, %2, %last, dim = 0 : (tensor<1xf32>, tensor<6xf32>, tensor<1xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}

// The same along two dimensions; of the second one, only the first column is kept.
func.func @concatenate_2d(%u: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = stablehlo.slice %u [2:8, 1:6] : (tensor<8x6xf32>) -> tensor<6x5xf32>
  %1 = stablehlo.slice %u [0:6, 0:5] : (tensor<8x6xf32>) -> tensor<6x5xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<6x5xf32>
  %first = stablehlo.slice %u [0:1, 1:6] : (tensor<8x6xf32>) -> tensor<1x5xf32>
  %last = stablehlo.slice %u [7:8, 1:6] : (tensor<8x6xf32>) -> tensor<1x5xf32>
  %3 = stablehlo.concatenate %first, %2, %last, dim = 0 : (tensor<1x5xf32>, tensor<6x5xf32>, tensor<1x5xf32>) -> tensor<8x5xf32>
  %column = stablehlo.slice %u [0:8, 0:1] : (tensor<8x6xf32>) -> tensor<8x1xf32>
  %4 = stablehlo.concatenate %column, %3, dim = 1 : (tensor<8x1xf32>, tensor<8x5xf32>) -> tensor<8x6xf32>
  return %4 : tensor<8x6xf32>
}

// These stay: a border from another place, and borders of two tensors.
func.func @kept_concatenates(%u: tensor<8xf32>, %v: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.slice %u [2:8] : (tensor<8xf32>) -> tensor<6xf32>
  %1 = stablehlo.negate %0 : tensor<6xf32>
  %2 = stablehlo.exponential %0 : tensor<6xf32>
  %first = stablehlo.slice %u [0:1] : (tensor<8xf32>) -> tensor<1xf32>
  %third = stablehlo.slice %u [2:3] : (tensor<8xf32>) -> tensor<1xf32>
  %last = stablehlo.slice %v [7:8] : (tensor<8xf32>) -> tensor<1xf32>
  %3 = stablehlo.concatenate %first, %1, %third, dim = 0 : (tensor<1xf32>, tensor<6xf32>, tensor<1xf32>) -> tensor<8xf32>
  %4 = stablehlo.concatenate %first, %2, %last, dim = 0 : (tensor<1xf32>, tensor<6xf32>, tensor<1xf32>) -> tensor<8xf32>
  return %3, %4 : tensor<8xf32>, tensor<8xf32>
}

// Masks of arguments stay.
func.func @masks(%a: tensor<8x6xf32>, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %i = stablehlo.iota dim = 0 : tensor<8x6xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x6xi32>
  %three = stablehlo.constant dense<3> : tensor<8x6xi32>
  %0 = stablehlo.compare GT, %i, %three : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
  %1 = stablehlo.compare LT, %j, %three : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
  %2 = stablehlo.and %0, %1 : tensor<8x6xi1>
  %3 = stablehlo.select %2, %a, %b : tensor<8x6xi1>, tensor<8x6xf32>
  return %3 : tensor<8x6xf32>
}

// where(0 < i and 0 < j, pad(u[:-1, :-1] * u[:-1, :-1], 0), u) and where(not(0 < i) or j < 2, u, the same pad): the zeros are not selected.
// Rows 1 to 2 and 4 to 7 are not one range: this stays.
func.func @mask_of_pad(%u: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x6xf32>) {
  %number = stablehlo.constant dense<0.0> : tensor<f32>
  %i = stablehlo.iota dim = 0 : tensor<8x6xi32>
  %j = stablehlo.iota dim = 1 : tensor<8x6xi32>
  %zero = stablehlo.constant dense<0> : tensor<8x6xi32>
  %0 = stablehlo.compare GT, %i, %zero : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
  %1 = stablehlo.compare GT, %j, %zero : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
  %2 = stablehlo.and %0, %1 : tensor<8x6xi1>
  %3 = stablehlo.slice %u [0:7, 0:5] : (tensor<8x6xf32>) -> tensor<7x5xf32>
  %4 = stablehlo.multiply %3, %3 : tensor<7x5xf32>
  %5 = stablehlo.pad %4, %number, low = [1, 1], high = [0, 0], interior = [0, 0] : (tensor<7x5xf32>, tensor<f32>) -> tensor<8x6xf32>
  %6 = stablehlo.select %2, %5, %u : tensor<8x6xi1>, tensor<8x6xf32>
  %two = stablehlo.constant dense<2> : tensor<8x6xi32>
  %7 = stablehlo.not %0 : tensor<8x6xi1>
  %8 = stablehlo.compare LT, %j, %two : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
  %9 = stablehlo.or %7, %8 : tensor<8x6xi1>
  %10 = stablehlo.select %9, %u, %5 : tensor<8x6xi1>, tensor<8x6xf32>
  %three = stablehlo.constant dense<3> : tensor<8x6xi32>
  %11 = stablehlo.compare NE, %i, %three : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
  %12 = stablehlo.and %11, %2 : tensor<8x6xi1>
  %13 = stablehlo.select %12, %5, %u : tensor<8x6xi1>, tensor<8x6xf32>
  return %6, %10, %13 : tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x6xf32>
}

// A window that exceeds the tensor is dropped by the specification, so the scatter stays.
func.func @beyond_the_end(%u: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %at = stablehlo.constant dense<[5, 0]> : tensor<2xi32>
  %0 = stablehlo.slice %u [0:4, 0:6] : (tensor<8x6xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.negate %0 : tensor<4x6xf32>
  %2 = "stablehlo.scatter"(%u, %at, %1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8x6xf32>, tensor<2xi32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %2 : tensor<8x6xf32>
}
