"""Systems with conditions, sharing, deep terms and a set, here and in Maude, in one run.

    python3 benches/maude/compare.py target/release/glushkov [RUNS]

Both normalise the same term by the same rules; Maude by its own order (innermost), then with a
strategy that rewrites a term before its arguments. Times are medians of processor time: Maude's as
it tells it, in steps of 4 ms; here that of the whole process, reading and writing included, of
which some 3 ms are its start.
"""

import re
import resource
import statistics
import subprocess
import sys
import tempfile

PLUS = [("plus(0, Y)", "Y"), ("plus(s(X), Y)", "s(plus(X, Y))")]
APPEND = [("append(nil, X)", "X"), ("append(cons(X, Y), Z)", "cons(X, append(Y, Z))")]
LESS = [("lt(X, 0)", "no"), ("lt(0, s(Y))", "yes"), ("lt(s(X), s(Y))", "lt(X, Y)")]


def number(n):
    return "s(" * n + "0" + ")" * n


def numbers(n):
    cells = "".join(f"cons({number(i * 7 % 31)}, " for i in range(n))
    return cells + "nil" + ")" * n


# Each: a name, functors with their arities, equations with their conditions, a term.
SYSTEMS = [
    ("fibonacci", "fib/1 plus/2",
     [("fib(0)", "0"), ("fib(s(0))", "s(0)"), ("fib(s(s(X)))", "plus(fib(s(X)), fib(X))")] + PLUS,
     f"fib({number(22)})"),
    ("hanoi", "hanoi/4 append/2 nil/0 cons/2 move/2 pa/0 pb/0 pc/0",
     [("hanoi(0, X, Y, Z)", "nil"),
      ("hanoi(s(W), X, Y, Z)",
       "append(hanoi(W, X, Z, Y), cons(move(X, Z), hanoi(W, Y, X, Z)))")] + APPEND,
     f"hanoi({number(14)}, pa, pb, pc)"),
    ("ackermann", "ack/2",
     [("ack(0, X)", "s(X)"), ("ack(s(X), 0)", "ack(X, s(0))"),
      ("ack(s(X), s(Y))", "ack(X, ack(s(X), Y))")],
     f"ack({number(3)}, {number(6)})"),
    ("reverse", "rev/1 append/2 nil/0 cons/2 up/1",
     APPEND + [("rev(nil)", "nil"), ("rev(cons(X, Y))", "append(rev(Y), cons(X, nil))"),
               ("up(0)", "nil"), ("up(s(X))", "cons(X, up(X))")],
     f"rev(up({number(400)}))"),
    ("tak, conditions", "tak/3 lt/2 pred/1 yes/0 no/0 m/0",
     LESS + [("pred(s(X))", "X"), ("pred(0)", "m"),
             ("tak(X, Y, Z)",
              "tak(tak(pred(X), Y, Z), tak(pred(Y), Z, X), tak(pred(Z), X, Y))",
              "lt(Y, X) = yes"),
             ("tak(X, Y, Z)", "Z", "lt(Y, X) = no")],
     f"tak({number(9)}, {number(6)}, {number(4)})"),
    ("bubble sort, conditions", "nil/0 cons/2 lt/2 yes/0 no/0",
     LESS + [("cons(X, cons(Y, Z))", "cons(Y, cons(X, Z))", "lt(Y, X) = yes")], numbers(150)),
    ("insertion sort, conditions", "sort/1 put/2 nil/0 cons/2 lt/2 yes/0 no/0",
     LESS + [("sort(nil)", "nil"), ("sort(cons(X, Y))", "put(X, sort(Y))"),
             ("put(X, nil)", "cons(X, nil)"),
             ("put(X, cons(Y, Z))", "cons(X, cons(Y, Z))", "lt(X, Y) = yes"),
             ("put(X, cons(Y, Z))", "cons(Y, put(X, Z))", "lt(X, Y) = no")],
     f"sort({numbers(150)})"),
    ("nested conditions, 400", "h/1 one/0", [("h(X)", "one", "X = s(0)")],
     "h(" * 400 + "0" + ")" * 400),
    ("deep terms", "two/1 plus/2",
     [("two(0)", "s(0)"), ("two(s(X))", "plus(two(X), two(X))")] + PLUS, f"two({number(14)})"),
    ("sharing", "d/1 g/2 twice/1",
     [("d(0)", "0"), ("d(s(X))", "twice(d(X))"), ("twice(X)", "g(X, X)")], f"d({number(14)})"),
]
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
    lines = ["fmod M is sort T . op 0 : -> T . op s : T -> T . op done : T -> T ."]
    for functor in functors.split():
        name, arity = functor.split("/")
        order = " ".join(str(i + 1) for i in range(int(arity)))
        first = outermost and name in defined and order
        lines.append(f"op {name} : {'T ' * int(arity)}-> T{f' [strat (0 {order} 0)]' if first else ''} .")
    lines.append("vars X Y Z W : T . eq done(X) = 0 .")
    for left, right, *condition in equations:
        kind, asked = ("ceq", f" if {condition[0]}") if condition else ("eq", "")
        lines.append(f"{kind} {left} = {right}{asked} .")
    return "\n".join(lines + ["endfm"])


def maude(text, term, folder):
    with open(f"{folder}/m.maude", "w") as file:
        file.write(f"{text}\nset show command off .\nreduce {term} .\nquit\n")
    # A deep term needs a deep stack.
    limits = lambda: resource.setrlimit(resource.RLIMIT_STACK, (-1, -1))
    done = subprocess.run(["maude", "-no-banner", f"{folder}/m.maude"], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, preexec_fn=limits, timeout=20)
    found = re.search(r"rewrites: (\d+) in (\d+)ms cpu", done.stdout)
    return int(found[2]) / 1000, int(found[1])


def here(program, text, term, strategy, folder):
    for name, content in (("rules", text), ("term", term)):
        with open(f"{folder}/{name}", "w") as file:
            file.write(content)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, "rewrite", f"{folder}/rules", "--file", f"{folder}/term", "--stats",
                           "--strategy", strategy, "--steps", "1000000000"],
                          capture_output=True, text=True, timeout=60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = re.search(r"rewrites +(\d+)", done.stdout + done.stderr)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, int(found[1])


def median(run, times):
    try:
        runs = [run() for _ in range(times)]
    except (subprocess.TimeoutExpired, TypeError):
        return "none"
    return f"{statistics.median(r[0] for r in runs):.3f} ({runs[0][1]:,})"


def main():
    program, times = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    print("| system | Maude, innermost | BottomTop | Maude, outermost | TopDown | FirstTop |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        cases = [(name, module(ops, eqs, False), module(ops, eqs, True), rules(eqs), term, f"done({term})")
                 for name, ops, eqs, term in SYSTEMS]
        elements = [str(i) for i in range(8000)]
        cases.append(("set of 8,000", SET_MODULE, SET_MODULE, SET_RULES,
                      f"count({{{', '.join(elements)}}})", f"count({' ; '.join(elements)})"))
        for name, inner, outer, text, term, theirs in cases:
            cells = [median(lambda: maude(inner, theirs, folder), times)]
            cells.append(median(lambda: here(program, text, term, "BottomTop", folder), times))
            cells.append(median(lambda: maude(outer, theirs, folder), times))
            for strategy in ("TopDown", "FirstTop"):
                cells.append(median(lambda: here(program, text, term, strategy, folder), times))
            print("|", " | ".join([name] + cells), "|", flush=True)


main()
