//! The table of what rules may ask about schemes. What they may compute is in `functions`.

use super::functions::FUNCTIONS;

/// A fact or a function.
pub struct Fact {
    /// Its name.
    pub name: &'static str,
    /// How many arguments it takes at least.
    pub least: usize,
    /// How many it takes at most.
    pub most: usize,
    /// What it says or gives, for the page of the rules; arguments in the order of the call.
    pub meaning: &'static str,
}

impl Fact {
    fn takes(&self, arguments: usize) -> bool {
        (self.least..=self.most).contains(&arguments)
    }
}

/// The fact with a name and so many arguments.
pub fn fact(name: &str, arguments: usize) -> Option<&'static Fact> {
    FACTS.iter().find(|f| f.name == name && f.takes(arguments))
}

/// The function with a name and so many arguments.
pub fn function(name: &str, arguments: usize) -> Option<&'static Fact> {
    FUNCTIONS
        .iter()
        .find(|f| f.name == name && f.takes(arguments))
}

pub(super) const ANY: usize = usize::MAX;

pub(super) const fn row(
    name: &'static str,
    least: usize,
    most: usize,
    meaning: &'static str,
) -> Fact {
    Fact {
        name,
        least,
        most,
        meaning,
    }
}

/// What conditions may ask.
pub const FACTS: &[Fact] = &[
    row(
        "on_host",
        0,
        0,
        "the place is at the host's level: not in a kernel, PARALLEL, a branch or what is RECORDED",
    ),
    row(
        "outside_kernels",
        0,
        0,
        "the place is in no kernel and in nothing RECORDED",
    ),
    row("outside_lanes", 0, 0, "the place is in no LANES"),
    row(
        "free_of_loops_around",
        1,
        1,
        "no variable of a loop around the place occurs in A",
    ),
    row(
        "timed",
        0,
        0,
        "the place is inside TIMED, or nothing is TIMED",
    ),
    row(
        "independent",
        4,
        4,
        "i, from, to, A: no iteration reaches a cell that another one writes",
    ),
    row(
        "independent_steps",
        5,
        5,
        "i, from, to, step, A: the same for a loop with a step",
    ),
    row(
        "independent_but",
        5,
        5,
        "s, i, from, to, A: the same but for the scalar s",
    ),
    row(
        "keeps_order",
        5,
        5,
        "i, from, to, A, B: no iteration of B shares a cell with a later one of A, but to read it",
    ),
    row(
        "apart",
        5,
        5,
        "i, from, to, A, B: no iteration of B shares a cell with another one of A, but to read it",
    ),
    row("is_number", 1, 1, "it is an integer literal"),
    row(
        "reversible",
        7,
        7,
        "i, from, to, j, from, to, A: no dependence between iterations has direction (<, >)",
    ),
    row(
        "device_ok",
        1,
        1,
        "A only computes with cells of arrays and its own LOCALs, so that a kernel can do it",
    ),
    row("device_ok_but", 2, 2, "s, A: the same but for the scalar s"),
    row(
        "lanes_ok",
        2,
        2,
        "i, A: A does for one i what it does for all others, operation by operation, with REALs of the scheme's precision or of 64 bits and INTEGERs that count",
    ),
    row(
        "parallel_ok",
        1,
        1,
        "A does nothing whose order can be seen",
    ),
    row(
        "bounds_invariant",
        1,
        ANY,
        "e…, A: the expressions keep their values while A runs",
    ),
    row(
        "stable",
        1,
        ANY,
        "e…, A: the expressions have the same values before and after A",
    ),
    row(
        "at_least_once",
        2,
        2,
        "from, to: a loop with these bounds has an iteration",
    ),
    row(
        "has_margin",
        4,
        4,
        "i, from, to, A: the bounds of the loop, and how far they are apart, stay 2^24 away from the ends of i's type",
    ),
    row(
        "only_access",
        1,
        ANY,
        "cell, A…: nothing in the operators reaches the cell or changes its subscripts",
    ),
    row("unused", 1, ANY, "x, A…: the name does not occur in them"),
    row("free_of", 1, ANY, "x, e…: the name does not occur in them"),
    row(
        "never_assigned",
        1,
        ANY,
        "x, A…: nothing in them assigns it",
    ),
    row(
        "only_added",
        2,
        2,
        "x, A: all that A does with x, of REALs or VECTORs, is to add to it or subtract from it",
    ),
    row(
        "same_type",
        2,
        2,
        "two variables or cells have the same type",
    ),
    row(
        "no_locals",
        0,
        ANY,
        "A…: none of them declares what others after it could use",
    ),
    row("launches", 1, 1, "there is a launch in A"),
    row(
        "recordable",
        1,
        1,
        "A: it only launches, and all its launches are the same whenever it is met here",
    ),
    row(
        "device_wait",
        1,
        1,
        "u: no CONTROL POINT has this name, so that WAIT u waits for the device",
    ),
    row(
        "asynchronous",
        0,
        ANY,
        "A…: only launches, copies, room on the device and LOCALs, in loops and choices; no WAIT",
    ),
    row(
        "memory_unplaced",
        0,
        0,
        "the scheme places no memory of the device",
    ),
    row(
        "memory_consistent",
        0,
        0,
        "every copy is made from a side that is up to date, and every use finds it so",
    ),
    row(
        "both_up_to_date",
        1,
        1,
        "x: host and device hold the array's values before this place, on every way",
    ),
    row(
        "needs_memory",
        2,
        2,
        "x, A: launches in A reach the array, and it has no memory on the device",
    ),
    row("is_sequence", 1, 1, "it is a sequence"),
    row(
        "only_sums",
        2,
        ANY,
        "A, i…: A only adds to cells x[i] that it does not read otherwise",
    ),
    row(
        "only_scalar_sums",
        1,
        1,
        "A: it only adds to scalars of outside that it does not read otherwise",
    ),
    row(
        "writes_scalars",
        1,
        1,
        "A: of what is declared outside, it writes scalars only",
    ),
    row(
        "summed_from_zero",
        1,
        ANY,
        "A, B…: the scalars of outside that A writes are LOCALs among the operators B, which start at 0 there and are not reached otherwise",
    ),
    row(
        "only_locals",
        0,
        ANY,
        "A…: each of the operators is a LOCAL",
    ),
    row(
        "exchangeable",
        3,
        3,
        "i, j, A: with i and j exchanged, A adds the same but for rounding and the order of sums",
    ),
    row(
        "symmetric",
        1,
        1,
        "x: it is a table of DATA whose two subscripts may be exchanged",
    ),
    row(
        "ordered",
        2,
        2,
        "p, q: p stands before q in the order of expressions",
    ),
    row(
        "is_real",
        1,
        ANY,
        "e…: they are REALs of one type, no vectors",
    ),
    row(
        "is_scaled",
        3,
        3,
        "k, v, w: k is a number and v, w are vectors of its kind",
    ),
    row(
        "is_component",
        2,
        2,
        "v, a: a is of the type of v's components",
    ),
    row("is_integer32", 1, 1, "i: it is an INTEGER"),
    row("is_float", 1, ANY, "e…: they are REALs or vectors"),
    row(
        "is_cell",
        1,
        1,
        "e: it is a cell of an array, or a component of one",
    ),
    row("positive", 1, 1, "e: it is above 0, or not a number"),
    row("nonnegative", 1, 1, "e: it is not below 0, or not a number"),
    row(
        "skips_equal",
        3,
        3,
        "i, j, A: A does nothing where i and j are equal",
    ),
    row("occurs", 2, ANY, "e, A…: the expression occurs in them"),
    row(
        "repeatable",
        1,
        1,
        "A: it may stand several times, with LOCALs: it is not RECORDED, and no CONTROL POINT, TIMED or SHARED in it, no WAIT for such a point, and no phrase without meaning",
    ),
    row("loops", 1, 1, "there is a loop in A"),
    row(
        "crowded",
        1,
        1,
        "the LOCALs of REALs and vectors of A that a loop in A reaches take more than 40 bytes",
    ),
    row(
        "inside_independent",
        0,
        0,
        "the place is in a FOR loop none of whose iterations reaches a cell that another one writes",
    ),
    row(
        "is_value",
        0,
        0,
        "the expression at the place is read, and not assigned",
    ),
    row(
        "at_registers",
        2,
        2,
        "i, A: i occurs in a subscript of REGISTERS in A",
    ),
    row(
        "filled",
        0,
        ANY,
        "x…: each cell of the arrays has a value before this place, on every way",
    ),
    row(
        "is_size",
        1,
        ANY,
        "n…: each is a number, or the size of an array of DATA, or the larger of such a one and 0",
    ),
    row("is_local", 1, 1, "x: it is the name of a LOCAL"),
    row("is_vector", 1, 1, "e: it is a vector"),
    row(
        "is_plainly_real",
        0,
        ANY,
        "e…: they are REALs wherever they stand: no literals, and of no other type",
    ),
    row(
        "keeps_components",
        2,
        2,
        "v, e: each component of e is made from the same component of v, or from none",
    ),
    row(
        "by_components",
        1,
        ANY,
        "v, A…: the operators only read the vector, assign components of it, or pass it round a warp",
    ),
];
