//! Room for deep recursion.

/// Bytes of stack for [`MAX_DEPTH`](super::MAX_DEPTH) levels; reserved, and touched only as deep as a term goes.
const STACK: usize = 4 << 30;

/// Runs recursive work on a thread whose stack holds [`MAX_DEPTH`](super::MAX_DEPTH) levels.
///
/// Panics of `work` go on in the caller. Where so large a stack cannot be reserved, a smaller
/// one is tried.
pub fn with_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let mut work = Some(work);
    let mut size = STACK;
    loop {
        let slot = &mut work;
        let done = std::thread::scope(|scope| {
            let spawned = std::thread::Builder::new()
                .name("glushkov".into())
                .stack_size(size)
                .spawn_scoped(scope, move || slot.take().map(|work| work()));
            match spawned {
                Ok(handle) => match handle.join() {
                    Ok(value) => value,
                    Err(panic) => std::panic::resume_unwind(panic),
                },
                Err(_) => None,
            }
        });
        match (done, work.take()) {
            (Some(value), _) => return value,
            (None, Some(again)) if size > 8 << 20 => {
                work = Some(again);
                size /= 2;
            }
            (None, Some(again)) => return again(),
            (None, None) => unreachable!("work was taken but gave no value"),
        }
    }
}
