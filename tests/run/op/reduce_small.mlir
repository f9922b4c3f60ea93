// Reductions over zero, one and two elements, of one to four operands, give the same values interpreted and compiled
// RUN: for c in off on; do shardrun --quiet --codegen=$c %s --input="0x8xf32=" --input="0x8xi32=" --input="0x8xf64=" --input="0x8xui8=" --input="1x8xf32=3.0 9.0 8.0 2.0 5.0 9.0 7.0 9.0" --input="1x8xi32=10 11 12 13 14 15 16 17" --input="1x8xf64=20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0" --input="1x8xui8=30 31 32 33 34 35 36 37" --input="2x8xf32=1.0 9.0 0.0 7.0 4.0 8.0 3.0 3.0 7.0 8.0 8.0 7.0 6.0 2.0 3.0 2.0" --input="2x8xi32=10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25" --input="2x8xf64=20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0 33.0 34.0 35.0" --input="2x8xui8=30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45" --input="8x1xf32=8.0 6.0 0.0 1.0 2.0 9.0 0.0 4.0" --input="8x1xi32=10 11 12 13 14 15 16 17" --input="8x1xf64=20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0" --input="8x1xui8=30 31 32 33 34 35 36 37" --input="8x2xf32=0.0 4.0 7.0 9.0 6.0 6.0 6.0 9.0 7.0 2.0 5.0 1.0 0.0 2.0 7.0 3.0" --input="8x2xi32=10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25" --input="8x2xf64=20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0 28.0 29.0 30.0 31.0 32.0 33.0 34.0 35.0" --input="8x2xui8=30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45" --expected-output="8xf32=7.0 7.0 7.0 7.0 7.0 7.0 7.0 7.0" --expected-output="8xf32=7.0 7.0 7.0 7.0 7.0 7.0 7.0 7.0" --expected-output="8xi32=7 7 7 7 7 7 7 7" --expected-output="8xf32=7.0 7.0 7.0 7.0 7.0 7.0 7.0 7.0" --expected-output="8xi32=7 7 7 7 7 7 7 7" --expected-output="8xf64=7.0 7.0 7.0 7.0 7.0 7.0 7.0 7.0" --expected-output="8xf32=7.0 7.0 7.0 7.0 7.0 7.0 7.0 7.0" --expected-output="8xi32=7 7 7 7 7 7 7 7" --expected-output="8xf64=7.0 7.0 7.0 7.0 7.0 7.0 7.0 7.0" --expected-output="8xui8=7 7 7 7 7 7 7 7" --expected-output="8xf32=3.0 7.0 7.0 2.0 5.0 7.0 7.0 7.0" --expected-output="8xf32=3.0 7.0 7.0 2.0 5.0 7.0 7.0 7.0" --expected-output="8xi32=10 7 7 13 14 7 16 7" --expected-output="8xf32=3.0 7.0 7.0 2.0 5.0 7.0 7.0 7.0" --expected-output="8xi32=10 7 7 13 14 7 16 7" --expected-output="8xf64=20.0 7.0 7.0 23.0 24.0 7.0 26.0 7.0" --expected-output="8xf32=3.0 7.0 7.0 2.0 5.0 7.0 7.0 7.0" --expected-output="8xi32=10 7 7 13 14 7 16 7" --expected-output="8xf64=20.0 7.0 7.0 23.0 24.0 7.0 26.0 7.0" --expected-output="8xui8=30 7 7 33 34 7 36 7" --expected-output="8xf32=1.0 7.0 0.0 7.0 4.0 2.0 3.0 2.0" --expected-output="8xf32=1.0 7.0 0.0 7.0 4.0 2.0 3.0 2.0" --expected-output="8xi32=10 7 12 21 14 23 24 25" --expected-output="8xf32=1.0 7.0 0.0 7.0 4.0 2.0 3.0 2.0" --expected-output="8xi32=10 7 12 21 14 23 24 25" --expected-output="8xf64=20.0 7.0 22.0 31.0 24.0 33.0 34.0 35.0" --expected-output="8xf32=1.0 7.0 0.0 7.0 4.0 2.0 3.0 2.0" --expected-output="8xi32=10 7 12 21 14 23 24 25" --expected-output="8xf64=20.0 7.0 22.0 31.0 24.0 33.0 34.0 35.0" --expected-output="8xui8=30 7 32 41 34 43 44 45" --expected-output="8xf32=7.0 6.0 0.0 1.0 2.0 7.0 0.0 4.0" --expected-output="8xf32=7.0 6.0 0.0 1.0 2.0 7.0 0.0 4.0" --expected-output="8xi32=7 11 12 13 14 7 16 17" --expected-output="8xf32=7.0 6.0 0.0 1.0 2.0 7.0 0.0 4.0" --expected-output="8xi32=7 11 12 13 14 7 16 17" --expected-output="8xf64=7.0 21.0 22.0 23.0 24.0 7.0 26.0 27.0" --expected-output="8xf32=7.0 6.0 0.0 1.0 2.0 7.0 0.0 4.0" --expected-output="8xi32=7 11 12 13 14 7 16 17" --expected-output="8xf64=7.0 21.0 22.0 23.0 24.0 7.0 26.0 27.0" --expected-output="8xui8=7 31 32 33 34 7 36 37" --expected-output="8xf32=0.0 7.0 6.0 6.0 2.0 1.0 0.0 3.0" --expected-output="8xf32=0.0 7.0 6.0 6.0 2.0 1.0 0.0 3.0" --expected-output="8xi32=10 12 15 16 19 21 22 25" --expected-output="8xf32=0.0 7.0 6.0 6.0 2.0 1.0 0.0 3.0" --expected-output="8xi32=10 12 15 16 19 21 22 25" --expected-output="8xf64=20.0 22.0 25.0 26.0 29.0 31.0 32.0 35.0" --expected-output="8xf32=0.0 7.0 6.0 6.0 2.0 1.0 0.0 3.0" --expected-output="8xi32=10 12 15 16 19 21 22 25" --expected-output="8xf64=20.0 22.0 25.0 26.0 29.0 31.0 32.0 35.0" --expected-output="8xui8=30 32 35 36 39 41 42 45" --expected-output="8xf32=7.0 7.0 7.0 7.0 7.0 7.0 7.0 7.0" --expected-output="8xf32=7.0 7.0 7.0 7.0 7.0 7.0 7.0 7.0" --expected-output="8xi32=7 7 7 7 7 7 7 7" --expected-output="8xf64=7.0 7.0 7.0 7.0 7.0 7.0 7.0 7.0" --expected-output="8xui8=7 7 7 7 7 7 7 7" --expected-output="8xi32=7 7 7 7 7 7 7 7" --expected-output="8xui8=7 7 7 7 7 7 7 7" --expected-output="8xf32=10.0 16.0 15.0 9.0 12.0 16.0 14.0 16.0" --expected-output="8xf32=21.0 63.0 56.0 14.0 35.0 63.0 49.0 63.0" --expected-output="8xi32=7 7 7 7 7 7 7 7" --expected-output="8xf64=20.0 21.0 22.0 23.0 24.0 25.0 26.0 27.0" --expected-output="8xui8=31 31 39 39 39 39 39 39" --expected-output="8xi32=2 3 4 5 6 7 0 1" --expected-output="8xui8=25 24 39 38 37 36 35 34" --expected-output="8xf32=15.0 24.0 15.0 21.0 17.0 17.0 13.0 12.0" --expected-output="8xf32=49.0 504.0 0.0 343.0 168.0 112.0 63.0 42.0" --expected-output="8xi32=7 7 7 7 7 7 7 7" --expected-output="8xf64=28.0 29.0 30.0 31.0 32.0 33.0 34.0 35.0" --expected-output="8xui8=63 63 47 47 47 47 47 47" --expected-output="8xi32=2 3 4 5 6 7 0 1" --expected-output="8xui8=63 63 15 15 15 15 15 15" >/dev/null || exit 1; done
func.func @main(%a0: tensor<0x8xf32>, %a1: tensor<0x8xi32>, %a2: tensor<0x8xf64>, %a3: tensor<0x8xui8>, %a4: tensor<1x8xf32>, %a5: tensor<1x8xi32>, %a6: tensor<1x8xf64>, %a7: tensor<1x8xui8>, %a8: tensor<2x8xf32>, %a9: tensor<2x8xi32>, %a10: tensor<2x8xf64>, %a11: tensor<2x8xui8>, %a12: tensor<8x1xf32>, %a13: tensor<8x1xi32>, %a14: tensor<8x1xf64>, %a15: tensor<8x1xui8>, %a16: tensor<8x2xf32>, %a17: tensor<8x2xi32>, %a18: tensor<8x2xf64>, %a19: tensor<8x2xui8>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>, tensor<8xi32>, tensor<8xui8>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>, tensor<8xi32>, tensor<8xui8>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>, tensor<8xi32>, tensor<8xui8>) {
  %i_f32 = stablehlo.constant dense<7.0> : tensor<f32>
  %i_i32 = stablehlo.constant dense<7> : tensor<i32>
  %i_f64 = stablehlo.constant dense<7.0> : tensor<f64>
  %i_ui8 = stablehlo.constant dense<7> : tensor<ui8>
  %r0 = stablehlo.reduce(%a0 init: %i_f32) across dimensions = [0] : (tensor<0x8xf32>, tensor<f32>) -> (tensor<8xf32>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      stablehlo.return %s0 : tensor<f32>
    }
  %r1:2 = stablehlo.reduce(%a0 init: %i_f32), (%a1 init: %i_i32) across dimensions = [0] : (tensor<0x8xf32>, tensor<0x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) (%x1: tensor<i32>, %y1: tensor<i32>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      %s1 = stablehlo.select %l, %x1, %y1 : tensor<i1>, tensor<i32>
      stablehlo.return %s0, %s1 : tensor<f32>, tensor<i32>
    }
  %r3:3 = stablehlo.reduce(%a0 init: %i_f32), (%a1 init: %i_i32), (%a2 init: %i_f64) across dimensions = [0] : (tensor<0x8xf32>, tensor<0x8xi32>, tensor<0x8xf64>, tensor<f32>, tensor<i32>, tensor<f64>) -> (tensor<8xf32>, tensor<8xi32>, tensor<8xf64>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) (%x1: tensor<i32>, %y1: tensor<i32>) (%x2: tensor<f64>, %y2: tensor<f64>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      %s1 = stablehlo.select %l, %x1, %y1 : tensor<i1>, tensor<i32>
      %s2 = stablehlo.select %l, %x2, %y2 : tensor<i1>, tensor<f64>
      stablehlo.return %s0, %s1, %s2 : tensor<f32>, tensor<i32>, tensor<f64>
    }
  %r6:4 = stablehlo.reduce(%a0 init: %i_f32), (%a1 init: %i_i32), (%a2 init: %i_f64), (%a3 init: %i_ui8) across dimensions = [0] : (tensor<0x8xf32>, tensor<0x8xi32>, tensor<0x8xf64>, tensor<0x8xui8>, tensor<f32>, tensor<i32>, tensor<f64>, tensor<ui8>) -> (tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) (%x1: tensor<i32>, %y1: tensor<i32>) (%x2: tensor<f64>, %y2: tensor<f64>) (%x3: tensor<ui8>, %y3: tensor<ui8>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      %s1 = stablehlo.select %l, %x1, %y1 : tensor<i1>, tensor<i32>
      %s2 = stablehlo.select %l, %x2, %y2 : tensor<i1>, tensor<f64>
      %s3 = stablehlo.select %l, %x3, %y3 : tensor<i1>, tensor<ui8>
      stablehlo.return %s0, %s1, %s2, %s3 : tensor<f32>, tensor<i32>, tensor<f64>, tensor<ui8>
    }
  %r10 = stablehlo.reduce(%a4 init: %i_f32) across dimensions = [0] : (tensor<1x8xf32>, tensor<f32>) -> (tensor<8xf32>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      stablehlo.return %s0 : tensor<f32>
    }
  %r11:2 = stablehlo.reduce(%a4 init: %i_f32), (%a5 init: %i_i32) across dimensions = [0] : (tensor<1x8xf32>, tensor<1x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) (%x1: tensor<i32>, %y1: tensor<i32>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      %s1 = stablehlo.select %l, %x1, %y1 : tensor<i1>, tensor<i32>
      stablehlo.return %s0, %s1 : tensor<f32>, tensor<i32>
    }
  %r13:3 = stablehlo.reduce(%a4 init: %i_f32), (%a5 init: %i_i32), (%a6 init: %i_f64) across dimensions = [0] : (tensor<1x8xf32>, tensor<1x8xi32>, tensor<1x8xf64>, tensor<f32>, tensor<i32>, tensor<f64>) -> (tensor<8xf32>, tensor<8xi32>, tensor<8xf64>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) (%x1: tensor<i32>, %y1: tensor<i32>) (%x2: tensor<f64>, %y2: tensor<f64>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      %s1 = stablehlo.select %l, %x1, %y1 : tensor<i1>, tensor<i32>
      %s2 = stablehlo.select %l, %x2, %y2 : tensor<i1>, tensor<f64>
      stablehlo.return %s0, %s1, %s2 : tensor<f32>, tensor<i32>, tensor<f64>
    }
  %r16:4 = stablehlo.reduce(%a4 init: %i_f32), (%a5 init: %i_i32), (%a6 init: %i_f64), (%a7 init: %i_ui8) across dimensions = [0] : (tensor<1x8xf32>, tensor<1x8xi32>, tensor<1x8xf64>, tensor<1x8xui8>, tensor<f32>, tensor<i32>, tensor<f64>, tensor<ui8>) -> (tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) (%x1: tensor<i32>, %y1: tensor<i32>) (%x2: tensor<f64>, %y2: tensor<f64>) (%x3: tensor<ui8>, %y3: tensor<ui8>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      %s1 = stablehlo.select %l, %x1, %y1 : tensor<i1>, tensor<i32>
      %s2 = stablehlo.select %l, %x2, %y2 : tensor<i1>, tensor<f64>
      %s3 = stablehlo.select %l, %x3, %y3 : tensor<i1>, tensor<ui8>
      stablehlo.return %s0, %s1, %s2, %s3 : tensor<f32>, tensor<i32>, tensor<f64>, tensor<ui8>
    }
  %r20 = stablehlo.reduce(%a8 init: %i_f32) across dimensions = [0] : (tensor<2x8xf32>, tensor<f32>) -> (tensor<8xf32>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      stablehlo.return %s0 : tensor<f32>
    }
  %r21:2 = stablehlo.reduce(%a8 init: %i_f32), (%a9 init: %i_i32) across dimensions = [0] : (tensor<2x8xf32>, tensor<2x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) (%x1: tensor<i32>, %y1: tensor<i32>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      %s1 = stablehlo.select %l, %x1, %y1 : tensor<i1>, tensor<i32>
      stablehlo.return %s0, %s1 : tensor<f32>, tensor<i32>
    }
  %r23:3 = stablehlo.reduce(%a8 init: %i_f32), (%a9 init: %i_i32), (%a10 init: %i_f64) across dimensions = [0] : (tensor<2x8xf32>, tensor<2x8xi32>, tensor<2x8xf64>, tensor<f32>, tensor<i32>, tensor<f64>) -> (tensor<8xf32>, tensor<8xi32>, tensor<8xf64>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) (%x1: tensor<i32>, %y1: tensor<i32>) (%x2: tensor<f64>, %y2: tensor<f64>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      %s1 = stablehlo.select %l, %x1, %y1 : tensor<i1>, tensor<i32>
      %s2 = stablehlo.select %l, %x2, %y2 : tensor<i1>, tensor<f64>
      stablehlo.return %s0, %s1, %s2 : tensor<f32>, tensor<i32>, tensor<f64>
    }
  %r26:4 = stablehlo.reduce(%a8 init: %i_f32), (%a9 init: %i_i32), (%a10 init: %i_f64), (%a11 init: %i_ui8) across dimensions = [0] : (tensor<2x8xf32>, tensor<2x8xi32>, tensor<2x8xf64>, tensor<2x8xui8>, tensor<f32>, tensor<i32>, tensor<f64>, tensor<ui8>) -> (tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) (%x1: tensor<i32>, %y1: tensor<i32>) (%x2: tensor<f64>, %y2: tensor<f64>) (%x3: tensor<ui8>, %y3: tensor<ui8>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      %s1 = stablehlo.select %l, %x1, %y1 : tensor<i1>, tensor<i32>
      %s2 = stablehlo.select %l, %x2, %y2 : tensor<i1>, tensor<f64>
      %s3 = stablehlo.select %l, %x3, %y3 : tensor<i1>, tensor<ui8>
      stablehlo.return %s0, %s1, %s2, %s3 : tensor<f32>, tensor<i32>, tensor<f64>, tensor<ui8>
    }
  %r30 = stablehlo.reduce(%a12 init: %i_f32) across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> (tensor<8xf32>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      stablehlo.return %s0 : tensor<f32>
    }
  %r31:2 = stablehlo.reduce(%a12 init: %i_f32), (%a13 init: %i_i32) across dimensions = [1] : (tensor<8x1xf32>, tensor<8x1xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) (%x1: tensor<i32>, %y1: tensor<i32>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      %s1 = stablehlo.select %l, %x1, %y1 : tensor<i1>, tensor<i32>
      stablehlo.return %s0, %s1 : tensor<f32>, tensor<i32>
    }
  %r33:3 = stablehlo.reduce(%a12 init: %i_f32), (%a13 init: %i_i32), (%a14 init: %i_f64) across dimensions = [1] : (tensor<8x1xf32>, tensor<8x1xi32>, tensor<8x1xf64>, tensor<f32>, tensor<i32>, tensor<f64>) -> (tensor<8xf32>, tensor<8xi32>, tensor<8xf64>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) (%x1: tensor<i32>, %y1: tensor<i32>) (%x2: tensor<f64>, %y2: tensor<f64>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      %s1 = stablehlo.select %l, %x1, %y1 : tensor<i1>, tensor<i32>
      %s2 = stablehlo.select %l, %x2, %y2 : tensor<i1>, tensor<f64>
      stablehlo.return %s0, %s1, %s2 : tensor<f32>, tensor<i32>, tensor<f64>
    }
  %r36:4 = stablehlo.reduce(%a12 init: %i_f32), (%a13 init: %i_i32), (%a14 init: %i_f64), (%a15 init: %i_ui8) across dimensions = [1] : (tensor<8x1xf32>, tensor<8x1xi32>, tensor<8x1xf64>, tensor<8x1xui8>, tensor<f32>, tensor<i32>, tensor<f64>, tensor<ui8>) -> (tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) (%x1: tensor<i32>, %y1: tensor<i32>) (%x2: tensor<f64>, %y2: tensor<f64>) (%x3: tensor<ui8>, %y3: tensor<ui8>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      %s1 = stablehlo.select %l, %x1, %y1 : tensor<i1>, tensor<i32>
      %s2 = stablehlo.select %l, %x2, %y2 : tensor<i1>, tensor<f64>
      %s3 = stablehlo.select %l, %x3, %y3 : tensor<i1>, tensor<ui8>
      stablehlo.return %s0, %s1, %s2, %s3 : tensor<f32>, tensor<i32>, tensor<f64>, tensor<ui8>
    }
  %r40 = stablehlo.reduce(%a16 init: %i_f32) across dimensions = [1] : (tensor<8x2xf32>, tensor<f32>) -> (tensor<8xf32>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      stablehlo.return %s0 : tensor<f32>
    }
  %r41:2 = stablehlo.reduce(%a16 init: %i_f32), (%a17 init: %i_i32) across dimensions = [1] : (tensor<8x2xf32>, tensor<8x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) (%x1: tensor<i32>, %y1: tensor<i32>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      %s1 = stablehlo.select %l, %x1, %y1 : tensor<i1>, tensor<i32>
      stablehlo.return %s0, %s1 : tensor<f32>, tensor<i32>
    }
  %r43:3 = stablehlo.reduce(%a16 init: %i_f32), (%a17 init: %i_i32), (%a18 init: %i_f64) across dimensions = [1] : (tensor<8x2xf32>, tensor<8x2xi32>, tensor<8x2xf64>, tensor<f32>, tensor<i32>, tensor<f64>) -> (tensor<8xf32>, tensor<8xi32>, tensor<8xf64>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) (%x1: tensor<i32>, %y1: tensor<i32>) (%x2: tensor<f64>, %y2: tensor<f64>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      %s1 = stablehlo.select %l, %x1, %y1 : tensor<i1>, tensor<i32>
      %s2 = stablehlo.select %l, %x2, %y2 : tensor<i1>, tensor<f64>
      stablehlo.return %s0, %s1, %s2 : tensor<f32>, tensor<i32>, tensor<f64>
    }
  %r46:4 = stablehlo.reduce(%a16 init: %i_f32), (%a17 init: %i_i32), (%a18 init: %i_f64), (%a19 init: %i_ui8) across dimensions = [1] : (tensor<8x2xf32>, tensor<8x2xi32>, tensor<8x2xf64>, tensor<8x2xui8>, tensor<f32>, tensor<i32>, tensor<f64>, tensor<ui8>) -> (tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>)
    reducer(%x0: tensor<f32>, %y0: tensor<f32>) (%x1: tensor<i32>, %y1: tensor<i32>) (%x2: tensor<f64>, %y2: tensor<f64>) (%x3: tensor<ui8>, %y3: tensor<ui8>) {
      %l = stablehlo.compare LT, %x0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s0 = stablehlo.select %l, %x0, %y0 : tensor<i1>, tensor<f32>
      %s1 = stablehlo.select %l, %x1, %y1 : tensor<i1>, tensor<i32>
      %s2 = stablehlo.select %l, %x2, %y2 : tensor<i1>, tensor<f64>
      %s3 = stablehlo.select %l, %x3, %y3 : tensor<i1>, tensor<ui8>
      stablehlo.return %s0, %s1, %s2, %s3 : tensor<f32>, tensor<i32>, tensor<f64>, tensor<ui8>
    }
  %r50 = stablehlo.reduce(%a0 init: %i_f32) applies stablehlo.add across dimensions = [0] : (tensor<0x8xf32>, tensor<f32>) -> tensor<8xf32>
  %r51 = stablehlo.reduce(%a0 init: %i_f32) applies stablehlo.multiply across dimensions = [0] : (tensor<0x8xf32>, tensor<f32>) -> tensor<8xf32>
  %r52 = stablehlo.reduce(%a1 init: %i_i32) applies stablehlo.minimum across dimensions = [0] : (tensor<0x8xi32>, tensor<i32>) -> tensor<8xi32>
  %r53 = stablehlo.reduce(%a2 init: %i_f64) applies stablehlo.maximum across dimensions = [0] : (tensor<0x8xf64>, tensor<f64>) -> tensor<8xf64>
  %r54 = stablehlo.reduce(%a3 init: %i_ui8) applies stablehlo.or across dimensions = [0] : (tensor<0x8xui8>, tensor<ui8>) -> tensor<8xui8>
  %r55 = stablehlo.reduce(%a1 init: %i_i32) applies stablehlo.and across dimensions = [0] : (tensor<0x8xi32>, tensor<i32>) -> tensor<8xi32>
  %r56 = stablehlo.reduce(%a3 init: %i_ui8) applies stablehlo.xor across dimensions = [0] : (tensor<0x8xui8>, tensor<ui8>) -> tensor<8xui8>
  %r57 = stablehlo.reduce(%a4 init: %i_f32) applies stablehlo.add across dimensions = [0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32>
  %r58 = stablehlo.reduce(%a4 init: %i_f32) applies stablehlo.multiply across dimensions = [0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32>
  %r59 = stablehlo.reduce(%a5 init: %i_i32) applies stablehlo.minimum across dimensions = [0] : (tensor<1x8xi32>, tensor<i32>) -> tensor<8xi32>
  %r60 = stablehlo.reduce(%a6 init: %i_f64) applies stablehlo.maximum across dimensions = [0] : (tensor<1x8xf64>, tensor<f64>) -> tensor<8xf64>
  %r61 = stablehlo.reduce(%a7 init: %i_ui8) applies stablehlo.or across dimensions = [0] : (tensor<1x8xui8>, tensor<ui8>) -> tensor<8xui8>
  %r62 = stablehlo.reduce(%a5 init: %i_i32) applies stablehlo.and across dimensions = [0] : (tensor<1x8xi32>, tensor<i32>) -> tensor<8xi32>
  %r63 = stablehlo.reduce(%a7 init: %i_ui8) applies stablehlo.xor across dimensions = [0] : (tensor<1x8xui8>, tensor<ui8>) -> tensor<8xui8>
  %r64 = stablehlo.reduce(%a8 init: %i_f32) applies stablehlo.add across dimensions = [0] : (tensor<2x8xf32>, tensor<f32>) -> tensor<8xf32>
  %r65 = stablehlo.reduce(%a8 init: %i_f32) applies stablehlo.multiply across dimensions = [0] : (tensor<2x8xf32>, tensor<f32>) -> tensor<8xf32>
  %r66 = stablehlo.reduce(%a9 init: %i_i32) applies stablehlo.minimum across dimensions = [0] : (tensor<2x8xi32>, tensor<i32>) -> tensor<8xi32>
  %r67 = stablehlo.reduce(%a10 init: %i_f64) applies stablehlo.maximum across dimensions = [0] : (tensor<2x8xf64>, tensor<f64>) -> tensor<8xf64>
  %r68 = stablehlo.reduce(%a11 init: %i_ui8) applies stablehlo.or across dimensions = [0] : (tensor<2x8xui8>, tensor<ui8>) -> tensor<8xui8>
  %r69 = stablehlo.reduce(%a9 init: %i_i32) applies stablehlo.and across dimensions = [0] : (tensor<2x8xi32>, tensor<i32>) -> tensor<8xi32>
  %r70 = stablehlo.reduce(%a11 init: %i_ui8) applies stablehlo.xor across dimensions = [0] : (tensor<2x8xui8>, tensor<ui8>) -> tensor<8xui8>
  return %r0, %r1#0, %r1#1, %r3#0, %r3#1, %r3#2, %r6#0, %r6#1, %r6#2, %r6#3, %r10, %r11#0, %r11#1, %r13#0, %r13#1, %r13#2, %r16#0, %r16#1, %r16#2, %r16#3, %r20, %r21#0, %r21#1, %r23#0, %r23#1, %r23#2, %r26#0, %r26#1, %r26#2, %r26#3, %r30, %r31#0, %r31#1, %r33#0, %r33#1, %r33#2, %r36#0, %r36#1, %r36#2, %r36#3, %r40, %r41#0, %r41#1, %r43#0, %r43#1, %r43#2, %r46#0, %r46#1, %r46#2, %r46#3, %r50, %r51, %r52, %r53, %r54, %r55, %r56, %r57, %r58, %r59, %r60, %r61, %r62, %r63, %r64, %r65, %r66, %r67, %r68, %r69, %r70 : tensor<8xf32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>, tensor<8xi32>, tensor<8xui8>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>, tensor<8xi32>, tensor<8xui8>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>, tensor<8xf64>, tensor<8xui8>, tensor<8xi32>, tensor<8xui8>
}
