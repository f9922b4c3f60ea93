// a shape whose rank is not known has no tensor
// RUN: shardopt %s --shape-legalize-to-stablehlo
// EXIT: 1

func.func @main(%a: !shape.shape) -> !shape.size {
  %0 = shape.num_elements %a : !shape.shape -> !shape.size
  return %0 : !shape.size
}
