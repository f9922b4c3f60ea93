// With avoid-export-for-partitioning, groups, constraints and meshes stay; uneven input shardings stay if an option asks for that.
// RUN: shardopt %s -sdy-export-pipeline='avoid-export-for-partitioning=true update-non-divisible-input-output-shardings=false'

sdy.mesh @mesh = <["x"=4]>

func.func @main(%arg0: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}) -> tensor<6xf32> {
  sdy.sharding_group %arg0 group_id = 0 : tensor<6xf32>
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{?}]> : tensor<6xf32>
  return %0 : tensor<6xf32>
}
