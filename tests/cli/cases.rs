//! Cases in files: `=== name`, `> arguments`, `exit N`, `says text`, `lacks text`, `---`, the scheme
//! that is the standard input.

use super::glushkov;

#[test]
fn every_case_is_answered_as_it_says() {
    let mut paths: Vec<_> = std::fs::read_dir("tests/cli")
        .expect("the folder of cases")
        .map(|e| e.expect("an entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "cases"))
        .collect();
    paths.sort();
    let mut wrong = Vec::new();
    let mut number = 0;
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a readable file of cases");
        for case in text.split("\n=== ").skip(1) {
            number += 1;
            let (header, input) = case.split_once("\n---\n").expect("a line of ---");
            let mut lines = header.lines();
            let name = lines.next().expect("a name");
            let (mut arguments, mut exit) = (vec!["check", "-"], 2);
            let (mut says, mut lacks) = (Vec::new(), Vec::new());
            for line in lines {
                match line.split_once(' ') {
                    Some((">", rest)) => arguments = rest.split(' ').collect(),
                    Some(("exit", code)) => exit = code.parse().expect("a code"),
                    Some(("says", text)) => says.push(text),
                    Some(("lacks", text)) => lacks.push(text),
                    _ => panic!("{name}: {line}"),
                }
            }
            let ran = glushkov(&arguments, input);
            let told = format!("{}{}", ran.out, ran.err);
            let fits = ran.code == Some(exit)
                && says.iter().all(|s| told.contains(s))
                && !lacks.iter().any(|s| told.contains(s));
            if !fits {
                wrong.push(format!("=== {name}: exit {:?}\n{told}", ran.code));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(number > 50, "{number} cases");
}
