//! Slips of the pen: what stands in a scheme, and what the message holds.

/// What stands in a scheme, and what the message holds.
pub const SLIPS: &[(&str, &[&str])] = &[
    (
        "FRO (i FROM 0 TO 3) LOOP x := 1 END OF LOOP",
        &["expected FOR, found `FRO`", "did you mean FOR?"],
    ),
    (
        "for (i FROM 0 TO 3) LOOP x := 1 END OF LOOP",
        &["expected FOR, found `for`"],
    ),
    (
        "while x < 3 LOOP x := 1 END OF LOOP",
        &["expected WHILE, found `while`"],
    ),
    (
        "FOR (i FROM 0 TO 3) LOPP x := 1 END OF LOOP",
        &["expected LOOP, found `LOPP`"],
    ),
    (
        "FOR (i FORM 0 TO 3) LOOP x := 1 END OF LOOP",
        &["expected FROM, found `FORM`"],
    ),
    (
        "IF x == 1 THEN x := 2 END IF",
        &["`==`", "equality is written `=`"],
    ),
    (
        "IF x != 1 THEN x := 2 END IF",
        &["`!=`", "inequality is written `<>`"],
    ),
    (
        "IF x = 1 && x = 2 THEN x := 2 END IF",
        &["`&&`", "write AND"],
    ),
    (
        "IF x = 1 || x = 2 THEN x := 2 END IF",
        &["`||`", "write OR"],
    ),
    ("IF !(x = 1) THEN x := 2 END IF", &["`!`", "write NOT"]),
    ("x := 7 % 2", &["`%`", "MOD"]),
    ("x := 7 DIV 2", &["`DIV`", "x / y"]),
    (
        "x := 1; // a comment",
        &["`//` stands between the branches", "comments begin with #"],
    ),
    (
        "IF x = 1 THEN x := 2 ELSEIF x = 2 THEN x := 3 END IF",
        &["no operator `ELSEIF`", "ELSE IF"],
    ),
    (
        "FOR (i FROM 0 TO 3) LOOP x := 1 END FOR",
        &["expected END OF LOOP, found `END FOR`", "opened here"],
    ),
    (
        "WHILE x < 3 LOOP x := 1 END WHILE",
        &["expected END OF LOOP, found `END WHILE`"],
    ),
    ("PRINT x", &["no operator `PRINT`", "REPORT"]),
    (
        "FOR (i FROM 0 TO 3) LOOP BREAK END OF LOOP",
        &["no operator `BREAK`", "WHILE"],
    ),
    (
        "RETURN x",
        &["no operator `RETURN`", "arguments that it assigns"],
    ),
    ("x -= 1", &["expected `:=`, found `-=`", "x := x - e"]),
    ("x++", &["expected `:=`, found `++`", "x += 1"]),
    ("x = 1", &["expected `:=`, found `=`", "`=` compares"]),
    ("LOCAL t : REAL = 1", &["expected `:=`, found `=`"]),
    (
        "LOCAL t : REAL; x := t",
        &["expected `:=`, found `;`", "LOCAL x : REAL := 0"],
    ),
    ("a[1][2] := 1", &["one pair of brackets", "a[i, j]"]),
    ("x := a[1][2]", &["one pair of brackets", "a[i, j]"]),
    ("a(1) := 1", &["expected `:=`, found `(`", "a[i]"]),
    (
        "FOR (i FROM 0 TO 3) LOOP x := 1",
        &["expected END OF LOOP, found `END OF SCHEME`", "opened here"],
    ),
    (
        "IF x = 1 THEN x := 2",
        &["expected END IF, found `END OF SCHEME`", "opened here"],
    ),
    (
        "IF x = 1 THEN FOR (i FROM 0 TO 3) LOOP x := 1 END IF",
        &["expected END OF LOOP, found `END IF`", "opened here"],
    ),
    (
        "IF x = 1 x := 2 END IF",
        &["expected THEN, found `x`", "for this IF"],
    ),
    (
        "FOR (i FROM 0 TO 3) x := 1 END OF LOOP",
        &["expected LOOP, found `x`", "for this FOR"],
    ),
    (
        "x := (1 + 2",
        &["expected `)`, found `END OF SCHEME`", "opened here"],
    ),
    ("x := max(1, 2", &["expected", "`)`", "opened here"]),
    (
        "x := 1 x := 2",
        &["expected `;`, found `x`", "separated by `;`"],
    ),
    ("x := 1 2", &["expected `;`, found `2`"]),
    ("\"Do it; x := 1", &["no end", "opened here"]),
    (
        "\"Do it; x := 1;\n\"Do that\"",
        &["no end", "not closed on this line"],
    ),
    (
        "ЯКШО x = 1 ТО x := 2 КІНЕЦЬ ЯКЩО",
        &["expected ЯКЩО, found `ЯКШО`"],
    ),
    (
        "ДЛЯ (i ВІД 0 ДО 3) ЦИКЛЛ x := 1 КІНЕЦЬ ЦИКЛУ",
        &["expected ЦИКЛ, found `ЦИКЛЛ`"],
    ),
    (
        "ДЛЯ (i ВІД 0 ДО 3) ЦИКЛ x := 1 КІНЕЦЬ ЦИКЛА",
        &["expected КІНЕЦЬ ЦИКЛУ, found `КІНЕЦЬ ЦИКЛА`"],
    ),
    ("END OF LOOP", &["found `END OF LOOP`"]),
    ("IF not x THEN x := 1 END IF", &["did you mean NOT?"]),
    ("x := 1.", &["`1.` is not a number", "1.0"]),
    ("x := 1. + 2; x := 3", &["`1.` is not a number"]),
    ("x := .5", &["`.5` is not a number", "0.5"]),
    ("x := 1.0f", &["`1.0f` is not a number", "2.5e-3"]),
    ("x := 10u; x := 2", &["`10u` is not a number"]),
    ("++x", &["expected an operator, found `++`", "x += 1"]),
    (
        "--x; x := 2",
        &["expected an operator, found `--`", "x := x - 1"],
    ),
    ("x /= 2", &["expected `:=`, found `/=`", "x := x / e"]),
    ("x *= 2", &["expected `:=`, found `*=`", "x := x * e"]),
    ("a[1] -= 1", &["found `-=`", "write a[1] := a[1] - e"]),
    (
        "a[(i + 2) MOD 9] -= 1",
        &[
            "found `-=`",
            "write a[(i + 2) MOD 9] := a[(i + 2) MOD 9] - e",
        ],
    ),
    ("a[1]++", &["found `++`", "write a[1] += 1"]),
    ("p[i, j].x *= 2", &["write p[i, j].x := p[i, j].x * e"]),
    ("x := x ** 2", &["E0104", "`**`", "x ^ y"]),
    ("IF x =< 2 THEN x := 1 END IF", &["`=<`", "`<=`"]),
    ("IF x => 2 THEN x := 1 END IF", &["`=>`", "`>=`"]),
    ("IF x === 2 THEN x := 1 END IF", &["`===`", "written `=`"]),
    ("IF x !== 2 THEN x := 1 END IF", &["`!==`", "written `<>`"]),
    (
        "/* a comment */\n  x := 2; x := 3",
        &["`/*`", "begins with #"],
    ),
    ("x := 2; /* a; b\n c */ x := 3", &["`/*`", "begins with #"]),
    ("x := x > 1 ? 2 : 3;\n  x := 3", &["'?'", "select(u, a, b)"]),
    (
        "for (i = 0; i < 3; i++) {\n    x = 1;\n  }\n  x := 2",
        &["expected FOR, found `for`", "FOR (i FROM a TO b) LOOP"],
    ),
    (
        "FOR (i = 0; i < 3; i++) LOOP\n    x := 1\n  END OF LOOP;\n  x := 2",
        &["expected FROM, found `=`", "FOR (i FROM a TO b) LOOP"],
    ),
    (
        "FOR i FROM 0 TO 3 LOOP\n    x := 1\n  END OF LOOP;\n  x := 2",
        &["expected `(`, found `i`", "FOR (i FROM a TO b) LOOP"],
    ),
    ("while (x < 3) { x = x + 1; }", &["did you mean WHILE?"]),
    (
        "IF x = 1 THEN x := 2 ELES x := 3 END IF; x := 4",
        &["did you mean ELSE?", "IF is opened here"],
    ),
    (
        "IF x = 1 THEN \"A\" ELES \"B\" END IF; x := 4",
        &["did you mean ELSE?", "IF is opened here"],
    ),
    (
        "FOR (i FROM 0 TO 3) LOOP x := 1; ENDD OF LOOP; x := 3",
        &["did you mean END OF LOOP?", "FOR is opened here"],
    ),
    (
        "FOR (i FROM 0 TO 3) LOOP x := 1 END OFF LOOP; x := 3",
        &["did you mean END OF LOOP?", "FOR is opened here"],
    ),
    (
        "IF x = 1 THEN x := 2 EN IF; x := 3",
        &["found `EN IF`", "did you mean END IF?", "IF is opened here"],
    ),
    (
        "IF x = 1 THEN x := 2; end if; x := 3",
        &["found `end if`", "did you mean END IF?"],
    ),
    (
        "ЯКЩО x = 1 ТО x := 2 ІНАКШ x := 3 КІНЕЦЬ ЯКЩО; x := 3",
        &["did you mean ІНАКШЕ?"],
    ),
    (
        "ЯКЩО x = 1 ТО x := 2 КІНЕЦ ЯКЩО; x := 3",
        &["found `КІНЕЦ ЯКЩО`", "did you mean КІНЕЦЬ ЯКЩО?"],
    ),
    (
        "ЕСЛИ x = 1 ТО x := 2 КОНЕЦЬ ЕСЛИ; x := 3",
        &["found `КОНЕЦЬ ЕСЛИ`", "did you mean КОНЕЦ ЕСЛИ?"],
    ),
    (
        "\"Do (x) twice;\n  \"Do it\";\n  REPORT \"x\" (x)",
        &["slip.saa:2:3", "no end", "not closed on this line"],
    ),
    (
        "x := 1;\n  REPORT \"x (x);\n  REPORT \"y (x)",
        &["slip.saa:3:10", "no end"],
    ),
    (
        "IF 'p THEN x := 1 END IF;\n  IF 'q' THEN x := 1 END IF",
        &["slip.saa:2:6", "no end"],
    ),
    ("'p'", &["a predicate stands where something must act"]),
    ("IF \"p\" THEN x := 1 END IF", &["a phrase acts"]),
];

/// Schemes with one slip in their parts, and what the message holds.
pub const PARTS: &[(&str, &[&str])] = &[
    (
        "  \"Do\";\n  \"Do more\"\n\n  \"Do\" ==== x := 2;\n  \"Do more\" ==== x := 3\n",
        &["expected WHERE, found a definition", "slip.saa:5:3"],
    ),
    (
        "  \"Do\";\n  x := 1\nWHRE\n  \"Do\" ==== x := 2;\n  'p' ==== x = 3\n",
        &["found `WHRE`", "did you mean WHERE?"],
    ),
    (
        "DATA\n  x : REAL\n  FOR (i FROM 0 TO 3) LOOP x := i END OF LOOP;\n  x := 2\n",
        &["expected END OF DATA, found `FOR`", "DATA is opened here"],
    ),
    (
        "DATA\n  x : REAL\n  x := 0;\n  x := 1;\n  \"Do\"\nWHERE\n  \"Do\" ==== x := 2\n",
        &["expected END OF DATA, found `x`", "DATA is opened here"],
    ),
    (
        "DATA\n  a : REAL [3]\n  a[0] := 1;\n  a[1] := 1\n",
        &["expected END OF DATA, found `a`", "DATA is opened here"],
    ),
    (
        "DATA\n  x : REAL\nEND DATA\n  x := 1;\n  x := 2\n",
        &[
            "found `END DATA`",
            "did you mean END OF DATA?",
            "DATA is opened here",
        ],
    ),
    (
        "DATA\n  x : REAL\nEND OF DATTA # of it\n  x := 1;\n  x := 2\n",
        &["found `END OF DATTA`", "did you mean END OF DATA?"],
    ),
    (
        "DATA\n  x : REAL\nENDD OF DATA\n  x := 1;\n  x := 2\n",
        &["found `ENDD OF DATA`", "did you mean END OF DATA?"],
    ),
    (
        "DATTA\n  x : REAL\nEND OF DATA\n  x := 1;\n  x := 2\n",
        &["found `DATTA`", "did you mean DATA?"],
    ),
];
