//! The rates of the cases; run by hand with `--release -- --ignored --nocapture`.

use crate::rewrite;
use std::time::Instant;

fn peano(n: usize) -> String {
    format!("{}0{}", "s(".repeat(n), ")".repeat(n))
}

fn numbers(n: usize) -> String {
    let list: Vec<String> = (0..n).map(|i| (i * 7919 % 1009).to_string()).collect();
    format!("[{}]", list.join(", "))
}

/// A binary number of 300 digits.
fn binary(is_one: fn(usize) -> bool) -> String {
    let digits: Vec<&str> = (0..300)
        .map(|i| if is_one(i) { "b1(" } else { "b0(" })
        .collect();
    format!("{}e{}", digits.concat(), ")".repeat(300))
}

/// Each case with a term that takes a while.
pub fn terms() -> Vec<(&'static str, String)> {
    let flags: Vec<&str> = (0..300)
        .map(|i| ["blue", "white", "red"][i * 7 % 3])
        .collect();
    let loops = "seq(set(f, num(0)), while(less_than(num(0), var(n)), \
                 seq(set(f, add(var(f), var(n))), set(n, sub(var(n), num(1))))))";
    vec![
        ("fibonacci_peano", format!("fib({})", peano(24))),
        ("fibonacci_numbers", "fib(24)".into()),
        ("reverse_naive", format!("reverse({})", numbers(1000))),
        (
            "reverse_accumulator",
            format!("reverse({})", numbers(10_000)),
        ),
        ("hanoi", format!("hanoi({}, a, b, c)", peano(15))),
        ("sieve", "primes(3000)".into()),
        (
            "permutations",
            "permutations([1, 2, 3, 4, 5, 6, 7, 8])".into(),
        ),
        ("quicksort", format!("sort({})", numbers(1000))),
        ("merge_sort", format!("sort({})", numbers(1000))),
        ("bubble_sort", numbers(400)),
        ("odd_even", format!("even({})", peano(50_000))),
        ("ackermann", format!("ack({}, {})", peano(3), peano(6))),
        (
            "binary",
            format!(
                "product({}, {})",
                binary(|i| i % 3 != 1),
                binary(|i| i % 5 != 2)
            ),
        ),
        ("dutch_flag", format!("[{}]", flags.join(", "))),
        ("queens", "queens(8)".into()),
        ("while", format!("value(f, run({loops}, [is(n, 5000)]))")),
    ]
}

#[test]
#[ignore = "a measurement"]
fn rates_of_the_cases() {
    println!("| system | rewrites | seconds | rewrites a second |\n|---|---|---|---|");
    for (name, term) in terms() {
        // Reading the term is not rewriting, but it is little beside it.
        let runs = (0..3).map(|_| {
            let start = Instant::now();
            let done = rewrite(name, &term, "BottomTop", 1 << 40);
            assert_eq!(done.exit_code(), 0, "{name}");
            (start.elapsed().as_secs_f64(), done.rewrites)
        });
        let (seconds, rewrites) = runs.min_by(|a, b| a.0.total_cmp(&b.0)).expect("a run");
        println!(
            "| {name} | {rewrites} | {seconds:.4} | {:.2e} |",
            rewrites as f64 / seconds
        );
    }
}
