"""Systems with conditions, sharing, deep terms and a set, here and in Maude, in one run.

    python3 benches/maude/compare.py target/release/glushkov [RUNS]
    python3 benches/maude/compare.py --write FOLDER

Both normalise the same term by the same rules; Maude by its own order (innermost), then with a
strategy that rewrites a term before its arguments. Times are medians of processor time in seconds,
and here also as so many times Maude's.

The first table is of rewriting: Maude's as it tells it itself, in steps of 4 ms, without reading and
writing; here that of the whole process less that of a process that reads the same and rewrites
nothing, so that writing the result is in it. The second one is of whole processes on both sides:
start, reading, rewriting and writing the result.

`--write` writes the same systems and terms for `tests/rate.rs`, which measures rewriting alone, here
and in Maude.

Each term was made larger, by one in a number, one doubling, 100 elements of a list or 10,000 of the
set, until Maude took about 0.1 s under both strategies: then a step of its clock is a twenty-fifth of that
at most. Where one strategy takes many times as long as the other, each has a term of its own, found
in the same way.
"""

import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile

# Not `plus`: that is a standard functor here, which has values beside rules of its own.
ADD = [("add(0, Y)", "Y"), ("add(s(X), Y)", "s(add(X, Y))")]
APPEND = [("append(nil, X)", "X"), ("append(cons(X, Y), Z)", "cons(X, append(Y, Z))")]
LESS = [("lt(X, 0)", "no"), ("lt(0, s(Y))", "yes"), ("lt(s(X), s(Y))", "lt(X, Y)")]


def number(n):
    return "s(" * n + "0" + ")" * n


def numbers(n):
    cells = "".join(f"cons({number(i * 7 % 31)}, " for i in range(n))
    return cells + "nil" + ")" * n


DOUBLE = [("dbl(0)", "0"), ("dbl(s(X))", "s(s(dbl(X)))")]


def doubled(times, n):
    return "dbl(" * times + number(n) + ")" * times


# Each: a name, functors with their arities, equations with their conditions, a term, and one for
# the lazy strategies if that is another one.
SYSTEMS = [
    ("fibonacci", "fib/1 add/2",
     [("fib(0)", "0"), ("fib(s(0))", "s(0)"), ("fib(s(s(X)))", "add(fib(s(X)), fib(X))")] + ADD,
     f"fib({number(28)})"),
    ("hanoi", "hanoi/4 append/2 nil/0 cons/2 move/2 pa/0 pb/0 pc/0",
     [("hanoi(0, X, Y, Z)", "nil"),
      ("hanoi(s(W), X, Y, Z)",
       "append(hanoi(W, X, Z, Y), cons(move(X, Z), hanoi(W, Y, X, Z)))")] + APPEND,
     f"hanoi({number(18)}, pa, pb, pc)"),
    ("ackermann", "ack/2",
     [("ack(0, X)", "s(X)"), ("ack(s(X), 0)", "ack(X, s(0))"),
      ("ack(s(X), s(Y))", "ack(X, ack(s(X), Y))")],
     f"ack({number(3)}, {number(9)})"),
    ("reverse", "rev/1 append/2 nil/0 cons/2 up/1 dbl/1",
     APPEND + DOUBLE + [("rev(nil)", "nil"), ("rev(cons(X, Y))", "append(rev(Y), cons(X, nil))"),
                        ("up(0)", "nil"), ("up(s(X))", "cons(X, up(X))")],
     f"rev(up({doubled(6, 50)}))"),
    ("factorial", "fact/1 times/2 add/2",
     ADD + [("times(0, Y)", "0"), ("times(s(X), Y)", "add(Y, times(X, Y))"),
             ("fact(0)", "s(0)"), ("fact(s(X))", "times(s(X), fact(X))")],
     f"fact({number(10)})", f"fact({number(9)})"),
    ("tak, conditions", "tak/3 lt/2 pred/1 yes/0 no/0 m/0",
     LESS + [("pred(s(X))", "X"), ("pred(0)", "m"),
             ("tak(X, Y, Z)",
              "tak(tak(pred(X), Y, Z), tak(pred(Y), Z, X), tak(pred(Z), X, Y))",
              "lt(Y, X) = yes"),
             ("tak(X, Y, Z)", "Z", "lt(Y, X) = no")],
     f"tak({number(21)}, {number(14)}, {number(7)})", f"tak({number(10)}, {number(6)}, {number(4)})"),
    ("bubble sort, conditions", "nil/0 cons/2 lt/2 yes/0 no/0",
     LESS + [("cons(X, cons(Y, Z))", "cons(Y, cons(X, Z))", "lt(Y, X) = yes")], numbers(900)),
    ("insertion sort, conditions", "sort/1 put/2 nil/0 cons/2 lt/2 yes/0 no/0",
     LESS + [("sort(nil)", "nil"), ("sort(cons(X, Y))", "put(X, sort(Y))"),
             ("put(X, nil)", "cons(X, nil)"),
             ("put(X, cons(Y, Z))", "cons(X, cons(Y, Z))", "lt(X, Y) = yes"),
             ("put(X, cons(Y, Z))", "cons(Y, put(X, Z))", "lt(X, Y) = no")],
     f"sort({numbers(900)})"),
    ("deep terms", "two/1 add/2",
     [("two(0)", "s(0)"), ("two(s(X))", "add(two(X), two(X))")] + ADD, f"two({number(21)})", f"two({number(18)})"),
    ("sharing", "d/1 g/2 twice/1 depth/1 dbl/1",
     DOUBLE + [("d(0)", "0"), ("d(s(X))", "twice(d(X))"), ("twice(X)", "g(X, X)"),
               ("depth(0)", "0"), ("depth(g(X, Y))", "s(depth(X))")],
     f"depth(d({doubled(11, 200)}))"),
]
ELEMENTS = 70000
SET = f"set of {ELEMENTS:,}"
SET_RULES = "count({}) -> 0;\ncount({$x : $r}) -> s(count($r))"
SET_MODULE = """fmod M is protecting NAT . sorts S . subsort Nat < S . op none : -> S .
op _;_ : S S -> S [assoc comm id: none] . op count : S -> Nat . var N : Nat . var R : S .
eq count(none) = 0 . eq count(N ; R) = s(count(R)) . endfm"""


def rules(equations):
    def named(text):
        return re.sub(r"\b([XYZW])\b", r"$\1", text)

    lines = []
    for left, right, *condition in equations:
        asked = "".join(f" [ {' == '.join(named(c).rsplit(' = ', 1))} ]" for c in condition)
        lines.append(f"{named(left)}{asked} -> {named(right)}")
    return ";\n".join(lines)


def module(functors, equations, outermost):
    defined = {left.split("(")[0] for left, *_ in equations}
    lines = ["fmod M is sort T . op 0 : -> T . op s : T -> T . "]
    for functor in functors.split():
        name, arity = functor.split("/")
        order = " ".join(str(i + 1) for i in range(int(arity)))
        first = outermost and name in defined and order
        lines.append(f"op {name} : {'T ' * int(arity)}-> T{f' [strat (0 {order} 0)]' if first else ''} .")
    lines.append("vars X Y Z W : T .")
    for left, right, *condition in equations:
        kind, asked = ("ceq", f" if {condition[0]}") if condition else ("eq", "")
        lines.append(f"{kind} {left} = {right}{asked} .")
    return "\n".join(lines + ["endfm"])


def child(command, **options):
    """What a process wrote, and the processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    time = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout + done.stderr, time


def commands(text, term):
    """What Maude is to read."""
    return f"{text}\nset show command off .\nreduce {term} .\nquit\n"


def maude(text, term, folder):
    """Seconds of rewriting, of the whole process, and how many rewrites there were."""
    with open(f"{folder}/m.maude", "w") as file:
        file.write(commands(text, term))
    # A deep term needs a deep stack.
    limits = lambda: resource.setrlimit(resource.RLIMIT_STACK, (-1, -1))
    told, time = child(["maude", "-no-banner", f"{folder}/m.maude"],
                       stdin=subprocess.DEVNULL, preexec_fn=limits, timeout=30)
    found = re.search(r"rewrites: (\d+) in (\d+)ms cpu", told)
    return int(found[2]) / 1000, time, int(found[1])


def here(program, text, term, strategy, folder):
    """Likewise."""
    for name, content in (("rules", text), ("term", term)):
        with open(f"{folder}/{name}", "w") as file:
            file.write(content)
    command = [program, "rewrite", f"{folder}/rules", "--file", f"{folder}/term", "--stats",
               "--strategy", strategy, "--steps"]
    told, time = child(command + ["1000000000"], timeout=60)
    _, idle = child(command + ["0"], timeout=60)
    return time - idle, time, int(re.search(r"rewrites +(\d+)", told)[1])


def medians(times, runs):
    """Of each run the medians of its times, and its rewrites: all once, then all again, so that what else the machine
    does falls on all of them."""
    found = [[] for _ in runs]
    for _ in range(times):
        for run, of_run in zip(runs, found):
            try:
                of_run.append(run())
            except (subprocess.TimeoutExpired, TypeError):
                of_run.append(None)
    return [(None, 0) if None in f else ([statistics.median(r[i] for r in f) for i in (0, 1)], f[0][2])
            for f in found]


def cells(measured):
    """A row's cells in both tables: BottomTop beside the first of Maude's runs, the others beside the second."""
    first, second = [], []
    for i, (times, rewrites) in enumerate(measured):
        if times is None:
            first.append("none")
            second.append("none")
            continue
        beside = measured[0 if i == 1 else 2][0]
        parts = [f"{t:.3f}" for t in times]
        if i in (1, 3, 4) and beside:
            # Maude's clock has steps of 4 ms.
            parts = [f"{p}, {t / max(b, 0.004):.2f}" for p, t, b in zip(parts, times, beside)]
        first.append(f"{parts[0]} ({rewrites:,})")
        second.append(parts[1])
    return first, second


def cases():
    """Each system: its name, Maude's modules, the rules here, and the terms there and here, for both strategies."""
    for name, functors, equations, *terms in SYSTEMS:
        modules = [module(functors, equations, outermost) for outermost in (False, True)]
        pair = [terms[0], terms[-1]]
        yield name, modules, rules(equations), pair, pair
    elements = [str(i) for i in range(ELEMENTS)]
    theirs, ours = f"count({' ; '.join(elements)})", f"count({{{', '.join(elements)}}})"
    yield SET, [SET_MODULE] * 2, SET_RULES, [theirs] * 2, [ours] * 2


def write(folder):
    """Writes the systems for `tests/rate.rs`, which measures rewriting alone."""
    os.makedirs(folder, exist_ok=True)

    def file(name, text):
        with open(f"{folder}/{name}", "w") as file:
            file.write(text)

    for name, modules, text, theirs, ours in cases():
        file(f"{name}.rules", text)
        for kind, module, their, our in zip(("inner", "lazy"), modules, theirs, ours):
            file(f"{name}.{kind}", our)
            file(f"{name}.{kind}.maude", commands(module, their))
    file("names", "\n".join(name for name, *_ in cases()))


def main():
    if sys.argv[1] == "--write":
        write(sys.argv[2])
        return
    program, times = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    tables = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name, (inner, outer), text, theirs, ours in cases():
            measured = medians(times, [
                lambda: maude(inner, theirs[0], folder),
                lambda: here(program, text, ours[0], "BottomTop", folder),
                lambda: maude(outer, theirs[1], folder),
                lambda: here(program, text, ours[1], "TopDown", folder),
                lambda: here(program, text, ours[1], "FirstTop", folder),
            ])
            for table, part in zip(tables, cells(measured)):
                table.append(f"| {' | '.join([name, *part])} |")
            print(tables[0][-1], tables[1][-1], file=sys.stderr, flush=True)
    for table in tables:
        print("| system | Maude, innermost | BottomTop | Maude, lazy | TopDown | FirstTop |")
        print("\n".join(["|---|---|---|---|---|---|", *table, ""]))


main()
