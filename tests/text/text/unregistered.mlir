// Ops of unknown dialects keep their form, blocks and inherent attributes
// RUN: shardopt %s -allow-unregistered-dialect
"a.top"() ({
^entry(%x: i32, %y: !a.type<1>):
  %0:2 = "a.op"(%x) <{in = 1 : i64}> {out = "s"} : (i32) -> (i32, f32)
  %1 = "a.op"(%0#1, %y) : (f32, !a.type<1>) -> index
}) : () -> ()
