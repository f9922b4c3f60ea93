// Sharding groups that share a value are merged.
// RUN: shardopt %s -sdy-sharding-group-import
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  sdy.sharding_group %a group_id=3 : tensor<4xf32>
  sdy.sharding_group %a group_id=5 : tensor<4xf32>
  sdy.sharding_group %b group_id=5 : tensor<4xf32>
  sdy.sharding_group %c group_id=4 : tensor<4xf32>
  return
}
