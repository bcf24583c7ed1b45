//! What plain Rust computes, beside what the systems give.

use crate::{STRATEGIES, flat, rewrite};

const STEPS: u64 = 5_000_000;

/// Asserts that a system gives a text under strategies.
fn gives(name: &str, term: &str, wanted: &str, strategies: &[&str]) {
    for strategy in strategies {
        let done = rewrite(name, term, strategy, STEPS);
        assert_eq!(done.exit_code(), 0, "{name}, {strategy}: {term}");
        assert_eq!(flat(&done), wanted, "{name}, {strategy}: {term}");
    }
}

fn all(name: &str, term: &str, wanted: &str) {
    gives(name, term, wanted, &STRATEGIES);
}

fn list<T: std::fmt::Display>(items: &[T]) -> String {
    if items.is_empty() {
        return "NIL".into();
    }
    let items: Vec<String> = items.iter().map(T::to_string).collect();
    format!("[{}]", items.join(", "))
}

/// Numbers that look random.
fn numbers(count: usize, seed: u64) -> Vec<i64> {
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as i64 % 50 - 10
    };
    (0..count).map(|_| next()).collect()
}

fn peano(n: u64) -> String {
    format!("{}0{}", "s(".repeat(n as usize), ")".repeat(n as usize))
}

fn fibonacci(n: u64) -> u64 {
    (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
}

#[test]
fn fibonacci_numbers() {
    for n in 0..12 {
        all(
            "fibonacci_peano",
            &format!("fib({})", peano(n)),
            &peano(fibonacci(n)),
        );
    }
    for n in 0..18 {
        all(
            "fibonacci_numbers",
            &format!("fib({n})"),
            &fibonacci(n).to_string(),
        );
    }
}

#[test]
fn reversed_lists() {
    for count in [0, 1, 2, 25] {
        let numbers = numbers(count, 1);
        let reversed: Vec<i64> = numbers.iter().rev().copied().collect();
        for name in ["reverse_naive", "reverse_accumulator"] {
            all(
                name,
                &format!("reverse({})", list(&numbers)),
                &list(&reversed),
            );
        }
    }
}

#[test]
fn sorted_lists() {
    for (count, seed) in [(0, 1), (1, 2), (2, 3), (7, 4), (20, 5)] {
        let numbers = numbers(count, seed);
        let mut sorted = numbers.clone();
        sorted.sort();
        let sorted = list(&sorted);
        all("bubble_sort", &list(&numbers), &sorted);
        let term = format!("sort({})", list(&numbers));
        // From the top, a condition is asked with sublists that are not sorted yet, many times over.
        let quick: &[&str] = if count > 8 {
            &STRATEGIES[1..]
        } else {
            &STRATEGIES
        };
        gives("quicksort", &term, &sorted, quick);
        gives("merge_sort", &term, &sorted, quick);
    }
}

/// The moves of a tower are 2^n - 1, legal, and bring it to the other peg.
#[test]
fn moves_of_hanoi() {
    for n in 0..7u64 {
        for strategy in STRATEGIES {
            let done = rewrite(
                "hanoi",
                &format!("hanoi({}, a, b, c)", peano(n)),
                strategy,
                STEPS,
            );
            let said = flat(&done);
            let mut pegs: [Vec<u64>; 3] = [(1..=n).rev().collect(), Vec::new(), Vec::new()];
            let peg = |name: &str| ["a", "b", "c"].iter().position(|p| *p == name).unwrap();
            let mut moves = 0;
            for one in said.split("move(").skip(1) {
                let (pair, _) = one.split_once(')').unwrap();
                let (from, to) = pair.split_once(", ").unwrap();
                let disc = pegs[peg(from)].pop().expect("a disc to move");
                let under = pegs[peg(to)].last().copied().unwrap_or(u64::MAX);
                assert!(disc < under, "{n} discs, {strategy}: {said}");
                pegs[peg(to)].push(disc);
                moves += 1;
            }
            assert_eq!(moves, 2u64.pow(n as u32) - 1, "{strategy}");
            assert_eq!(pegs[2].len() as u64, n, "{strategy}");
        }
    }
}

#[test]
fn primes_below_a_number() {
    for n in [1, 2, 3, 50, 120] {
        let is_prime = |p: &i64| (2..*p).all(|d| p % d != 0);
        let primes: Vec<i64> = (2..=n).filter(is_prime).collect();
        all("sieve", &format!("primes({n})"), &list(&primes));
    }
}

/// n! lists, all different, each with the elements of the first.
#[test]
fn orders_of_a_list() {
    for n in 1..6usize {
        let elements: Vec<usize> = (1..=n).collect();
        for strategy in STRATEGIES {
            let done = rewrite(
                "permutations",
                &format!("permutations({})", list(&elements)),
                strategy,
                STEPS,
            );
            let said = flat(&done);
            let mut found: Vec<Vec<usize>> = said[1..said.len() - 1]
                .split_inclusive(']')
                .map(|one| one.trim_matches([',', ' ', '[', ']']))
                .map(|one| one.split(", ").map(|x| x.parse().unwrap()).collect())
                .collect();
            found.sort();
            found.dedup();
            assert_eq!(
                found.len(),
                (1..=n).product::<usize>(),
                "{strategy}: {said}"
            );
            for mut one in found {
                one.sort();
                assert_eq!(one, elements, "{strategy}");
            }
        }
    }
}

#[test]
fn odd_and_even_numbers() {
    for n in 0..20 {
        let (even, odd) = if n % 2 == 0 {
            ("True", "False")
        } else {
            ("False", "True")
        };
        let term = format!("[even({0}), odd({0})]", peano(n));
        all("odd_even", &term, &format!("[{even}, {odd}]"));
    }
}

/// Random heaps, and what a search from the roots finds in them.
#[test]
fn live_cells() {
    for seed in 1..8 {
        let random = numbers(60, seed);
        let cells = 12;
        let mut refs: Vec<Vec<usize>> = vec![Vec::new(); cells];
        for pair in random[..18].chunks(2) {
            let place = |x: i64| x.unsigned_abs() as usize % cells;
            refs[place(pair[0])].push(place(pair[1]));
        }
        let roots = [random[40].unsigned_abs() as usize % cells, 0];
        let mut live: Vec<usize> = Vec::new();
        let mut open = roots.to_vec();
        while let Some(one) = open.pop() {
            if !live.contains(&one) {
                live.push(one);
                open.extend(&refs[one]);
            }
        }
        live.sort();
        let cell = |i: &usize| format!("cell({i}, {})", list(&refs[*i]));
        let set =
            |of: &[usize]| format!("{{{}}}", of.iter().map(cell).collect::<Vec<_>>().join(", "));
        let heap: Vec<usize> = (0..cells).rev().collect();
        all(
            "garbage",
            &format!("collect({}, {})", list(&roots), set(&heap)),
            &set(&live),
        );
    }
}

/// Random formulas, and their values under all assignments.
#[test]
fn tautologies() {
    #[derive(Clone)]
    enum Formula {
        Variable(usize),
        Not(Box<Formula>),
        Two(usize, Box<Formula>, Box<Formula>),
    }
    const TWO: [&str; 3] = ["and", "or", "implies"];
    fn made(random: &mut impl Iterator<Item = i64>, depth: usize) -> Formula {
        let mut next = |n: i64| (random.next().unwrap() + 10).rem_euclid(n) as usize;
        match next(if depth == 0 { 1 } else { 5 }) {
            0 => Formula::Variable(next(3)),
            1 => Formula::Not(made(random, depth - 1).into()),
            k => {
                let (a, b) = (made(random, depth - 1), made(random, depth - 1));
                Formula::Two(k - 2, a.into(), b.into())
            }
        }
    }
    fn shown(f: &Formula) -> String {
        match f {
            Formula::Variable(i) => format!("v(p{i})"),
            Formula::Not(a) => format!("not({})", shown(a)),
            Formula::Two(k, a, b) => format!("{}({}, {})", TWO[*k], shown(a), shown(b)),
        }
    }
    fn value(f: &Formula, values: usize) -> bool {
        match f {
            Formula::Variable(i) => values >> i & 1 == 1,
            Formula::Not(a) => !value(a, values),
            Formula::Two(0, a, b) => value(a, values) && value(b, values),
            Formula::Two(1, a, b) => value(a, values) || value(b, values),
            Formula::Two(_, a, b) => !value(a, values) || value(b, values),
        }
    }
    let mut random = numbers(20_000, 3).into_iter();
    let mut holding = 0;
    for _ in 0..60 {
        let formula = made(&mut random, 3);
        let holds = (0..8).all(|values| value(&formula, values));
        holding += usize::from(holds);
        let wanted = if holds { "True" } else { "False" };
        all(
            "tautology",
            &format!("tautology({})", shown(&formula)),
            wanted,
        );
    }
    assert!(holding >= 3, "{holding}");
}

#[test]
fn flags_in_three_colours() {
    for seed in 1..6 {
        let mut colours: Vec<i64> = numbers(10, seed).iter().map(|x| x.rem_euclid(3)).collect();
        let shown = |colours: &[i64]| {
            let names = ["red", "white", "blue"];
            list(
                &colours
                    .iter()
                    .map(|&c| names[c as usize])
                    .collect::<Vec<_>>(),
            )
        };
        let before = shown(&colours);
        colours.sort();
        all("dutch_flag", &before, &shown(&colours));
    }
}

#[test]
fn binary_numbers() {
    let binary = |mut n: u64| {
        let mut digits = Vec::new();
        while n > 0 {
            digits.push(if n % 2 == 1 { "b1(" } else { "b0(" });
            n /= 2;
        }
        let count = digits.len();
        format!("{}e{}", digits.concat(), ")".repeat(count))
    };
    for (a, b) in [(0, 5), (1, 1), (7, 9), (100, 255), (1234, 567)] {
        all(
            "binary",
            &format!("sum({}, {})", binary(a), binary(b)),
            &binary(a + b),
        );
        all(
            "binary",
            &format!("product({}, {})", binary(a), binary(b)),
            &binary(a * b),
        );
    }
}

/// The derivative of a polynomial at a point.
#[test]
fn derivatives() {
    for (seed, x) in [(1, 3), (2, -2), (3, 5)] {
        let coefficients = numbers(5, seed);
        let terms = coefficients
            .iter()
            .enumerate()
            .map(|(k, c)| format!("({c}) * x ^ {k}"));
        let polynomial = terms.collect::<Vec<_>>().join(" + ");
        let powers = coefficients.iter().enumerate().skip(1);
        let wanted: i64 = powers
            .map(|(k, c)| c * k as i64 * i64::pow(x, k as u32 - 1))
            .sum();
        all(
            "differentiation",
            &format!("at(d({polynomial}, x), x, {x})"),
            &wanted.to_string(),
        );
    }
}

/// All ways, found by trying all.
#[test]
fn queens_that_do_not_attack() {
    fn place(n: i64, board: &[i64], found: &mut Vec<String>) {
        if board.len() == n as usize {
            found.push(list(board));
            return;
        }
        for column in 1..=n {
            let mut rows = board.iter().zip(1..);
            if rows.all(|(&c, d)| c != column && (c - column).abs() != d) {
                place(n, &[&[column], board].concat(), found);
            }
        }
    }
    for (n, ways) in [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4)] {
        let mut wanted = Vec::new();
        place(n, &[], &mut wanted);
        assert_eq!(wanted.len(), ways);
        for strategy in STRATEGIES {
            let said = flat(&rewrite("queens", &format!("queens({n})"), strategy, STEPS));
            for way in &wanted {
                assert!(said.contains(way), "{n}, {strategy}: {said}");
            }
            let size = 1 + said.matches("], [").count();
            assert_eq!(
                if said == "NIL" { 0 } else { size },
                ways,
                "{n}, {strategy}: {said}"
            );
        }
    }
}

/// Factorials and sums by loops. From the top, a variable's value is computed wherever it is read.
#[test]
fn programs_with_loops() {
    let program = "seq(set(f, num(1)), while(less_than(num(0), var(n)), \
                   seq(set(f, mul(var(f), var(n))), set(n, sub(var(n), num(1))))))";
    for n in 0..12i64 {
        let wanted: i64 = (1..=n).product();
        let term = format!("value(f, run({program}, [is(n, {n})]))");
        gives("while", &term, &wanted.to_string(), &STRATEGIES[1..]);
    }
}

#[test]
fn combinators_and_endless_lists() {
    // s (k s) k composes, and s k with anything is the identity.
    let compose = "ap(ap(s, ap(k, s)), k)";
    all(
        "combinators",
        &format!("ap(ap(ap({compose}, f), g), x)"),
        "ap(f, ap(g, x))",
    );
    all("combinators", "ap(ap(ap(s, k), anything), x)", "x");
    for n in 0..9 {
        let wanted: Vec<i64> = (5..5 + n).collect();
        gives(
            "lazy",
            &format!("first({n}, from(5))"),
            &list(&wanted),
            &STRATEGIES[..1],
        );
    }
}

#[test]
fn ackermanns_function() {
    fn ackermann(m: u64, n: u64) -> u64 {
        match (m, n) {
            (0, n) => n + 1,
            (m, 0) => ackermann(m - 1, 1),
            (m, n) => ackermann(m - 1, ackermann(m, n - 1)),
        }
    }
    for (m, n) in [(0, 3), (1, 4), (2, 3), (3, 1), (3, 3)] {
        let term = format!("ack({}, {})", peano(m), peano(n));
        all("ackermann", &term, &peano(ackermann(m, n)));
    }
}

#[test]
fn what_a_relation_leads_to() {
    for seed in 1..8 {
        let random = numbers(24, seed);
        let edges: Vec<(i64, i64)> = random
            .chunks(2)
            .map(|p| (p[0].rem_euclid(9), p[1].rem_euclid(9)))
            .collect();
        let start = edges[0].0;
        let mut seen = std::collections::BTreeSet::from([start]);
        for _ in 0..9 {
            let next: Vec<i64> = edges
                .iter()
                .filter(|e| seen.contains(&e.0))
                .map(|e| e.1)
                .collect();
            seen.extend(next);
        }
        let set = |items: Vec<String>| format!("{{{}}}", items.join(", "));
        let edges = set(edges.iter().map(|(a, b)| format!("e({a}, {b})")).collect());
        let wanted = set(seen.iter().map(i64::to_string).collect());
        all(
            "closure",
            &format!("reach([{start}], {edges}, {{}})"),
            &wanted,
        );
    }
}

#[test]
fn strings() {
    let words = ["a", "rule", "for", "термвер", "to", "be"];
    let quoted: Vec<String> = words.iter().map(|w| format!("\"{w}\"")).collect();
    let longest = words.iter().max_by_key(|w| w.chars().count()).unwrap();
    all(
        "words",
        &format!("longest({})", list(&quoted)),
        &format!("\"{longest}\""),
    );
    all(
        "words",
        &format!("joined({})", list(&quoted)),
        &format!("\"{}\"", words.concat()),
    );
}
