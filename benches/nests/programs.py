"""Random programs of many shapes, whose results are the same in any order: what derivations must keep.

    python3 benches/nests/programs.py FOLDER [COUNT [FIRST]]
    python3 benches/nests/programs.py --check GLUSHKOV FIRST COUNT [--target cuda] [STRATEGY ...]

The same numbers give the same schemes. Each has some stages out of those of `Maker.stages`: sums, minima,
maxima, places, counts and flags, several of them in a loop; sums by rows; scatters and histograms; WHILE loops over
scalars and over cells, in iterations and around loops; arrays of an iteration's own; lists; prefix sums;
triangles; sweeps; rows of a sparse matrix; steps in time that use what the step before has gathered. Every REAL is a
multiple of 1/8 that is small, and sums are exact in 64 bits, so that results must be equal to the bit.

`--check` derives each with defaults, and for a device with small thresholds, too, and runs it on the reference machine,
races looked for, beside the sequential scheme; with `--target cuda`, on the device instead. It prints what differs,
fails or cannot be derived.
"""

import os
import random
import subprocess
import sys
import tempfile

SIZES = [0, 1, 2, 3, 5, 8, 17, 33, 40, 70]
STRATEGIES = ["parallel", "gpu", "gpu-fast", "cpu", "cpu-fast"]


def small(e):
    """A value that is a small multiple of 1/8 again."""
    return f"0.125 * (floor(8 * ({e})) MOD 37)"


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.locals = 0
        self.n, self.m = self.r.choice(SIZES), self.r.choice(SIZES)
        # Where arrays are larger than N, loops to N cannot come near an end of INTEGER, and nobody has to ask.
        self.extent = "" if seed % 2 == 0 else "N + "

    def maybe(self, chance):
        return self.r.random() < chance

    def pick(self, *of):
        return self.r.choice(of)

    def name(self):
        self.locals += 1
        return f"t{self.locals}"

    def array(self):
        return self.pick("A", "B", "E")

    def real(self, i, depth=0):
        """A REAL of an iteration i of 0 to N - 1."""
        kind = self.r.randrange(9)
        if kind == 0:
            return f"0.125 * ({i} MOD 5)"
        if kind == 1:
            return f"x{self.r.randrange(3)}"
        if kind == 2:
            return f"{self.array()}[(3 * {i} + 1) MOD N]"
        if kind == 3:
            return f"C[{i}, {i} MOD 7]"
        if kind == 4 and depth < 2:
            return f"abs({self.real(i, depth + 1)} - {self.real(i, depth + 1)})"
        if kind == 5:
            return f"{self.array()}[K[{i}]]"
        if kind == 6:
            return f"V[{i}].{self.pick('x', 'y')}"
        return f"{self.array()}[{i}]"

    def test(self, i):
        return self.pick(
            f"{self.real(i)} > {self.pick('0.5', '-0.25', '1')}",
            f"K[{i}] MOD 3 = {self.r.randrange(3)}",
            f"{i} MOD 2 = 0",
            f"n{self.r.randrange(2)} < {i}",
            f"{self.real(i)} < {self.real(i)} AND {i} > 2",
        )

    def gathered(self, i, e=None):
        """Statements that gather something of iteration i into scalars."""
        made, used = [], set()
        for _ in range(self.pick(1, 1, 2, 3)):
            e = self.real(i)
            s = self.pick("x0", "x1", "x2", "n0", "n1", "p", "big", "flag", "v")
            if s in used:
                continue
            used.add(s)
            if s[0] == "x":
                made.append(self.pick(
                    f"{s} := {s} + {self.fresh(i)}",
                    f"{s} := max({s}, {self.fresh(i)})",
                    f"{s} := min({self.fresh(i)}, {s})",
                    f"IF {self.fresh(i)} > 0.25 THEN {s} := {s} - {self.fresh(i)} END IF",
                    f"{s} := {s} + {self.fresh(i)} - K[{i}] + 1",
                ))
            elif s[0] == "n":
                made.append(self.pick(
                    f"{s} := {s} + 1",
                    f"IF {self.fresh(i)} > 0 THEN {s} := {s} + 1 END IF",
                    f"{s} := max({s}, K[{i}])",
                    f"{s} := {s} + K[{i}] * ({i} MOD 3)",
                    f"IF K[{i}] < 3 THEN {s} := {s} + 2 ELSE {s} := {s} - 1 END IF",
                ))
            elif s == "p":
                compared = self.pick(">", ">=", "<")
                made.append(f"IF {self.pick('A', 'B')}[{i}] {compared} best THEN best := {self.pick('A', 'B')}[{i}]; p := {i} END IF")
            elif s == "big":
                made.append(f"big := big + int64(K[{i}]) * 1000003")
            elif s == "flag":
                made.append(self.pick(
                    f"flag := flag AND {self.fresh(i)} > -4",
                    f"IF {self.fresh(i)} > 4 THEN flag := FALSE END IF",
                    f"flag := flag OR K[{i}] = 6",
                ))
            else:
                made.append(self.pick(f"v := v + V[{i}]", f"v.x := v.x + B[{i}]", f"v := v - {self.fresh(i)} * V[{i}]"))
        return ";\n".join(f"    {line}" for line in made)

    def fresh(self, i):
        """A REAL of an iteration that depends on no scalar."""
        return self.pick(f"A[{i}]", f"B[{i}]", f"E[{i}]", f"V[{i}].x", f"C[{i}, 2]", f"abs(A[{i}] - B[{i}])", f"B[K[{i}]] * A[{i}]", f"0.125 * ({i} MOD 9)")

    def header(self, i="i", of="N"):
        return self.pick(
            f"FOR ({i} FROM 0 TO {of} - 1)", f"FOR ({i} FROM 0 TO {of} - 1)", f"FOR ({i} FROM 0 TO {of} - 1)",
            f"FOR ({i} FROM 1 TO {of} - 2)", f"FOR ({i} FROM 0 TO {of} - 1 STEP 2)", f"FOR ({i} FROM {of} - 1 TO 0 STEP -1)",
        )

    def mapped(self):
        a = self.array()
        return f"  {self.header()} LOOP\n    {a}[i] := {small(self.real('i') + ' + ' + self.real('i'))}\n  END OF LOOP"

    def guarded(self):
        a = self.array()
        return (
            f"  {self.header()} LOOP\n    IF {self.test('i')} THEN {a}[i] := {small(self.real('i'))}"
            f"{self.pick('', f' ELSE {self.array()}[i] := 0.5', '; K[i] := (K[i] + 1) MOD 8')} END IF\n  END OF LOOP"
        )

    def stencil(self):
        a, b = self.r.sample(["A", "B", "E"], 2)
        return (
            f"  FOR (i FROM 1 TO N - 2) LOOP {a}[i] := {small(f'{b}[i - 1] + {b}[i + 1] - {b}[i]')} END OF LOOP;\n"
            f"  FOR (i FROM 0 TO N - 1) LOOP {b}[i] := {a}[i] END OF LOOP"
        )

    def sweep(self):
        a = self.array()
        return self.pick(
            f"  FOR (i FROM 1 TO N - 1) LOOP {a}[i] := {small(f'{a}[i - 1] + B[i]')} END OF LOOP",
            f"  FOR (i FROM N - 2 TO 0 STEP -1) LOOP {a}[i] := {small(f'{a}[i + 1] - E[i]')} END OF LOOP",
            f"  FOR (i FROM 0 TO N - 3) LOOP {a}[i] := {small(f'{a}[i + 2] + x1')} END OF LOOP",
        )

    def sums(self):
        return f"  {self.header()} LOOP\n{self.gathered('i')}\n  END OF LOOP"

    def rows(self):
        a = self.array()
        inner = self.pick("FOR (j FROM 0 TO M - 1)", "FOR (j FROM i TO M - 1)", "FOR (j FROM 0 TO i MOD 9)", "FOR (j FROM i + 1 TO min(i + 5, M - 1))")
        s, n = self.name(), self.name()
        extra = self.pick("", f"; x2 := x2 + {s}", f"; n0 := n0 + {n}", f"; x1 := max(x1, {s})", f"; IF {s} > best THEN best := {s}; p := i END IF")
        return (
            f"  FOR (i FROM 0 TO N - 1) LOOP\n    LOCAL {s} : REAL := 0; LOCAL {n} : INTEGER := 0;\n"
            f"    {inner} LOOP\n      {s} := {self.pick(f'{s} + C[i, j MOD 8]', f'max({s}, C[i, j MOD 8])', f'{s} + A[j] * B[i]')};\n"
            f"      IF {self.pick('C[i, j MOD 8] > 0', 'A[j] > B[i]', 'L[j] = K[i]')} THEN {n} := {n} + 1 END IF\n    END OF LOOP;\n"
            f"    {a}2[i] := {small(f'{s} + {n}')}{extra}\n  END OF LOOP"
        )

    def scattered(self):
        at = self.pick("K[i]", "K[i] MOD 4", "(K[i] + i) MOD 8", "i MOD 8")
        lines = self.r.sample([
            f"H[{at}] := H[{at}] + 1", f"S[{at}] := S[{at}] + A[i]", f"T[{at}] := max(T[{at}], B[i])",
            f"F[{at}] := min(F[{at}], i)", f"IF B[i] > 0 THEN H[{at}] := H[{at}] - K[i] END IF", f"W[{at}] := W[{at}] + V[i]",
            f"H2[{at}, i MOD 3] := H2[{at}, i MOD 3] + 1", f"U[i] := {at}",
        ], self.pick(1, 1, 2, 3))
        body = ";\n    ".join(lines)
        return f"  {self.header()} LOOP\n    {body}\n  END OF LOOP"

    def scattered_pairs(self):
        line = self.pick("H[(K[i] + L[j]) MOD 8] := H[(K[i] + L[j]) MOD 8] + 1", "S[L[j]] := S[L[j]] + A[i] * B[j]", "H2[K[i], j MOD 3] := H2[K[i], j MOD 3] + L[j]")
        start = self.pick("0", "0", "i", "i + 1")
        guard = self.pick(line, line, f"IF A[i] > B[j] THEN {line} END IF")
        return f"  FOR (i FROM 0 TO N - 1) LOOP FOR (j FROM {start} TO M - 1) LOOP\n    {guard}\n  END OF LOOP END OF LOOP"

    def escape(self):
        """A WHILE of each iteration's own."""
        x, n = self.name(), self.name()
        extra = self.pick("", f"; n1 := n1 + {n}", f"; H[{n} MOD 8] := H[{n} MOD 8] + 1", f"; x0 := x0 + {x}")
        return (
            f"  FOR (i FROM 0 TO N - 1) LOOP\n    LOCAL {x} : REAL := {self.real('i')}; LOCAL {n} : INTEGER := 0;\n"
            f"    WHILE {n} < {self.pick('9', 'K[i]', 'i MOD 11')} AND {x} < 3 LOOP {x} := {small(f'{x} + {x} + B[i] + 0.25')}; {n} := {n} + 1 END OF LOOP;\n"
            f"    U[i] := {n}; {self.array()}2[i] := {x}{extra}\n  END OF LOOP"
        )

    def rounds(self):
        """A WHILE around loops, that asks what they have gathered."""
        a = self.array()
        inner = self.pick(
            f"FOR (i FROM 0 TO N - 1) LOOP IF {a}[i] > -2 THEN {a}[i] := {a}[i] - 0.5; changed := changed + 1 END IF END OF LOOP",
            f"FOR (i FROM 1 TO N - 1) LOOP IF D[i] > D[i - 1] + 1 THEN E2[i] := D[i - 1] + 1; changed := 1 ELSE E2[i] := D[i] END IF END OF LOOP;\n    FOR (i FROM 1 TO N - 1) LOOP D[i] := int(E2[i]) END OF LOOP",
            f"FOR (i FROM 0 TO N - 1) LOOP IF U[i] < 5 + K[i] THEN U[i] := U[i] + 1; changed := max(changed, U[i]) END IF END OF LOOP",
            f"FOR (i FROM 0 TO N - 1) LOOP x2 := max(x2, abs({a}[i])); {a}[i] := {small(f'{a}[i] + 0.125')} END OF LOOP;\n    IF x2 < 4 THEN changed := 1 END IF",
        )
        if self.maybe(0.4):
            # One that ends by a flag, which a loop of its own sets, or loops share with what they gather.
            inner = self.pick(
                f"FOR (i FROM 0 TO N - 1) LOOP IF U[i] < 5 + K[i] THEN U[i] := U[i] + 1; more := TRUE END IF END OF LOOP",
                f"FOR (i FROM 0 TO N - 1) LOOP L[i] := K[i]; IF L[i] > 0 THEN K[i] := L[i] - 1; changed := changed + 1; more := TRUE END IF END OF LOOP",
                f"FOR (i FROM 0 TO N - 1) LOOP more := more OR U[i] < round; U[i] := U[i] + 2 END OF LOOP",
                f"more := TRUE; FOR (i FROM 0 TO N - 1) LOOP more := more AND U[i] < 7; U[i] := U[i] + 1 END OF LOOP",
            )
            condition = self.pick("more AND round < 9", "round < 6 AND more AND x1 < 1000")
            return f"  changed := 0; round := 0; more := TRUE;\n  WHILE {condition} LOOP\n    more := FALSE; round := round + 1;\n    {inner}\n  END OF LOOP"
        tail = self.pick("", ";\n    x1 := x1 + changed", ";\n    H[round MOD 8] := changed", f";\n    FOR (i FROM 0 TO M - 1) LOOP B2[i] := B2[i] + 0.125 * (changed MOD 3) END OF LOOP")
        condition = self.pick("changed > 0 AND round < 7", "round < 5 AND changed <> 0", "H[7] < 3 AND changed > 0 AND round < 6")
        return (
            f"  changed := 1; round := 0; x2 := 0;\n  WHILE {condition} LOOP\n    changed := 0; round := round + 1;\n    {inner}{tail}\n  END OF LOOP"
        )

    def own(self):
        w, s = self.name(), self.name()
        kind = self.r.randrange(4)
        if kind == 0:
            body = (
                f"FOR (q FROM 0 TO 4) LOOP {w}[q] := 0 END OF LOOP;\n      FOR (j FROM 0 TO M - 1) LOOP {w}[(L[j] + i) MOD 5] := {w}[(L[j] + i) MOD 5] + A[j] END OF LOOP;\n"
                f"      B2[i] := {small(f'{w}[0] + {w}[3]')}; FOR (q FROM 0 TO 4) LOOP x1 := x1 + {w}[q] END OF LOOP"
            )
        elif kind == 1:
            body = (
                f"LOCAL {s} : INTEGER := 1; {w}[0] := i MOD 4;\n      WHILE {s} > 0 LOOP {s} := {s} - 1; LOCAL at : INTEGER := int({w}[{s}]); n1 := n1 + at;\n"
                f"        IF at > 1 AND {s} < 3 THEN {w}[{s}] := at - 1; {w}[{s} + 1] := at - 2; {s} := {s} + 2 END IF\n      END OF LOOP; B2[i] := {w}[0]"
            )
        elif kind == 2:
            body = (
                f"FOR (q FROM 0 TO 4) LOOP {w}[q] := C[i, q] END OF LOOP;\n      FOR (q FROM 1 TO 4) LOOP\n        LOCAL key : REAL := {w}[q]; LOCAL at : INTEGER := q - 1;\n"
                f"        WHILE at >= 0 AND {w}[max(at, 0)] > key LOOP {w}[at + 1] := {w}[at]; at := at - 1 END OF LOOP;\n        {w}[at + 1] := key\n      END OF LOOP;\n      B2[i] := {w}[2]"
            )
        else:
            body = (
                f"FOR (q FROM 0 TO 4) LOOP {w}[q] := 9 END OF LOOP;\n      FOR (j FROM 0 TO M - 1) LOOP\n        LOCAL d : REAL := abs(A[j] - B[i]);\n"
                f"        FOR (q FROM 0 TO 4) LOOP IF d < {w}[q] THEN LOCAL e : REAL := {w}[q]; {w}[q] := d; d := e END IF END OF LOOP\n      END OF LOOP;\n      B2[i] := {small(f'{w}[1]')}"
            )
        return f"  FOR (i FROM 0 TO N - 1) LOOP\n    ARRAY {w} : REAL [5] IN (\n      {body}\n    )\n  END OF LOOP"

    def listed(self):
        return self.pick(
            f"  n0 := 0;\n  FOR (i FROM 0 TO N - 1) LOOP IF {self.fresh('i')} > 0.5 THEN U[n0] := i; n0 := n0 + 1 END IF END OF LOOP;\n"
            f"  FOR (i FROM 0 TO n0 - 1) LOOP {self.pick('A[U[i]] := 0.25', 'x0 := x0 + B[U[i]]', 'E[i] := A[U[i]]')} END OF LOOP",
            f"  x0 := 0;\n  FOR (i FROM 0 TO N - 1) LOOP {self.pick('x0 := x0 + A[i]; E[i] := x0', 'E[i] := x0; x0 := x0 + B[i]', 'x0 := max(x0, A[i]); E[i] := x0')} END OF LOOP;\n"
            f"  FOR (i FROM 0 TO N - 1) LOOP E[i] := {small('E[i]')} END OF LOOP",
            "  P[0] := 0;\n  FOR (i FROM 0 TO N - 1) LOOP P[i + 1] := P[i] + K[i] MOD 4 END OF LOOP;\n"
            f"  FOR (i FROM 0 TO N - 1) LOOP\n    LOCAL sum : REAL := 0;\n    FOR (e FROM P[i] TO P[i + 1] - 1) LOOP sum := sum + {self.pick('A[e MOD N]', 'B[L[e MOD 80]]', '0.125 * e')} END OF LOOP;\n    B2[i] := {small('sum')}\n  END OF LOOP",
        )

    def triangle(self):
        start = self.pick("0", "0", "i + 1", "i")
        if start == "0":
            tests = self.pick("IF i <> j THEN A2[i] := A2[i] + abs(A[i] - B[j]) END IF", "A2[i] := A2[i] + A[i] * B[j]", "A2[i] := max(A2[i], A[i] - B[j])")
            return f"  FOR (i FROM 0 TO N - 1) LOOP A2[i] := 0 END OF LOOP;\n  FOR (i FROM 0 TO N - 1) LOOP FOR (j FROM {start} TO N - 1) LOOP {tests} END OF LOOP END OF LOOP;\n  FOR (i FROM 0 TO N - 1) LOOP A2[i] := {small('A2[i]')} END OF LOOP"
        f = self.name()
        guard = self.pick("", "IF ", "")
        lines = f"A2[i] := A2[i] + {f}; A2[j] := A2[j] - {f}" + self.pick("", f"; x0 := x0 + {f}", "; n0 := n0 + 1")
        inner = f"LOCAL {f} : REAL := (A[i] - A[j]) * B[j]; " + (f"IF {f} > 0.25 THEN {lines} END IF" if guard else lines)
        return f"  FOR (i FROM 0 TO N - 1) LOOP A2[i] := 0.5 END OF LOOP;\n  FOR (i FROM 0 TO N - 1) LOOP FOR (j FROM {start} TO N - 1) LOOP\n    {inner}\n  END OF LOOP END OF LOOP;\n  FOR (i FROM 0 TO N - 1) LOOP A2[i] := {small('A2[i]')} END OF LOOP"

    def product(self):
        s = self.name()
        return (
            f"  FOR (i FROM 0 TO N - 1) LOOP FOR (j FROM 0 TO 7) LOOP\n    LOCAL {s} : REAL := 0;\n    FOR (k FROM 0 TO M - 1) LOOP {s} := {s} + {self.pick('C[i, k MOD 8] * C[k, j]', 'A[k] * C[k, j]', 'A[k] * L[k]')} END OF LOOP;\n"
            f"    G[i, j] := {small(s)}\n  END OF LOOP END OF LOOP"
        )

    def found(self):
        return self.pick(
            f"  best := -100; p := -1;\n  FOR (i FROM 0 TO N - 1) LOOP IF {self.fresh('i')} > best THEN best := {self.fresh('i')}; p := i END IF END OF LOOP;\n  IF p >= 0 THEN A[p] := 0; x0 := x0 + B[p] END IF",
            "  p := -1;\n  FOR (i FROM 0 TO N - 1) LOOP IF p < 0 AND A[i] > 1 THEN p := i END IF END OF LOOP",
            "  p := 0;\n  WHILE p < N AND A[min(p, 79)] < 1 LOOP p := p + 1 END OF LOOP",
            "  flag := TRUE;\n  FOR (i FROM 0 TO N - 2) LOOP IF A[i] > A[i + 1] THEN flag := FALSE END IF END OF LOOP;\n  IF flag THEN x1 := x1 + 1 END IF",
        )

    def exchanges(self):
        return (
            "  FOR (k FROM 0 TO 3) LOOP\n    FOR (i FROM 0 TO N - 1) LOOP\n      LOCAL o : INTEGER := bit_xor(i, shift_left(1, k));\n"
            "      IF o > i AND o < N THEN IF A[i] > A[o] THEN LOCAL t : REAL := A[i]; A[i] := A[o]; A[o] := t END IF END IF\n    END OF LOOP\n  END OF LOOP"
        )

    def planes(self):
        a, b = self.r.sample(["C", "G"], 2)
        return (
            f"  FOR (i FROM 1 TO N - 2) LOOP FOR (j FROM 1 TO 6) LOOP\n    {a}[i, j] := {small(f'{b}[i - 1, j] + {b}[i, j + 1] - {b}[i, j]')}{self.pick('', '; x2 := max(x2, abs(C[i, j]))', '; n1 := n1 + 1')}\n  END OF LOOP END OF LOOP"
        )

    def vectors(self):
        return self.pick(
            f"  FOR (i FROM 0 TO N - 1) LOOP V[i] := 0.5 * V[i]; V[i].x := {small('V[i].x + A[i]')}; V[i].y := {small('V[i].y')}; V[i].z := 0 END OF LOOP",
            "  FOR (i FROM 0 TO N - 1) LOOP\n    LOCAL f : VECTOR := 0;\n    FOR (j FROM 0 TO M - 1) LOOP IF j <> i THEN f := f + A[j] * (V[j] - V[i]) END IF END OF LOOP;\n"
            f"    B2[i] := {small('f.x + f.y')}\n  END OF LOOP",
        )

    def stage(self, depth=0):
        kinds = [
            (self.mapped, 2), (self.guarded, 2), (self.stencil, 1), (self.sweep, 1), (self.sums, 3), (self.rows, 3), (self.scattered, 3),
            (self.scattered_pairs, 1), (self.escape, 2), (self.rounds, 2), (self.own, 2), (self.listed, 2), (self.triangle, 2),
            (self.product, 1), (self.found, 2), (self.exchanges, 1), (self.planes, 1), (self.vectors, 1),
        ]
        if depth == 0 and self.maybe(0.2):
            inner = ";\n".join(self.stage(1) for _ in range(self.pick(1, 2, 3)))
            step = f"x{self.r.randrange(3)} := {small('x0 + x1')}; x2 := {small('x2')}"
            if self.maybe(0.3):
                return f"  IF {self.pick('n0 > 3', 'x0 < x1', 'flag', 'p >= 0')} THEN\n{inner}\n  END IF"
            return f"  FOR (step FROM 1 TO 3) LOOP\n{inner};\n  {step}\n  END OF LOOP"
        made = self.r.choices([k for k, _ in kinds], [w for _, w in kinds])[0]()
        # Products of scalars must not grow from stage to stage.
        return f"{made};\n  x0 := {small('x0')}; x1 := {small('x1')}; n0 := n0 MOD 1000; n1 := n1 MOD 1000; big := big MOD 1000003"

    def scheme(self, name):
        body = ";\n".join(self.stage() for _ in range(self.pick(1, 2, 3, 4, 6)))
        return f"""SCHEME "{name}" ====
DATA
  N : INTEGER := {self.n}
  M : INTEGER := {self.m}
  A, B, E, A2, B2, E2 : REAL [{self.extent}80] OUTPUT
  C, G : REAL [{self.extent}80, 8] OUTPUT
  V : VECTOR [{self.extent}80] OUTPUT
  K, L, U, D : INTEGER [{self.extent}80] OUTPUT
  P : INTEGER [{self.extent}81] OUTPUT
  H, F : INTEGER [8] OUTPUT
  H2 : INTEGER [8, 3] OUTPUT
  S, T : REAL [8] OUTPUT
  W : VECTOR [8] OUTPUT
  x0, x1, x2, best : REAL OUTPUT
  n0, n1, p, changed, round : INTEGER OUTPUT
  big : INTEGER64 OUTPUT
  flag, more : BOOLEAN
  v : VECTOR OUTPUT
  right : INTEGER OUTPUT
END OF DATA
  FOR (i FROM 0 TO 79) LOOP
    A[i] := 0.125 * ((5 * i + {self.r.randrange(9)}) MOD 17) - 1; B[i] := 0.25 * ((7 * i) MOD 11) - 1; E[i] := 0.5 - 0.125 * (i MOD 6);
    A2[i] := 0; B2[i] := 0; E2[i] := 0; V[i] := vector(A[i], B[i], 0.5);
    K[i] := (3 * i + {self.r.randrange(8)}) MOD 8; L[i] := (i / 3) MOD 8; U[i] := 0; D[i] := (11 * i) MOD 40;
    FOR (j FROM 0 TO 7) LOOP C[i, j] := 0.125 * ((i + 3 * j) MOD 13) - 0.75; G[i, j] := 0.25 * (j - i MOD 4) END OF LOOP
  END OF LOOP;
  FOR (i FROM 0 TO 80) LOOP P[i] := i END OF LOOP;
  FOR (i FROM 0 TO 7) LOOP
    H[i] := i; F[i] := 50; S[i] := 0; T[i] := -1; W[i] := 0; FOR (j FROM 0 TO 2) LOOP H2[i, j] := 0 END OF LOOP
  END OF LOOP;
  x0 := 0; x1 := 0.5; x2 := -1; best := -3; n0 := 0; n1 := 1; p := -1; changed := 0; round := 0; big := 0; flag := TRUE; more := FALSE; v := 0;
{body};
  IF flag THEN right := 1 ELSE right := 0 END IF
END OF SCHEME "{name}"
"""


def checked(glushkov, path, target, strategies):
    """What is wrong with the programs of a scheme."""
    told = []
    base = [glushkov, "run", path, "--precision", "f64", "-q"]
    alone = subprocess.run([*base, "--target", "interpreter", "--strategy", "sequential"], capture_output=True, text=True)
    if alone.returncode != 0:
        return [f"sequential: {(alone.stdout + alone.stderr)[-300:]}"]
    for strategy in strategies:
        for withs in [[], ["--with", "little=2", "--with", "few=2"]]:
            if withs and strategy != "gpu-fast":
                continue
            asked = [*base, "--target", target, "--strategy", strategy, "--compare", *withs]
            done = subprocess.run(asked, capture_output=True, text=True, timeout=300)
            said = done.stdout + done.stderr
            if done.returncode != 0 or "has the same bits" not in said:
                told.append(f"{strategy} {' '.join(withs)}: {said[-600:]}")
    return told


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-") and sys.argv[1] != "--check":
        sys.exit(__doc__)
    if sys.argv[1] == "--check":
        glushkov, first, count = os.path.abspath(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
        target, strategies, wrong = "interpreter", sys.argv[5:], 0
        if strategies[:1] == ["--target"]:
            target, strategies = strategies[1], strategies[2:]
        with tempfile.TemporaryDirectory() as folder:
            for number in range(first, first + count):
                path = os.path.join(folder, f"program_{number}.saa")
                with open(path, "w") as file:
                    file.write(Maker(number).scheme(f"program {number}"))
                for told in checked(glushkov, path, target, strategies or STRATEGIES):
                    wrong += 1
                    print(f"{number}: {told}", flush=True)
        print(f"{count} programs, {wrong} wrong")
        return
    folder = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    os.makedirs(folder, exist_ok=True)
    for number in range(first, first + count):
        with open(os.path.join(folder, f"{number}.saa"), "w") as file:
            file.write(Maker(number).scheme(f"program {number}"))


if __name__ == "__main__":
    main()
