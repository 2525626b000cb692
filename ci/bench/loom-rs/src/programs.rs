//! The programs, in the same steps as those of `../versus`.

use crate::{ring, Body, Outcome};
use loom::sync::atomic::{AtomicU32, Ordering::SeqCst};
use loom::sync::Mutex;
use loom::thread;
use std::sync::Arc;

/// find returns the program of that name.
pub fn find(name: &str) -> Option<Body> {
    if let Some(text) = name.strip_prefix("ring:") {
        return ring::Scenario::parse(text).map(ring::body);
    }
    Some(match name {
        "rmw(1)" => Arc::new(|| rmw(1)),
        "rmw(2)" => Arc::new(|| rmw(2)),
        "rmw(3)" => Arc::new(|| rmw(3)),
        "SB" => Arc::new(sb),
        "MP" => Arc::new(mp),
        "IRIW" => Arc::new(iriw),
        "readers(2)" => Arc::new(|| readers(2)),
        "readers(3)" => Arc::new(|| readers(3)),
        "lastzero(2)" => Arc::new(|| lastzero(2)),
        "lastzero(3)" => Arc::new(|| lastzero(3)),
        "lockinc(2)" => Arc::new(|| lockinc(2)),
        "lockinc(3)" => Arc::new(|| lockinc(3)),
        "late store" => Arc::new(late_store),
        "late cas" => Arc::new(late_cas),
        _ => return None,
    })
}

/// A word that threads share. It is shared by the standard Arc: the counts of
/// loom's own would be steps.
type Word = Arc<AtomicU32>;

fn word() -> Word {
    Arc::new(AtomicU32::new(0))
}

/// A thread of a program. It returns what it has read.
pub type Thread = Box<dyn FnOnce() -> Outcome + Send>;

/// all runs the threads and packs what they return, width bits each.
pub fn all(width: usize, threads: Vec<Thread>) -> Outcome {
    let handles: Vec<_> = threads.into_iter().map(thread::spawn).collect();
    handles.into_iter().fold(0, |out, h| out << width | h.join().unwrap())
}

fn load(x: &Word) -> Outcome {
    Outcome::from(x.load(SeqCst))
}

/// rmw: three threads add 1 four times each, to the words in turn.
fn rmw(words: usize) -> Outcome {
    let x: Vec<Word> = (0..words).map(|_| word()).collect();
    let thread = || -> Thread {
        let x = x.clone();
        Box::new(move || {
            let mut out = 0;
            for i in 0..4 {
                out = out << 4 | Outcome::from(x[i % words].fetch_add(1, SeqCst));
            }
            out
        })
    };
    all(16, vec![thread(), thread(), thread()])
}

fn sb() -> Outcome {
    let (x, y) = (word(), word());
    let (x1, y1) = (x.clone(), y.clone());
    all(
        1,
        vec![
            Box::new(move || {
                x.store(1, SeqCst);
                load(&y)
            }),
            Box::new(move || {
                y1.store(1, SeqCst);
                load(&x1)
            }),
        ],
    )
}

fn mp() -> Outcome {
    let (x, y) = (word(), word());
    let (x1, y1) = (x.clone(), y.clone());
    all(
        2,
        vec![
            Box::new(move || {
                x.store(1, SeqCst);
                y.store(1, SeqCst);
                0
            }),
            Box::new(move || {
                let a = load(&y1);
                a << 1 | load(&x1)
            }),
        ],
    )
}

fn iriw() -> Outcome {
    let (x, y) = (word(), word());
    let (x1, y1, x2, y2) = (x.clone(), y.clone(), x.clone(), y.clone());
    all(
        2,
        vec![
            Box::new(move || {
                x.store(1, SeqCst);
                0
            }),
            Box::new(move || {
                y.store(1, SeqCst);
                0
            }),
            Box::new(move || {
                let a = load(&x1);
                a << 1 | load(&y1)
            }),
            Box::new(move || {
                let a = load(&y2);
                a << 1 | load(&x2)
            }),
        ],
    )
}

fn readers(n: usize) -> Outcome {
    let x = word();
    let w = x.clone();
    let mut threads: Vec<Thread> = vec![Box::new(move || {
        w.store(42, SeqCst);
        0
    })];
    for _ in 0..n {
        let r = x.clone();
        threads.push(Box::new(move || load(&r)));
    }
    all(8, threads)
}

fn lastzero(n: usize) -> Outcome {
    let a: Vec<Word> = (0..=n).map(|_| word()).collect();
    let r = a.clone();
    let mut threads: Vec<Thread> = vec![Box::new(move || {
        let mut i = n;
        while r[i].load(SeqCst) != 0 {
            i -= 1;
        }
        i as Outcome
    })];
    for j in 1..=n {
        let a = a.clone();
        threads.push(Box::new(move || {
            let v = a[j - 1].load(SeqCst) + 1;
            a[j].store(v, SeqCst);
            Outcome::from(v)
        }));
    }
    all(4, threads)
}

fn lockinc(n: usize) -> Outcome {
    let mu = Arc::new(Mutex::new(()));
    let x = word();
    let thread = || -> Thread {
        let (mu, x) = (mu.clone(), x.clone());
        Box::new(move || {
            let _held = mu.lock().unwrap();
            let v = x.load(SeqCst);
            x.store(v + 1, SeqCst);
            Outcome::from(v)
        })
    };
    all(4, (0..n).map(|_| thread()).collect())
}

/// late_store: the second thread stores after a load of its own, which hides
/// the first thread's load from a search that looks at the last access only.
fn late_store() -> Outcome {
    let x = word();
    let x1 = x.clone();
    all(
        1,
        vec![
            Box::new(move || load(&x)),
            Box::new(move || {
                let v = load(&x1);
                x1.store(1, SeqCst);
                v
            }),
        ],
    )
}

fn late_cas() -> Outcome {
    let x = word();
    let x1 = x.clone();
    all(
        1,
        vec![
            Box::new(move || load(&x)),
            Box::new(move || {
                let v = load(&x1);
                let _ = x1.compare_exchange(0, 1, SeqCst, SeqCst);
                v
            }),
        ],
    )
}
