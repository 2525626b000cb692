//! Explores one program with Rust's loom and says what came of it.
//!
//!     loom-rs PROGRAM SECONDS
//!
//! PROGRAM is a name that `../versus` knows, SECONDS how long to go on: a search
//! that ends sooner is begun again, so that short programs are measured, too. One
//! line of JSON goes to standard output.
//!
//! Settings are loom's own defaults, which have no bound on preemptions; no program
//! reaches their limit of 1,000 branches in an execution. But the clock is looked
//! at every 64 executions, not every 20,000.

mod programs;
mod ring;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What an execution showed: the values that its threads read, packed.
pub type Outcome = u64;

/// A program to explore. It joins its threads.
pub type Body = Arc<dyn Fn() -> Outcome + Send + Sync>;

const INTERVAL: usize = 64;

/// The searches of one program.
#[derive(Default)]
struct Searches {
    /// Executions of the first search.
    first: u64,
    /// Whether the first search came to its end.
    finished: bool,
    /// Searches that did.
    complete: u64,
    /// Executions of all searches.
    executions: u64,
    /// Of all searches.
    seconds: f64,
    outcomes: BTreeSet<Outcome>,
    /// The message of a panic.
    failure: Option<String>,
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let usage = || -> ! {
        eprintln!("usage: loom-rs PROGRAM SECONDS");
        std::process::exit(2)
    };
    let [_, name, seconds] = &args[..] else { usage() };
    let Ok(seconds) = seconds.parse::<f64>() else { usage() };
    let Some(body) = programs::find(name) else {
        eprintln!("loom-rs: {name:?} is no program");
        std::process::exit(2)
    };
    let limit = Duration::from_secs_f64(seconds);
    let mut all = Searches::default();
    let begin = Instant::now();
    while all.failure.is_none() {
        let left = limit.saturating_sub(begin.elapsed());
        if left.is_zero() || !search(&body, left, &mut all) {
            break;
        }
    }
    print(&all);
}

/// search explores body once and reports whether that came to its end.
fn search(body: &Body, limit: Duration, all: &mut Searches) -> bool {
    let executions = Arc::new(AtomicU64::new(0));
    let outcomes = Arc::new(Mutex::new(BTreeSet::new()));
    let mut builder = loom::model::Builder::new();
    builder.checkpoint_interval = INTERVAL;
    builder.max_duration = Some(limit);
    let (b, n, o) = (body.clone(), executions.clone(), outcomes.clone());
    let begin = Instant::now();
    let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        builder.check(move || {
            n.fetch_add(1, Relaxed);
            let outcome = b();
            o.lock().unwrap().insert(outcome);
        })
    }));
    let took = begin.elapsed();
    let executions = executions.load(Relaxed);
    // Only a search that its time limit ends stops before a multiple of the
    // interval, and after the limit.
    let mut finished = took < limit || (executions as usize + 1) % INTERVAL != 0;
    if let Err(panic) = run {
        finished = false;
        all.failure = Some(message(&*panic));
    }
    if all.executions == 0 {
        (all.first, all.finished) = (executions, finished);
    }
    all.complete += u64::from(finished);
    all.executions += executions;
    all.seconds += took.as_secs_f64();
    all.outcomes.extend(outcomes.lock().unwrap_or_else(|e| e.into_inner()).iter());
    finished
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    if let Some(s) = panic.downcast_ref::<&str>() {
        return s.to_string();
    }
    panic.downcast_ref::<String>().cloned().unwrap_or_else(|| "a panic".into())
}

fn print(s: &Searches) {
    let outcomes: Vec<String> = s.outcomes.iter().map(|o| format!("\"{o:x}\"")).collect();
    println!(
        "{{\"first\":{},\"finished\":{},\"complete\":{},\"executions\":{},\"seconds\":{:.6},\"outcomes\":[{}],\"failure\":{:?}}}",
        s.first,
        s.finished,
        s.complete,
        s.executions,
        s.seconds,
        outcomes.join(","),
        s.failure.as_deref().unwrap_or(""),
    );
}
