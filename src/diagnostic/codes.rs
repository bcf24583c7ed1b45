//! The codes of diagnostics, each with its page.

/// A code and its page.
pub struct Code {
    /// The code.
    pub code: &'static str,
    /// What it says, in a line.
    pub title: &'static str,
    /// The page: why it is so, and what to do.
    pub text: &'static str,
}

macro_rules! codes {
    ($($code:literal $title:literal $text:literal;)*) => {
        /// All codes, in order.
        pub static CODES: &[Code] = &[$(Code { code: $code, title: $title, text: $text },)*];
    };
}

codes! {
    "E0001" "a result cannot be written" "The disk is full, the folder is not there or not writable. Nothing half-written is left: files are written under another name and renamed when they are whole.";
    "E0002" "a file cannot be read" "There is no such file, it is a folder, or it may not be read. A name without a file is looked up among the embedded schemes.";
    "E0003" "a text is not UTF-8" "Schemes and rules are UTF-8 texts. Save the file as UTF-8 in your editor.";
    "E0004" "there is no such scheme in the file" "A file may hold several schemes; --scheme \"NAME\" picks one, the first is taken otherwise.";
    "E0005" "unresolved USE" "USE \"file.saa\" names a file inside the folder of the scheme, or one of the library. It may not leave that folder, and a file that is used may not use others.";
    "E0006" "an option is wrong" "The hint says what the option takes.";
    "E0007" "a text is too large" "Texts of up to 128 MiB and 33,554,432 words and signs are read. Take a larger one apart into several files.";
    "E0008" "a line cannot be explained" "explain FILE:LINE tells why the loops around a line of a scheme are as they are, or where a line of an emitted program comes from. The first needs a line in a loop. The second needs the trace.json that emit writes into the project's folder, a file and a line that were emitted, and the line as it was: lines that were written or changed since have no origin.";
    "E0009" "there is no built program" "run --built takes the folder of a project that was built: by cargo build --release, or by cmake.";
    "E0010" "a text cannot be laid out" "fmt lays out schemes and graphs in words (.saa, .saag), files of operators (.ops) and rule files (.rules), and writes only what reads as before: the same words and signs, the same comments, the same tree. A formula is laid out by show --as formula.";
    "E0011" "a setting in a file is wrong" "Settings stand in glushkov.toml, in the folder of the scheme or above, and in the user's glushkov/config.toml. Keys are long names of options, values what would be typed; a table such as [run] is for that command. glushkov config shows what is in force; --no-config goes on without files.";
    "N0009" "an emitted file was edited" "Its digest is not the one in trace.json. A line that is as it was is explained all the same: lines before the first change and after the last one are known by their place, lines between them by their text.";
    "E0101" "a character has no meaning" "Phrases stand in \"…\", predicates in '…', comments after #. A run of such characters is reported once.";
    "E0102" "a quoted text has no end" "Close the quote. Inside a text, \\\" and \\' are quotes, \\\\ is a backslash, \\n a line end and \\u{ad} the character of that number.";
    "E0103" "a number is too large" "Integers have 64 bits, reals reach 1.8e308.";
    "E0104" "syntax error" "The message says what was expected and what was found. Operators are separated by `;`, which may be left out after `)` and END.";
    "E0105" "a keyword or a construct cannot be a name" "Keywords of all three languages are reserved, since they may be mixed in one file; so are the names of constructs without arguments, such as Empty.";
    "E0106" "nested too deeply" "Nesting beyond 100,000 levels is refused. Give parts names: phrases for operators, LOCALs for values.";
    "E0107" "there is no scheme" "A file holds schemes: SCHEME \"name\" ==== … END OF SCHEME \"name\".";
    "E0108" "an END names another scheme" "The name after END OF SCHEME is that after SCHEME.";
    "E0109" "a definition's parentheses hold no names" "In a definition such as \"Kick body (i)\" ==== … the parentheses hold the names of its arguments, each once. Write \\( for a parenthesis of the text.";
    "E0110" "a graph has no such node" "Nodes of a graph act or ask: an operator with NEXT, or IF predicate THEN node ELSE node. A loop is an edge back to a node.";
    "E0111" "two nodes have the same label" "Edges name nodes by their labels, so each node of a graph has its own. Nodes inside of a loop over numbers, a kernel or a branch are a graph of their own.";
    "E0112" "edge target not found" "An edge leads to a node of the same graph or to STOP. What stands inside of a node, such as a kernel, is entered at its first node and left by STOP; edges lead neither in nor out.";
    "E0113" "unreachable node" "A graph begins at its first node. A node that cannot be reached from there would never act.";
    "E0114" "a translation has other arguments" "In a dictionary the parentheses of a phrase and of its translations hold the same names, each once; they may stand in another order.";
    "E0201" "a name is not declared" "In a scheme with DATA every name is declared: in DATA, as a LOCAL before its use, or by a loop. A phrase's body sees its arguments and the scheme's data, not the LOCALs of its callers.";
    "E0202" "a name is declared twice" "DATA declares each name once.";
    "E0203" "types do not fit" "INTEGER becomes REAL where one is needed, REAL32 becomes REAL64; everything else needs int, floor, ceil, round or real32. Literals take the type of what stands beside them.";
    "E0204" "shapes do not fit" "Arrays have one to three dimensions with sizes over parameters, and are named with one subscript a dimension.";
    "E0205" "assignment to something that keeps its value" "Parameters, the variables of loops and INPUT arrays keep their values.";
    "E0206" "recursive phrase" "A definition is expanded in place, so it cannot contain itself, not even through others.";
    "E0207" "the expanded scheme is too large" "Phrases that call phrases multiply. Make one of them a loop.";
    "E0208" "wrong number of arguments of a phrase" "A call has as many arguments as the definition.";
    "E0209" "aliasing of an assigned argument" "What a phrase assigns is passed by reference, so it may be reached in one way only: not by another argument, and not by its name in the phrase.";
    "E0210" "an operator stands in the wrong place" "REPORT, SAVE and TIMED belong to the host's level; BARRIER, SHARED, block and thread to kernels; launches, copies and multiprocessors to the host.";
    "E0211" "there is no such function" "The manual lists the functions. Cells of arrays stand in brackets.";
    "E0212" "wrong number of arguments of a function" "The hint says how many it takes.";
    "E0213" "there is no such type" "The manual lists the types.";
    "E0214" "a term is not well formed" "An operator, a predicate and an expression are different things; each construct takes arguments of its own sorts.";
    "E0215" "a phrase is defined twice" "Each phrase has one definition.";
    "E0217" "this cannot be recorded" "RECORDED holds launches only, in sequences, choices and FOR loops, and is not put inside itself. What they capture, their grids, the conditions of choices and the bounds of loops have the same values whenever it is met, as it may be replayed: parameters, what nothing in the loops around writes or declares. Arrays keep their room on the device as long.";
    "E0218" "LANES must be a number from 1 to 128" "It is written out. Several vectors side by side hide how long an operation takes; 32 is a good number.";
    "E0216" "this cannot be assumed" "Claims are independent (i), injective (idx), and comparisons over parameters such as eps > 0. They speak of the scheme's own loops, of its arrays of integers with one subscript, and of what keeps its value.";
    "N0220" "nothing defines a phrase or a name" "Such a scheme can be shown, transformed and compared, but not run or built.";
    "E0221" "an item of DATA is wrong" "The message says what is wrong with it.";
    "E0224" "the declaration of a basic operator is wrong" "Its types are those of the names in the phrase's parentheses, what it reads and writes are variables, cells and arrays, and sizes that it declares fit what is passed. Its wordings have the same arguments, and its code names what is declared.";
    "E0225" "a basic operator reaches other variables than stand here" "What an operator names in its own declaration cannot be replaced by a rule; what is passed as an argument can. Code for launches is run by the host, which passes it values that it has.";
    "E0226" "what a basic operator means is not what it declares" "Its meaning reads or writes something that READS or WRITES does not list, or does what no list tells of, such as REPORT. What is derived rests on these lists, so they must be whole.";
    "E0227" "a scheme holds no code of other languages" "A scheme can compute, but not act. Code for targets belongs to files of operators (.ops), which are built only where they are named (--operators) or come with the tool.";
    "E0250" "a given is wrong" "GIVEN d IN {1, 2, 3} and GIVEN method IN {\"euler\", \"leapfrog\"} say what may be chosen before anything is checked; the first value is the default, or the one after :=. A given has 10,000 values at most.";
    "E0251" "the family has no such member" "GIVEN THAT says what holds of every member: choose values of which it does.";
    "E0252" "this is not known of what is given" "Conditions and bounds of GIVEN IF, GIVEN FOR and GIVEN THAT, and what stands in the braces of names and texts, are made of givens, the indices of GIVEN FOR around, integers and words in quotes.";
    "E0253" "a name hides what is given" "A given stands for its value wherever its name does, so no variable, loop or argument can have that name.";
    "N0240" "a quotient of integers becomes a REAL" "The quotient of two integers is rounded towards zero: 1 / 2 is 0, and 1 / N is 0 for every N above 1. Where a REAL is wanted, write one of both as one: 1.0 / 2, real(1) / N. Quotients of variables, such as i / 2, are taken as meant.";
    "N0241" "an array is never read" "It is neither INPUT nor OUTPUT, and no operator reads, reports or saves it: what is written to it is lost. Declare a result as OUTPUT, and leave out what is not needed.";
    "N0330" "a rule was nearly applied" "The rule's pattern matched, and its condition did not hold or could not be shown. The message tells the part of the condition that stopped it. If you know that it holds, ASSUME it.";
    "N0331" "a loop stays sequential" "The strategy runs its iterations one after the other. The message says why, and what would change that where something would: an option, a claim, another place for a part of it. --verbose shows every rule that was stopped, with the places that matter. Loops around loops that run at once are not told of.";
    "E0300" "syntax error in a rule or a term" "Rules are written pattern [condition] -> result; the files of rules/ are examples. The message says what was expected.";
    "E0301" "a variable of a result has no value" "Every variable of a result is bound by the pattern, by let, or by where. Only in a system may it stay free, as in TermWare; rules lint tells of it there.";
    "E0302" "a name stands twice" "Rules, strategies and systems have names of their own.";
    "E0303" "a sequence variable stands where one term is needed" "$xs.. stands for any number of arguments, so it stands among arguments only.";
    "E0304" "a variable is bound twice or to two kinds of things" "A name is either a variable or a sequence variable, and is bound once by let or where.";
    "E0305" "an attribute is wrong" "Attributes are #@rule(name), #@float(class), #@law, #@law(tested) and #@param(name, default, least, most).";
    "E0306" "a parameter and a variable share a name" "A parameter $threads stands for its number; variables need other names.";
    "E0307" "a rule cannot be what it is said to be" "The message says which part cannot stand there.";
    "E0308" "a builder is used wrongly" "Builders are each($x, $xs.., t), copies($k, n, t) and substitute(t, x, r).";
    "E0309" "a parameter is wrong" "Parameters are integers with a default inside their range; the hint lists them.";
    "E0310" "nested too deeply" "Nesting beyond 100,000 levels is refused.";
    "E0311" "a predicate is not well formed" "A predicate is defined by clauses, predicate name(patterns) [condition] -> condition, which stand one after the other and take the same number of arguments. What stands behind an arrow is true, false, unknown or another condition.";
    "E0312" "there is no such order of rewriting" "Systems are rewritten by FirstTop or NFirstTops, TopDown, or BottomTop, which is also called BottomUp.";
    "E0313" "there is no such system" "--system names a system of the file or a standard one; import names one of the file, of a file named like it beside this one, or a standard one: general, List, String, sys.";
    "E0314" "there is no such strategy or rule" "The hint names what there is.";
    "E0315" "a strategy contains itself" "Strategies are expanded, so they cannot be recursive; use repeat, topdown or once.";
    "E0316" "a setting of --with is wrong" "--with NAME=NUMBER sets a parameter of the strategy or, as RULE.NAME=NUMBER, of a rule, within its range.";
    "E0317" "unknown fact in a condition" "No fact has this name and number of arguments, so that the rule would never fire. docs/rules.md lists the facts.";
    "E0318" "a rule makes what nothing knows" "A functor of a result, of let, of where or of what a condition asks is no construct of schemes and no function of rules with this number of arguments, and no rule matches it. docs/rules.md lists the functions.";
    "E0320" "rewriting reached its bound" "The message names the rules that went on firing. Either the bound is too small (--steps) or the rules undo each other.";
    "E0321" "rewriting exceeded its size limit" "The term or the conditions became too large.";
    "E0322" "the result is too large to print" "It has more nodes than are printed; look at it with --stats.";
    "E0323" "the system's facts are a Java object" "TermWare calls the methods of such an object in conditions and actions. Here facts are rules: write what the class answers as rules, and give `default` for the system's facts.";
    "E0330" "a rule made a term that does not check" "The derived scheme is checked after every step. The rule is wrong, or its condition asks too little.";
    "E0331" "a step could not be taken" "The strategy asks for a step that no place allows. The notes before it say which rules matched and what stopped them.";
    "E0332" "a derivation cannot be replayed as it was recorded" "replay takes every recorded step again, at its place, and compares. The first step that differs is named, with what differs: the file was changed, or the rules were.";
    "E0333" "a file holds no derivation" "replay reads what derive --save wrote with the same version of the format. The message says what is wrong with the file.";
    "N0334" "rules have changed since a derivation was saved" "The derivation names the files of its rules with their digests. One of them has another text now; the steps are redone with the rules as they are.";
    "E0336" "a derivation does not show what it claims" "replay checks every step of a saved derivation by code that shares nothing with the rule engine but terms and facts. The first step that does not follow from its rule at its place is named, or what is wrong with the whole: the file was changed, or rules that come with the tool are other ones than those that were applied. In the latter case derive the scheme anew.";
    "N0338" "a setting changes nothing" "With the default value the same is derived. The rules that the parameter is for match nothing in this scheme, or the note tells what stopped one of them.";
    "N0339" "a rule that was left out is not used" "The strategy does not apply the rule to this scheme, so that the same is derived with it.";
    "E0340" "schemes are too complex to compare" "Their control flow depends on so many predicates at once that the tables of the comparison outgrow the memory. It happens where many choices that have no order of predicates in common follow each other with no action between them, and the two schemes differ.";
    "N0341" "schemes have different DATA" "Names are compared as they are written. Schemes whose DATA says different things of a name that is used, an INPUT, an OUTPUT or a parameter (its type, shape, marks, default or values), or that take other DEFAULT INPUT, are not equal. The note tells what no run shows, such as WORK, CHECK or ASSUME, and what differs besides the actions.";
    "N0342" "a negative answer that may not be final" "Assignments, comparisons, loops over numbers and other operators that are not regular are compared as terms, not by what they do. Two schemes that differ in this way may still have the same results. Phrases that nothing defines may mean anything: between schemes of such phrases only, a no is final.";
    "E0343" "a law does not hold" "A rule with #@law must be an identity between regular schemes: for all operators and predicates that its variables stand for, both sides do the same actions under the same predicates. The trace is a way on which they differ. Where a rule holds by what assignments, PARALLEL or AFTER mean, write #@law(tested); where it holds under its condition only, leave #@law out.";
    "E0346" "a rule of one's own has not been tested" "`glushkov rules test FILE` holds its examples, near misses and random schemes against what the rule does; what passes is remembered until the file changes. With --untested the rule is applied as it is, and traces and saved derivations say so.";
    "E0347" "a rule fails a test" "The message names the check: an example or a near miss of the rule's page, random schemes before and after on the reference machine, random operands of a law, a second pass, or a mutant that no test finds.";
    "N0348" "a strategy takes no step" "For each of its rules the note says which part of the condition stopped it at the first place that the pattern matches, or that it matches nowhere.";
    "N0350" "a rule does not use something" "A value of let or where, or a parameter, stands in no condition and no result of the rule.";
    "N0351" "a condition never holds" "The condition says false, compares numbers that do not compare so, or asks for something and for its opposite. The rule, or this alternative of it, never fires.";
    "N0352" "a rule is hidden by another one" "The rule that is tried first has no condition and matches everything that the second one does, so that nothing is left for it.";
    "N0353" "the results of two rules are not confluent" "Both rules apply to one term, and what they make of it is not rewritten to the same: the result depends on the order in which rules are tried or places are visited. Make one pattern more specific than the other, let their conditions exclude each other, or let both lead to the same.";
    "N0354" "rewriting may not terminate" "The rules make what they apply to, and neither a decreasing argument nor an order of terms was found that proves termination. Runs are bounded all the same: --steps, and rules that cycle are named.";
    "N0355" "a rule matches or makes what is not a scheme" "A functor of the rule is not a construct, or does not have so many arguments. Such a pattern matches nothing, and such a result is not a scheme.";
    "N0356" "a variable of a result stays free" "Nothing gives it a value, so that the result has a variable in it. TermWare's systems may have such rules; most often it is a slip of the pen.";
    "N0357" "a question or an action needs facts from outside" "No rule of the file answers it: runs of the system need a file of facts (--facts) or a program that answers (--oracle).";
    "N0358" "a predicate is not asked" "A predicate that rules define is of use where the condition of a rule asks it, by itself or through another predicate.";
    "N0360" "a search is not exhaustive" "A bound kept rewrite --search from looking at all terms: so many rewrites (--steps), so far from the term (--depth), so long (--seconds). What is not found may exist all the same.";
    "E0361" "a search wants one pattern" "rewrite --search takes a pattern, with a condition in brackets behind it or without, as on the left of a rule: --search 'f($x, $y) [$x < $y]'.";
    "E0362" "a step that was asked for cannot be taken" "At the prompt, step at PATH wants a position of the term at which a rule fires; where lists them, and why RULE at PATH tells what keeps a rule from firing.";
    "E0363" "the prompt does not understand" "help lists the commands of rewrite --prompt, :help those of new --interactive.";
    "E0366" "something does not fit at an open place" "A scheme is built from its outline down: places such as …7 are still open, and each takes what the prompt says: an operator, a predicate, an expression, a name, a type, a text or an item of DATA. :offers lists what fits, :places what is open. See docs/constructor.md.";
    "E0367" "a phrase cannot be refined or folded" "refine gives a phrase its definition, and fold takes one out of the scheme. What comes out must be the same scheme; the message says what keeps it from being so.";
    "E0370" "nothing answers a question of a rule" "No rule is for the condition, no fact of the run is like it, no action asserts one, and no program answers it: the rule would never fire.";
    "E0371" "nothing does an action of a rule" "Actions are assert, retract, println, setCurrentStopFlag and assign, and those that the program of --oracle names.";
    "E0372" "a program that answers rules cannot be asked" "It did not start, ended, said nothing for 10 seconds, or said what is not expected; docs/termware.md says what is.";
    "E0373" "something is not a fact" "Facts are names with or without arguments, in which there are no variables.";
    "E0374" "a search cannot do actions" "Facts that one way changes would be others for the ways beside it.";
    "E0335" "variants differ" "bench compares the OUTPUT arrays of the first run with those of the first variant: the same bits where all rules are exact and no device computes, else norm_relative within the tolerance.";
    "E0401" "race" "Two threads reach one cell, one of them writes, and nothing orders the two. The hint names the synchronizer that would.";
    "E0402" "divergence" "A barrier is met when all threads of the block stand at it. Move it out of conditions that differ between threads.";
    "E0403" "a subscript is out of range" "Subscripts go from 0 to the size less one, in every dimension.";
    "E0404" "a cell is read or copied out before it is written" "Working arrays are not initialized; memory of the device holds nothing until something is copied or written there. `check` also asks in the end whether an OUTPUT array that was copied from the device has a cell that was never written.";
    "E0405" "memory is not on the device" "An array that a launch reaches needs memory on the device, allocated before and freed after.";
    "E0406" "an integer is out of range" "INTEGER has 32 bits, INTEGER64 has 64. Whole numbers of any size are given as REALs by real_floor, real_ceil, real_round and real_trunc.";
    "E0407" "division by zero" "Integers cannot be divided by zero, and the step of a loop must not be 0.";
    "E0408" "deadlock" "Every branch waits for a control point that none of them will meet.";
    "E0409" "no result" "A FILTER was false or UNDEFINED was met.";
    "E0410" "too many steps" "The reference machine stops at a bound. Give CHECK sizes, or smaller ones by --set.";
    "E0411" "sizes or values cannot be used" "A size is negative or does not fit in memory, or a parameter's value is not of its type.";
    "E0412" "missing INPUT" "Give --in DIR with NAME.npy, or a DEFAULT INPUT in DATA.";
    "E0415" "a claim does not hold" "ASSUME says what no analysis can show. The reference machine runs the loops that are claimed to be independent at once, and evaluates comparisons; what it finds to be false is refused.";
    "E0414" "a scheme cannot run" "A scheme runs when it has DATA and every phrase, predicate and name is defined. It can be shown, transformed and compared without.";
    "N0414" "a scheme was checked and not run" "It has no DATA, or something in it is not defined; the note says what. It can be shown, transformed and compared.";
    "E0416" "an expectation cannot be read" "A comment that begins with EXPECT says what glushkov test is to find: EXPECT REPORT \"energy\" (1.5) WITHIN 1e-6, EXPECT x = [1, 2, 3], EXPECT REFUSED E0203. A comment that begins with nearly this word in capitals is refused as well, so that a slip is not passed over.";
    "N0416" "all values of a result are NaN" "None of them is a number, most often after a division of zero by zero, a root of a negative number or an INPUT that holds NaNs. Two such results agree with each other, which says nothing.";
    "E0413" "an array has the wrong shape" "The shapes of INPUT arrays follow from the parameters; a VECTOR is a last axis.";
    "E0501" "a scheme cannot be emitted" "A program needs DATA and a definition of every phrase, predicate and name. The message lists all that is missing.";
    "E0502" "the size of a shared array is not known at the launch" "The size of a SHARED array is an expression over literals, parameters and what is known when the kernel is launched.";
    "E0503" "waiting in a PARALLEL loop" "Iterations of a PARALLEL loop share cores, so one that waits could keep the one it waits for from running. Branches, PARALLEL ( A // B ), may wait.";
    "E0504" "a target cannot do this" "The page docs/targets.md says what each target has. Control points and branches run on the reference machine and on the targets rust, cpp and rust-cuda.";
    "E0505" "a barrier may not be reached by all threads" "A kernel for target rust is split at its barriers, so each stands where all threads of a block come by: not under a condition or in a loop that may differ between threads.";
    "E0506" "a prediction cannot run" "AFTER (A) u says what would hold after A without running it, so a scheme that holds one can be shown and transformed only. Compute with copies of what A changes, and test those.";
    "E0507" "a target has no warps" "Threads that exchange values go together. Target rust runs the threads of a block one after the other; cuda, rust-cuda and the reference machine have warps.";
    "E0508" "arrays in registers in a kernel with barriers" "Target rust splits such a kernel at its barriers and keeps single values for each thread; cuda, rust-cuda and the reference machine have them.";
    "E0509" "variants make no program" "A program that picks among derived variants has one interface: their parameters and data are the same, the parameter that decides is an integer, and the limits ascend. Target rust-cuda holds one variant.";
    "E0510" "a program is nested too deeply" "Loops, conditions and the like stand more than 256 deep in one another. Compilers need not take more, and most take minutes for fewer. `check` and `run --target interpreter` do take such schemes.";
    "E0511" "a target has no device" "Target cpp is for the cores of a processor, and refuses launches, copies, barriers and what else is for a device. Derive by a strategy for processors, such as cpu or parallel, or take target cuda or rust-cuda; target rust runs launches on the processor.";
    "E0901" "a file of data cannot be read or written" "The message says which and why. Nothing half-written is left.";
    "E0902" "unreadable .npy file" "Bool, integers and floats of up to 64 bits are read, in either byte order and either memory order.";
    "E0903" "arrays have different shapes" "Only arrays of the same shape can be compared.";
    "E0904" "values cannot be converted" "Float widths convert, integers if they are in range; nothing else does.";
    "E0905" "there is no such generator or option" "glushkov data lists the generators with their options.";
    "E0906" "a generator's option or size is out of range" "glushkov data lists the ranges.";
    "E0907" "a file of tuning cannot be used" "tune writes such files. One fits the scheme, strategy, target and precision that it was made for; the message says what differs.";
    "E0908" "nothing was tuned" "The strategy has no parameter with a range, or none of its programs can be measured; the table says what became of each.";
    "E1001" "a compiler, a crate or a device is missing" "glushkov doctor says what is found and where it was looked for.";
    "E1002" "a program did not start or was stopped" "The message says why.";
    "E1003" "the compiler rejects the emitted program" "That should not happen: the message shows its first lines and names the log.";
    "E1004" "the build folder cannot be used" "Builds are kept in the user's cache folder; the message says what is wrong there.";
    "E1005" "the program ended with an error" "It says what was wrong: with its input (exit code 2), or in the scheme, such as a subscript out of range (exit code 1).";
    "E1006" "unexpected output of a program" "An emitted program prints one line of JSON.";
}
