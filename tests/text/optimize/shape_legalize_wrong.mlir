// The shape of an unranked tensor cannot be legalized.
// RUN: shardopt %s --shape-legalize-to-stablehlo
// EXIT: 1

func.func @main(%a: !shape.shape) -> !shape.size {
  %0 = shape.num_elements %a : !shape.shape -> !shape.size
  return %0 : !shape.size
}
