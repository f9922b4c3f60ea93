// Locations are printed as MLIR prints them: aliases sorted by depth, those of arguments before the module, ranges, call sites, names, fused ones.
// RUN: shardopt %s -mlir-print-debuginfo
#loc1 = loc("a.py":3:4)
#loc2 = loc("a.py":5:6 to :9)
#loc3 = loc("f"(#loc1))
module {
  func.func @f(%arg0: tensor<f32> loc("x"(#loc1))) -> tensor<f32> {
    %0 = stablehlo.negate %arg0 : tensor<f32> loc(#loc5)
    %1 = stablehlo.negate %0 : tensor<f32> loc(#loc3)
    %2 = stablehlo.negate %1 : tensor<f32> loc(callsite("inner" at #loc2))
    %3 = stablehlo.negate %2 : tensor<f32> loc(fused<"meta">[#loc1, "n", unknown])
    %4 = stablehlo.negate %3 : tensor<f32> loc(unknown)
    %5 = stablehlo.negate %4 : tensor<f32> loc("b.py":1:2 to 3:4)
    return %5 : tensor<f32> loc(#loc1)
  } loc(#loc2)
} loc(#loc4)
#loc4 = loc("whole")
#loc5 = loc("later"("a.py":7:8))
