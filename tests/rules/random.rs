//! Random schemes find rules that are wrong.

use glushkov::evidence::{Base, Checked, compared};
use glushkov::term::Symbol;

#[test]
fn random_schemes_find_wrong_rules() {
    let loops = "ForLoop($i, $a, $b, $A)";
    for wrong in [
        format!("{loops} [on_host && parallel_ok($A)] -> Parallel($i, $a, $b, $A);"),
        format!("{loops} [on_host && independent($i, $a, $b, $A)] -> Parallel($i, $a, $b - 1, $A);"),
        "ForLoop($i, $a, $b, ForLoop($c, $p, $q, $B)) [free_of($i, $p, $q)]
         -> ForLoop($c, $p, $q, ForLoop($i, $a, $b, $B));".to_owned(),
        "Then($h.., Local($x, $T, $e), $A, $t..) [no_locals($A) && unused($x, $A) && nonempty($t..)]
         -> Then($h.., $A, Local($x, $T, $e), $t..);".to_owned(),
        "Then($h.., Local($x, $T, $e), $m.., Assign(Index($a, $i..), $x), $t..)
         -> Then($h.., Assign(Index($a, $i..), $e),
                 each($y, $m.., substitute($y, $x, Index($a, $i..))), $t..);".to_owned(),
        format!("{loops} [on_host && device_ok($A) && independent($i, $a, $b, $A)]
         -> CALL_GPU(1, 4, Then(Local($i, type_of($i), $a + ThreadIndex), $A));"),
        "ForStep($i, $a, $b, $s, $A) -> ForLoop($i, $a, $b, $A);".to_owned(),
    ] {
        let text = format!("#@rule(wrong) {wrong}");
        let base = Base::with(&[("wrong.rules".to_owned(), text)]).expect("rules");
        let rule = base.base.rule(Symbol::new("wrong")).expect("a rule");
        let found = compared(&base, rule, 1000);
        assert!(matches!(found, Checked::Differs(_)), "{wrong}: {found:?}");
    }
}
