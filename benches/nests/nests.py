"""Random nests of two to four loops, written as schemes: what the fast route must never make slower.

    python3 benches/nests/nests.py FOLDER [COUNT]

The same numbers give the same schemes. Each nest has sizes from 3 to 100,000, at most some 5e7
innermost iterations; loops that start at 0, at the variable of a loop around or behind it; sums, maxima,
counts and places of maxima, in rows, in cells of a plane and in all, some under conditions; arrays of an
iteration's own. Some are repeated as steps in time, each of which needs the one before.
"""

import os
import random
import sys

SIZES = [3, 7, 16, 33, 96, 324, 700, 1500, 4096, 20000, 100000]
MOST = 5e7


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.depth = self.r.choice([2, 2, 2, 3, 3, 4])
        while True:
            self.sizes = [self.r.choice(SIZES) for _ in range(self.depth)]
            product = 1
            for size in self.sizes:
                product *= size
            if 1000 <= product <= MOST:
                break
        # The array of plane cells, if there is one, is as large as the two outermost loops.
        self.plane = self.sizes[0] * self.sizes[1] <= 1 << 24

    def maybe(self, chance):
        return self.r.random() < chance

    def term(self, variables):
        """Something that the variables of the loops around give."""
        a, b = variables[-1], self.r.choice(variables[:-1] or variables)
        return self.r.choice([
            f"X{a}[v{a}] * Y{b}[v{b}]",
            f"X{a}[v{a}] * Y{a}[v{a}]",
            f"abs(X{a}[v{a}] - X{b}[v{b}])",
            f"1 / (1 + (X{a}[v{a}] - X{b}[v{b}]) * (X{a}[v{a}] - X{b}[v{b}]))",
            f"sqrt(0.01 + X{a}[v{a}] * X{b}[v{b}])",
            f"(0.5 * X{b}[v{b}] + Y{a}[v{a}])",
        ])

    def gather(self, scalar, variables):
        """A statement that gathers into one of the scalars of a level."""
        e = self.term(variables)
        kind = self.r.choice("sssmnc")
        if kind == "s":
            text = f"s{scalar} := s{scalar} + {e}"
        elif kind == "m":
            text = f"m{scalar} := max(m{scalar}, {e})"
        elif kind == "n":
            return f"IF {e} > 0.3 THEN n{scalar} := n{scalar} + 1 END IF"
        else:
            return f"IF {e} > m{scalar} THEN m{scalar} := {e}; p{scalar} := v{variables[-1]} END IF"
        if self.maybe(0.25):
            a = variables[-1]
            return f"IF K[v{a} MOD 100] > 1 THEN {text} END IF"
        return text

    def loop(self, level, variables, scalars):
        """The loop of a level, whose innermost statements gather into one of the scalars."""
        v = level
        start = "0"
        if variables and self.maybe(0.25):
            around = self.r.choice(variables)
            # A loop that starts at a variable is empty where that one is larger, which is a case, too.
            start = self.r.choice([f"v{around}", f"v{around} + 1"])
        inner = variables + [v]
        pad = "  " * (level + 2)
        if level == self.depth - 1:
            body = ";\n".join(f"{pad}  {self.gather(self.r.choice(scalars), inner)}" for _ in range(self.r.choice([1, 1, 2, 3])))
        else:
            parts = []
            own = self.maybe(0.6)
            if own:
                parts += [
                    f"{pad}  LOCAL s{v} : REAL := 0",
                    f"{pad}  LOCAL m{v} : REAL := -1000",
                    f"{pad}  LOCAL n{v} : INTEGER := 0",
                    f"{pad}  LOCAL p{v} : INTEGER := -1",
                ]
            below = [v] if own else scalars
            if own and self.maybe(0.3):
                below = [v] + scalars[-1:]
            if level + 2 == self.depth and self.maybe(0.1):
                # An array of the iteration's own, and what comes of it.
                t = level + 1
                parts.append(
                    f"{pad}  ARRAY own{v} : REAL [4] IN (\n{pad}  FOR (q FROM 0 TO 3) LOOP own{v}[q] := 0 END OF LOOP;\n"
                    f"{pad}  FOR (v{t} FROM 0 TO N{t} - 1) LOOP own{v}[v{t} MOD 4] := own{v}[v{t} MOD 4] + {self.term(inner + [t])} END OF LOOP;\n"
                    f"{pad}  s{below[0]} := s{below[0]} + own{v}[0] * own{v}[1] - own{v}[2] * own{v}[3])"
                )
            else:
                parts.append(self.loop(level + 1, inner, below))
                if self.maybe(0.1) and level + 2 == self.depth:
                    parts.append(self.loop(level + 1, inner, below))
            if own:
                value = f"s{v} + 0.125 * m{v} + n{v} - 0.5 * p{v}"
                where = self.r.choice(["row", "row", "plane", "up"])
                if where == "plane" and level == 1 and self.plane:
                    parts.append(f"{pad}  P[v0, v1] := {value}")
                elif where == "row" and level == 0:
                    parts.append(f"{pad}  R[v0] := {value}")
                else:
                    to = scalars[-1]
                    parts.append(f"{pad}  s{to} := s{to} + {value}")
            body = ";\n".join(parts)
        return f"{pad}FOR (v{v} FROM {start} TO N{v} - 1) LOOP\n{body}\n{pad}END OF LOOP"

    def scheme(self, name):
        nest = self.loop(0, [], ["t"])
        steps = self.maybe(0.25)
        if steps:
            nest = (
                "    FOR (step FROM 1 TO 5) LOOP\n" + nest + ";\n      mean := st / (1 + abs(st));\n"
                "      FOR (v FROM 0 TO N0 - 1) LOOP X0[v] := 0.5 * X0[v] + 0.001 * mean END OF LOOP\n    END OF LOOP"
            )
        data = [
            line
            for k, size in enumerate(self.sizes)
            for line in (f"  N{k} : INTEGER := {size}", f"  X{k}, Y{k} : REAL [N{k}]")
        ]
        starts = "\n".join(
            f"  FOR (v FROM 0 TO N{k} - 1) LOOP X{k}[v] := 0.001 * ((7 * v) MOD 97); Y{k}[v] := 1 / (1 + v) END OF LOOP;"
            for k in range(self.depth)
        )
        if "P[" in nest:
            data.append("  P : REAL [N0, N1] OUTPUT")
            starts += "\n  FOR (v FROM 0 TO N0 - 1) LOOP FOR (w FROM 0 TO N1 - 1) LOOP P[v, w] := 0 END OF LOOP END OF LOOP;"
        return "\n".join([
            f'SCHEME "{name}" ====', "DATA", *data, "  K : INTEGER [100]", "  R : REAL [N0] OUTPUT",
            "  st, mt, mean : REAL OUTPUT", "  nt, pt : INTEGER OUTPUT", "END OF DATA", starts,
            "  FOR (v FROM 0 TO N0 - 1) LOOP R[v] := 0 END OF LOOP;",
            "  FOR (v FROM 0 TO 99) LOOP K[v] := (5 * v) MOD 7 END OF LOOP;",
            "  st := 0; mt := -1000; nt := 0; pt := -1; mean := 0;", "  TIMED (", nest, "  )",
            f'END OF SCHEME "{name}"', "",
        ])


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    os.makedirs(folder, exist_ok=True)
    for number in range(count):
        with open(os.path.join(folder, f"{number}.saa"), "w") as file:
            file.write(Maker(number).scheme(f"nest {number}"))


if __name__ == "__main__":
    main()
