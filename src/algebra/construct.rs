//! The table of constructs: everything the algebra can say, each thing said once.
//!
//! Readers, printers, the sort check, rule loading and the reference manual read this table.
//!
//! The patterns in the columns `text`, `formula` and `latex` are read by `syntax::print`:
//! `%1` is the first argument, `%*` the arguments not named otherwise, separated by commas,
//! `@Name` a [`Keyword`](super::Keyword), `{` and `}` begin and end an indented block, and what
//! stands in `[[…]]` is left out if the argument in it is `Empty` (or there is none).

use super::Keyword;
use crate::term::Symbol;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// What a term stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Something that acts.
    Operator,
    /// Something that holds or not.
    Condition,
    /// A value.
    Expression,
    /// The name of a variable.
    Name,
    /// The name of a type.
    Type,
    /// A text in quotes.
    Text,
    /// A part of DATA or WHERE, or a whole scheme.
    Part,
}

impl Sort {
    /// The word used in messages.
    pub fn word(self) -> &'static str {
        match self {
            Sort::Operator => "an operator",
            Sort::Condition => "a predicate",
            Sort::Expression => "an expression",
            Sort::Name => "a name",
            Sort::Type => "a type",
            Sort::Text => "a text",
            Sort::Part => "a part of a scheme",
        }
    }
}

/// What an argument is to its term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An operator.
    Operator,
    /// A predicate.
    Condition,
    /// A value that is read.
    Expression,
    /// A variable or cell that is assigned.
    Target,
    /// A name that is bound in the term's operators.
    Binder,
    /// A name that is bound in what follows the term in its sequence.
    Declared,
    /// A variable that is read and assigned.
    Updated,
    /// A variable that is read or named.
    Name,
    /// A name of something other than a variable.
    Word,
    /// The name of a type.
    Type,
    /// A text in quotes.
    Text,
    /// A part of DATA or WHERE, or a whole scheme.
    Part,
}

impl Role {
    /// Whether what stands there gets a value.
    pub fn is_written(self) -> bool {
        match self {
            Role::Target | Role::Updated => true,
            Role::Operator
            | Role::Condition
            | Role::Expression
            | Role::Binder
            | Role::Declared
            | Role::Name
            | Role::Word
            | Role::Type
            | Role::Text
            | Role::Part => false,
        }
    }

    /// What stands there.
    pub fn sort(self) -> Sort {
        match self {
            Role::Operator => Sort::Operator,
            Role::Condition => Sort::Condition,
            Role::Expression | Role::Target => Sort::Expression,
            Role::Binder | Role::Declared | Role::Updated | Role::Name | Role::Word => Sort::Name,
            Role::Type => Sort::Type,
            Role::Text => Sort::Text,
            Role::Part => Sort::Part,
        }
    }
}

/// One row of the table.
#[derive(Debug)]
pub struct Info {
    /// Which construct.
    pub construct: Construct,
    /// Its functor.
    pub functor: &'static str,
    /// Its own sort.
    pub sort: Sort,
    /// Its fixed arguments.
    pub arguments: &'static [Role],
    /// Any further arguments.
    pub rest: Option<Role>,
    /// How tightly it binds in text: an argument that binds less tightly needs parentheses.
    pub precedence: u8,
    /// Pattern of the text form.
    pub text: &'static str,
    /// Pattern of the formula form.
    pub formula: &'static str,
    /// Pattern of the LaTeX form.
    pub latex: &'static str,
    /// What it means, in a line.
    pub meaning: &'static str,
}

macro_rules! constructs {
    ($($name:ident $functor:literal $sort:ident [$($arg:ident)*] $(* $rest:ident)? $prec:literal
        $text:literal $formula:literal $latex:literal $meaning:literal;)*) => {
        /// A construct of the algebra.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Construct { $(#[doc = $meaning] $name,)* }

        /// The table.
        pub static TABLE: &[Info] = &[$(Info {
            construct: Construct::$name,
            functor: $functor,
            sort: Sort::$sort,
            arguments: &[$(Role::$arg,)*],
            rest: constructs!(@rest $($rest)?),
            precedence: $prec,
            text: $text,
            formula: $formula,
            latex: $latex,
            meaning: $meaning,
        },)*];
    };
    (@rest $rest:ident) => { Some(Role::$rest) };
    (@rest) => { None };
}

/// Precedence of what never needs parentheses.
pub const ATOMIC: u8 = 20;

constructs! {
    // Operators.
    Then "Then" Operator [] * Operator 0
        "" " * " " \\cdot " "First one operator, then the next.";
    If "If" Operator [Condition Operator Operator] 20
        "@If %1 @IfThen{%2}[[@Else{%3}]]@EndIf" "([%1] %2, %3)" "\\saaif[%1]\\; %2,\\; %3\\saafi"
        "One operator if the predicate holds, the other if it does not.";
    While "While" Operator [Condition Operator] 20
        "@While %1 @Loop{%2}@EndOfLoop" "{[¬%1] %2}" "\\saaloop[\\neg %1]\\; %2\\saapool"
        "The operator again and again, as long as the predicate holds before it.";
    ForLoop "ForLoop" Operator [Binder Expression Expression Operator] 20
        "@For (%1 @From %2 @To %3) @Loop{%4}@EndOfLoop" "∏(%1 = %2..%3) %4"
        "\\saafor_{%1=%2}^{%3} %4"
        "The operator for each integer from the first bound to the last, in order; the bounds are evaluated once.";
    ForStep "ForStep" Operator [Binder Expression Expression Expression Operator] 20
        "@For (%1 @From %2 @To %3 @Step %4) @Loop{%5}@EndOfLoop" "∏(%1 = %2..%3 : %4) %5"
        "\\saafor_{%1=%2,\\,%2+%4,\\ldots}^{%3} %5"
        "The operator for the first bound and every further step up to the last bound (down to it, if the step is negative).";
    Parallel "Parallel" Operator [Binder Expression Expression Operator] 20
        "@Parallel (%1 @From %2 @To %3) ({%4})" "∨̇(%1 = %2..%3) %4"
        "\\saapar_{%1=%2}^{%3} %4"
        "The operator for all integers between the bounds, in no order; it ends when all have ended.";
    Lanes "Lanes" Operator [Binder Expression Expression Expression Operator] 20
        "@Lanes (%4) (%1 @From %2 @To %3) ({%5})" "∨̇(%1 = %2..%3 : %4) %5"
        "\\saapar_{%1=%2,\\,%4}^{%3} %5"
        "The operator for all integers between the bounds, in no order, so many at a time side by side in the lanes of vector registers.";
    Async "Async" Operator [] * Operator 20
        "@Parallel ({%*})" "(%*)" "%*" "Several operators at once; it ends when all have ended.";
    ControlPoint "ControlPoint" Operator [Text] 20
        "@ControlPoint '%1'" "T('%1')" "T(%1)" "Makes a synchronization condition true.";
    Wait "Wait" Operator [Text] 20
        "@Wait '%1'" "S('%1')" "S(%1)"
        "Waits for the control point of that name in another branch or, where there is none, for the device.";
    Filter "Filter" Operator [Condition] 20
        "@Filter %1" "F(%1)" "F(%1)" "Goes on if the predicate holds; else there is no result.";
    Empty "Empty" Operator [] 20 "@Empty" "E" "E" "Does nothing.";
    Undefined "Undefined" Operator [] 20 "@Undefined" "N" "N" "Has no result.";
    Assign "Assign" Operator [Target Expression] 20
        "%1 := %2" "⟨%1 := %2⟩" "\\saaop{%1 \\saagets %2}" "Gives a variable or a cell a value.";
    AtomicAdd "AtomicAdd" Operator [Target Expression] 20
        "@Atomic %1 += %2" "⟨@Atomic %1 += %2⟩" "\\saaop{\\saaword{atomic}\\; %1 \\mathrel{+}= %2}"
        "Adds to a cell as one indivisible action; a sum of integers wraps where it leaves its range, whatever the order.";
    AtomicMin "AtomicMin" Operator [Target Expression] 20
        "@Atomic %1 min= %2" "⟨@Atomic %1 min= %2⟩" "\\saaop{\\saaword{atomic}\\; %1 \\mathrel{\\min=} %2}"
        "Makes a number smaller, as A := min(A, B) does, as one indivisible action: of values that are equal, such as 0 and -0, or cannot be compared the cell's stays.";
    AtomicMax "AtomicMax" Operator [Target Expression] 20
        "@Atomic %1 max= %2" "⟨@Atomic %1 max= %2⟩" "\\saaop{\\saaword{atomic}\\; %1 \\mathrel{\\max=} %2}"
        "Makes a number larger, as A := max(A, B) does, as one indivisible action: of values that are equal, such as 0 and -0, or cannot be compared the cell's stays.";
    FetchAdd "FetchAdd" Operator [Target Expression Target] 20
        "@Atomic %1 += %2 @Was %3" "⟨@Atomic %1 += %2 @Was %3⟩" "\\saaop{\\saaword{atomic}\\; %1 \\mathrel{+}= %2\\; \\saaword{was}\\; %3}"
        "Adds to a number as one indivisible action and gives a LOCAL of its type, which nothing else in it names, the value from before: which one that is depends on the order.";
    Local "Local" Operator [Declared Type Expression] 20
        "@Local %1 : %2 := %3" "⟨@Local %1 : %2 := %3⟩" "\\saaop{\\saaword{local}\\; %1 \\saagets %3}"
        "A variable of its own for the rest of the sequence.";
    Array "Array" Operator [Binder Type Part Operator] 20
        "@Array %1 : %2%3 @In ({%4})" "⟨@Array %1 : %2%3⟩(%4)" "\\saaop{\\saaword{array}\\; %1}(%4)"
        "An uninitialized array for the operator in parentheses; in a kernel one for each thread, of 1 to 1,024 cells, as a number.";
    Timed "Timed" Operator [Operator] 20
        "@Timed ({%1})" "⟨@Timed⟩(%1)" "\\saaword{timed}(%1)" "Marks what is timed and what WORK counts.";
    Recorded "Recorded" Operator [Operator] 20
        "@Recorded ({%1})" "⟨@Recorded⟩(%1)" "\\saaword{recorded}(%1)"
        "The operator, whose launches may be recorded the first time and replayed from then on.";
    Report "Report" Operator [Text] * Expression 20
        "@Report \"%1\" (%*)" "⟨@Report \"%1\" (%*)⟩" "\\saaop{\\saaword{report}\\; %1\\; (%*)}"
        "Appends a row of values to the program's reports.";
    Save "Save" Operator [Text Name] 20
        "@Save \"%1\" (%2)" "⟨@Save \"%1\" (%2)⟩" "\\saaop{\\saaword{save}\\; %1\\; (%2)}"
        "Appends a snapshot of an array to a series.";
    Call "Call" Operator [Text] * Expression 20
        "\"%p\"" "\"%p\"" "\\saaphrase{%p}" "A phrase: a basic operator, or one that WHERE defines.";
    Perform "Perform" Operator [Text Part Part Part] 20
        "\"%p\"" "\"%p\"" "\\saaphrase{%p}"
        "A basic operator that is declared, with its arguments, what it reads and what it writes: what the check makes of its phrase.";
    Launch "CALL_GPU" Operator [Expression Expression Operator] 20
        "@RunKernel (%1, %2) ({%3})" "K(%1, %2) %3" "K_{%1,%2}\\; %3"
        "Starts blocks × threads copies of the operator on the device and goes on at once.";
    Shared "Shared" Operator [Declared Type Expression] 20
        "@Shared %1 : %2 [%3]" "⟨@Shared %1 : %2 [%3]⟩" "\\saaop{\\saaword{shared}\\; %1}"
        "An array that the threads of a block share, for the rest of the sequence.";
    Registers "Registers" Operator [Declared Type Expression] 20
        "@Registers %1 : %2 [%3]" "⟨@Registers %1 : %2 [%3]⟩" "\\saaop{\\saaword{registers}\\; %1}"
        "An array of the thread's own, for the rest of the sequence; its size is a literal.";
    Rotate "Rotate" Operator [] * Updated 20
        "@Rotate (%*)" "⟨@Rotate (%*)⟩" "\\saaop{\\saaword{rotate}\\; (%*)}"
        "Each thread of a warp gets the variables' values of the next thread, the last one those of the first.";
    SumOverWarp "SumOverWarp" Operator [] * Updated 20
        "@SumOverWarp (%*)" "⟨@SumOverWarp (%*)⟩" "\\saaop{\\saaword{sum\\ over\\ warp}\\; (%*)}"
        "Each variable becomes, in all threads of a warp, the sum of its values there, added in pairs at distances 16, 8, 4, 2 and 1.";
    MinOverWarp "MinOverWarp" Operator [] * Updated 20
        "@MinOverWarp (%*)" "⟨@MinOverWarp (%*)⟩" "\\saaop{\\saaword{minimum\\ over\\ warp}\\; (%*)}"
        "Each variable becomes, in all threads of a warp, the smallest of its values there, found in pairs at distances 16, 8, 4, 2 and 1.";
    MaxOverWarp "MaxOverWarp" Operator [] * Updated 20
        "@MaxOverWarp (%*)" "⟨@MaxOverWarp (%*)⟩" "\\saaop{\\saaword{maximum\\ over\\ warp}\\; (%*)}"
        "Each variable becomes, in all threads of a warp, the largest of its values there, found in pairs at distances 16, 8, 4, 2 and 1.";
    Barrier "Barrier" Operator [] 20 "@Barrier" "⟨@Barrier⟩" "\\saaop{\\saaword{barrier}}"
        "Waits until all threads of the block stand here.";
    Allocate "Allocate" Operator [Name] 20
        "\"Allocate memory for (%1) on the device\"" "\"Allocate memory for (%1) on the device\""
        "\\saaphrase{Allocate memory for (}%1\\saaphrase{) on the device}" "Makes room for an array on the device.";
    CopyToDevice "CopyToDevice" Operator [Name] 20
        "\"Copy (%1) to the device\"" "\"Copy (%1) to the device\"" "\\saaphrase{Copy (}%1\\saaphrase{) to the device}"
        "Copies an array from the host to the device.";
    CopyFromDevice "CopyFromDevice" Operator [Name] 20
        "\"Copy (%1) from the device\"" "\"Copy (%1) from the device\""
        "\\saaphrase{Copy (}%1\\saaphrase{) from the device}"
        "Copies an array from the device to the host, after all launches before it.";
    Free "Free" Operator [Name] 20
        "\"Free memory of (%1) on the device\"" "\"Free memory of (%1) on the device\""
        "\\saaphrase{Free memory of (}%1\\saaphrase{) on the device}" "Gives an array's room on the device back.";

    // Conditions.
    Or "Or" Condition [Condition Condition] 1 "%1 @Or %2" "%1 ∨ %2" "%1 \\lor %2"
        "At least one holds; the second is looked at only if the first does not hold.";
    And "And" Condition [Condition Condition] 2 "%1 @And %2" "%1 ∧ %2" "%1 \\land %2"
        "Both hold; the second is looked at only if the first holds.";
    Not "Not" Condition [Condition] 3 "@Not %1" "¬%1" "\\neg %1" "The predicate does not hold.";
    Equal "Equal" Condition [Expression Expression] 4 "%1 = %2" "%1 = %2" "%1 = %2" "Equal.";
    NotEqual "NotEqual" Condition [Expression Expression] 4 "%1 <> %2" "%1 ≠ %2" "%1 \\ne %2" "Not equal.";
    Less "Less" Condition [Expression Expression] 4 "%1 < %2" "%1 < %2" "%1 < %2" "Less.";
    LessOrEqual "LessOrEqual" Condition [Expression Expression] 4 "%1 <= %2" "%1 ≤ %2" "%1 \\le %2" "Less or equal.";
    Greater "Greater" Condition [Expression Expression] 4 "%1 > %2" "%1 > %2" "%1 > %2" "Greater.";
    GreaterOrEqual "GreaterOrEqual" Condition [Expression Expression] 4 "%1 >= %2" "%1 ≥ %2" "%1 \\ge %2" "Greater or equal.";
    True "True" Condition [] 20 "@True" "@True" "1" "Holds.";
    False "False" Condition [] 20 "@False" "@False" "0" "Does not hold.";
    Test "Test" Condition [Text] * Expression 20 "'%p'" "'%p'" "\\saaphrase{%p}"
        "A predicate in words: a basic one, or one that WHERE defines.";
    Holds "Holds" Condition [Text Part Part] 20 "'%p'" "'%p'" "\\saaphrase{%p}"
        "A basic predicate that is declared, with its arguments and what it reads: what the check makes of its words.";
    After "After" Condition [Operator Condition] 3 "@After ({%1}) %2" "(%1)·%2" "(%1)\\cdot %2"
        "Prediction: the predicate would hold after the operator.";

    // Expressions.
    Plus "Plus" Expression [Expression Expression] 5 "%1 + %2" "%1 + %2" "%1 + %2" "Sum, of numbers or of vectors.";
    Minus "Minus" Expression [Expression Expression] 5 "%1 - %2" "%1 - %2" "%1 - %2" "Difference, of numbers or of vectors.";
    Times "Times" Expression [Expression Expression] 6 "%1 * %2" "%1 * %2" "%1 \\, %2" "Product of numbers, or of a number and a vector.";
    Div "Div" Expression [Expression Expression] 6 "%1 / %2" "%1 / %2" "%1 / %2" "Quotient; of two integers, rounded towards zero.";
    Mod "Mod" Expression [Expression Expression] 6 "%1 @Mod %2" "%1 mod %2" "%1 \\bmod %2" "Remainder of integer division, with the sign of the dividend.";
    Negate "Negate" Expression [Expression] 7 "-%1" "-%1" "-%1" "The opposite, of a number or a vector.";
    Power "Power" Expression [Expression Expression] 8 "%1 ^ %2" "%1 ^ %2" "{%1}^{%2}" "Power; with an integer literal, products from the left.";
    Index "Index" Expression [Name] * Expression 20 "%1[%*]" "%1[%*]" "%1_{%*}" "A cell of an array.";
    Field "Field" Expression [Expression Word] 20 "%1.%2" "%1.%2" "%1.%2" "A component of a vector: x, y, z or w.";
    Apply "Apply" Expression [Word] * Expression 20 "%1(%*)" "%1(%*)" "\\operatorname{%1}(%*)" "A function's value.";
    BlockIndex "BlockIndex" Expression [] 20 "block" "block" "\\saaword{block}" "The number of this thread's block, from 0.";
    ThreadIndex "ThreadIndex" Expression [] 20 "thread" "thread" "\\saaword{thread}" "The number of this thread in its block, from 0.";
    BlockCount "BlockCount" Expression [] 20 "blocks" "blocks" "\\saaword{blocks}" "How many blocks were launched.";
    ThreadCount "ThreadCount" Expression [] 20 "threads" "threads" "\\saaword{threads}" "How many threads a block has.";
    Multiprocessors "Multiprocessors" Expression [] 20 "multiprocessors" "multiprocessors" "\\saaword{multiprocessors}"
        "How many multiprocessors the device has; 1 on the reference machine and where kernels run on processors. For the host alone.";

    // Parts of a scheme.
    Scheme "Scheme" Part [Text Part Operator] * Part 20
        "@Scheme \"%1\" ===={%2}%3[[@Where{%4}]]@EndOfScheme \"%1\"" "" "" "An algorithm with its data.";
    Data "Data" Part [] * Part 20 "@Data{%*}@EndOfData" "" "" "The data of a scheme.";
    Where "Where" Part [] * Part 20 "@Where{%*}" "" "" "The definitions of a scheme.";
    Parameter "Parameter" Part [Name Type Expression] 20 "%1 : %2 := %3" "" "" "A scalar with a default that the user may replace.";
    Variable "Variable" Part [Name Type Part Part Part] 20 "%1 : %2%3%4%5" "" "" "A scalar or an array: its type, sizes, marks and values.";
    Dims "Dims" Part [] * Expression 20 " [%*]" "" "" "Sizes of an array.";
    Marks "Marks" Part [] * Word 20 "" "" "" "INPUT and OUTPUT.";
    Values "Values" Part [] * Expression 20 " := [%*]" "" "" "The values of an array.";
    DefaultInput "DefaultInput" Part [Text] * Part 20 "@DefaultInput \"%1\" (%*)" "" "" "What supplies INPUT arrays that the user does not.";
    Option "Option" Part [Word Expression] 20 "%1 := %2" "" "" "A named value.";
    Work "Work" Part [Text Expression] 20 "@Work \"%1\" := %2" "" "" "How much work the timed part does.";
    Check "Check" Part [] * Part 20 "@Check (%*)" "" "" "Sizes for the reference machine.";
    Assume "Assume" Part [Condition] 20 "@Assume %1" "" "" "A claim of the author.";
    Use "Use" Part [Text] 20 "@Use \"%1\"" "" "" "Data and definitions of another file.";
    Define "Define" Part [Text Part Operator] 20 "\"%1\" ===={%3}" "" "" "What a phrase means.";
    DefineTest "DefineTest" Part [Text Part Condition] 20 "'%1' ==== %3" "" "" "What a predicate means.";
    Graph "Graph" Part [Text Part Part] * Part 20
        "@Graph \"%1\" ===={%2}%3[[@Where{%4}]]@EndOfGraph \"%1\"" "" "" "An algorithm with its data, drawn: see forms.md.";
    Flow "Flow" Part [] * Part 20 "" "" "" "The nodes of a graph, the first of which is where it begins; it stands for an operator.";
    Node "Node" Part [Name Operator Name] 20 "%1: %2 @Next %3" "" "" "A node that acts: an operator, whose bodies are graphs, and the node after it.";
    Choice "Choice" Part [Name Condition Name Name] 20 "%1: @If %2 @IfThen %3 @Else %4" "" "" "A node that asks: a predicate, the node where it holds and the node where it does not.";
    Stop "Stop" Part [] 20 "@Stop" "" "" "The end of a graph, after its last node.";
    Basic "Basic" Part [Text Part] * Part 20 "\"%1\" ==== @Basic … @EndOfBasic" "" "" "A basic operator: what it reads and writes, what it means, its wordings and its code.";
    BasicTest "BasicTest" Part [Text Part] * Part 20 "'%1' ==== @Basic … @EndOfBasic" "" "" "A basic predicate: what it reads, what it means, its wordings and its code.";
    Reads "Reads" Part [] * Expression 20 "@Reads %*" "" "" "What a basic operator or predicate reads: cells, or arrays as a whole.";
    Writes "Writes" Part [] * Target 20 "@Writes %*" "" "" "What a basic operator writes: cells, or arrays as a whole.";
    Meaning "Meaning" Part [Operator] 20 "@Means{%1}" "" "" "What a basic operator does, in the algebra.";
    MeaningTest "MeaningTest" Part [Condition] 20 "@Means %1" "" "" "When a basic predicate holds, in the algebra.";
    Code "Code" Part [Word Text] 20 "@Code %1 ```%2```" "" "" "What a basic operator or predicate is in the language of a target.";
    Arguments "Arguments" Part [] * Expression 20 "" "" "" "The arguments of a basic operator or predicate where it is used.";
    Entry "Entry" Part [Text Part] * Part 20 "\"%1\" ====" "" "" "What a phrase is in other languages; an argument may stand elsewhere there.";
    EntryTest "EntryTest" Part [Text Part] * Part 20 "'%1' ====" "" "" "What a predicate is in other languages.";
    Translation "Translation" Part [Word Text Part] 20 "%1 %2" "" "" "A phrase in a language: EN, UK or RU.";
    Given "Given" Part [Name Part Expression Part] 20 "@Given %1 @In %2[[ := %3]]%4" "" "" "A parameter of a family of schemes, chosen before anything is checked: its values, its default, the first one if it is not said, and FREELY, if any of them gives the same results.";
    Among "Among" Part [] * Expression 20 "" "" "" "The values of a given: integers, ranges of these, or words.";
    Range "Range" Part [Expression Expression] 20 "%1..%2" "" "" "All integers from the first to the last.";
    GivenThat "GivenThat" Part [Condition] 20 "@GivenThat %1" "" "" "What holds of the givens of every member of a family.";
    GivenIf "GivenIf" Part [Condition Part Part] 20 "@GivenIf %1 @IfThen{%2}[[@Else{%3}]]@EndOfGiven" "" "" "A part of members of which a condition over givens holds, and one of the others: of DATA, WHERE, DICTIONARY, or operators.";
    GivenFor "GivenFor" Part [Binder Expression Expression Part] 20 "@GivenFor (%1 @From %2 @To %3){%4}@EndOfGiven" "" "" "A part once for each integer: of DATA, WHERE, DICTIONARY, or operators.";
    Formals "Formals" Part [] * Word 20 "" "" "" "The names of a definition's arguments.";
}

/// By the number of the symbol.
static BY_FUNCTOR: LazyLock<Vec<Option<Construct>>> = LazyLock::new(|| {
    let mut by_number = Vec::new();
    for info in TABLE {
        let number = Symbol::new(info.functor).index();
        by_number.resize(by_number.len().max(number + 1), None);
        by_number[number] = Some(info.construct);
    }
    by_number
});

static BY_KEYWORD: LazyLock<FxHashMap<Keyword, Construct>> = LazyLock::new(|| {
    let begun_by = |keyword: &Keyword| {
        let name = format!("@{keyword:?}");
        let begins = |info: &&Info| {
            let rest = info.text.strip_prefix(name.as_str());
            rest.is_some_and(|r| !r.starts_with(char::is_alphanumeric))
        };
        let mut operators = TABLE.iter().filter(|i| i.sort == Sort::Operator);
        Some((*keyword, operators.find(begins)?.construct))
    };
    Keyword::ALL.iter().filter_map(begun_by).collect()
});

static SYMBOLS: LazyLock<Vec<Symbol>> =
    LazyLock::new(|| TABLE.iter().map(|info| Symbol::new(info.functor)).collect());

impl Construct {
    /// The construct's row of the table.
    pub fn info(self) -> &'static Info {
        &TABLE[self as usize]
    }

    /// Its functor.
    pub fn symbol(self) -> Symbol {
        SYMBOLS[self as usize]
    }

    /// The operator whose text begins with a keyword; the first row of several.
    pub fn begun_by(keyword: Keyword) -> Option<Construct> {
        BY_KEYWORD.get(&keyword).copied()
    }

    /// The construct with a functor.
    pub fn of(functor: Symbol) -> Option<Construct> {
        BY_FUNCTOR.get(functor.index()).copied().flatten()
    }
}

impl Info {
    /// Whether a term may have this many arguments.
    pub fn takes(&self, arguments: usize) -> bool {
        arguments == self.arguments.len() || self.rest.is_some() && arguments > self.arguments.len()
    }

    /// What the `i`-th argument is to the term.
    pub fn role(&self, i: usize) -> Option<Role> {
        self.arguments.get(i).copied().or(self.rest)
    }

    /// The sort of the `i`-th argument.
    pub fn argument(&self, i: usize) -> Option<Sort> {
        self.role(i).map(Role::sort)
    }

    /// How the term binds the name in its first argument, if it does: as [`Role::Binder`] or as
    /// [`Role::Declared`].
    pub fn binds(&self) -> Option<Role> {
        let first = self.arguments.first().copied();
        first.filter(|r| matches!(r, Role::Binder | Role::Declared))
    }
}
