// An unknown key in a machine file is reported with its line, and nothing is planned
// RUN: printf 'instruction_s = 1e-6\nspeed = 3\n' | shardrun --run=false --machine=- %s
// EXIT: 2
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}
