// sdy-remove-sharding-groups removes sharding groups.
// RUN: shardopt %s -sdy-remove-sharding-groups
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  sdy.sharding_group %a group_id=0 : tensor<8xf32>
  sdy.sharding_group %b group_id=0 : tensor<8xf32>
  return %a : tensor<8xf32>
}
