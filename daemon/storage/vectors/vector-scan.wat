;; Dot products of one query with many rows, four lanes at a time. Vectors are L2-normalised, so a dot product is a cosine.
;; Every row is `width` bytes, a multiple of 64: sixteen floats a turn into four sums, so that no addition waits for the one before.
;; `node scripts/write-vector-scan.mjs` compiles this into vector-scan-bytes.ts; a test compares the two.
(module
  (memory (import "loci" "memory") 1)
  (func (export "scan") (param $query i32) (param $row i32) (param $rows i32) (param $width i32) (param $out i32)
    (local $q i32) (local $end i32) (local $last i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $last (i32.add (local.get $out) (i32.shl (local.get $rows) (i32.const 2))))
    (block $done
      (loop $next_row
        (br_if $done (i32.ge_u (local.get $out) (local.get $last)))
        (local.set $q (local.get $query))
        (local.set $end (i32.add (local.get $row) (local.get $width)))
        (local.set $a (v128.const f32x4 0 0 0 0))
        (local.set $b (local.get $a))
        (local.set $c (local.get $a))
        (local.set $d (local.get $a))
        (loop $next_floats
          (local.set $a (f32x4.add (local.get $a)
            (f32x4.mul (v128.load (local.get $row)) (v128.load (local.get $q)))))
          (local.set $b (f32x4.add (local.get $b)
            (f32x4.mul (v128.load offset=16 (local.get $row)) (v128.load offset=16 (local.get $q)))))
          (local.set $c (f32x4.add (local.get $c)
            (f32x4.mul (v128.load offset=32 (local.get $row)) (v128.load offset=32 (local.get $q)))))
          (local.set $d (f32x4.add (local.get $d)
            (f32x4.mul (v128.load offset=48 (local.get $row)) (v128.load offset=48 (local.get $q)))))
          (local.set $q (i32.add (local.get $q) (i32.const 64)))
          (local.set $row (i32.add (local.get $row) (i32.const 64)))
          (br_if $next_floats (i32.lt_u (local.get $row) (local.get $end))))
        (local.set $a (f32x4.add
          (f32x4.add (local.get $a) (local.get $b))
          (f32x4.add (local.get $c) (local.get $d))))
        (f32.store (local.get $out)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
            (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $next_row)))))
