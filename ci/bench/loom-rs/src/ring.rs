//! filch's ring (queue/ring.go and queue/steal.go) in the same atomic steps, and
//! scenarios that run on it.

use crate::programs::{all, Thread};
use crate::{Body, Outcome};
use loom::cell::UnsafeCell;
use loom::sync::atomic::Ordering::{AcqRel, Acquire, Release};
use loom::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::Arc;

/// A task is a number from 1 on; 0 is none.
type Task = u32;

struct Ring {
    slots: Vec<UnsafeCell<Task>>,
    mask: u32,
    /// steal above real.
    head: AtomicU64,
    tail: AtomicU32,
}

// Slots belong to the owner or to a thief as queue.Ring says; loom checks it.
unsafe impl Sync for Ring {}

fn pack(steal: u32, real: u32) -> u64 {
    u64::from(steal) << 32 | u64::from(real)
}

fn unpack(head: u64) -> (u32, u32) {
    ((head >> 32) as u32, head as u32)
}

/// What StealInto did.
enum Steal {
    Stole(Task, u32),
    Empty,
    Busy,
    NoRoom,
}

impl Ring {
    /// new is NewRing, which stores the first index as two steps.
    fn new(capacity: u32, start: u32) -> Ring {
        let r = Ring {
            slots: (0..capacity).map(|_| UnsafeCell::new(0)).collect(),
            mask: capacity - 1,
            head: AtomicU64::new(0),
            tail: AtomicU32::new(0),
        };
        r.head.store(pack(start, start), Release);
        r.tail.store(start, Release);
        r
    }

    fn capacity(&self) -> u32 {
        self.mask + 1
    }

    fn put(&self, i: u32, v: Task) {
        self.slots[(i & self.mask) as usize].with_mut(|p| unsafe { *p = v })
    }

    fn take(&self, i: u32) -> Task {
        self.slots[(i & self.mask) as usize].with_mut(|p| unsafe { std::mem::take(&mut *p) })
    }

    /// claim is Stealer.claim: first index and count.
    fn claim(&self) -> Result<(u32, u32), Steal> {
        loop {
            let h = self.head.load(Acquire);
            let (steal, real) = unpack(h);
            if steal != real {
                return Err(Steal::Busy);
            }
            let tail = self.tail.load(Acquire);
            let visible = tail.wrapping_sub(real);
            let count = visible - visible / 2;
            if count == 0 {
                return Err(Steal::Empty);
            }
            if count > self.capacity() / 2 {
                continue;
            }
            let to = pack(steal, real.wrapping_add(count));
            if self.head.compare_exchange(h, to, AcqRel, Acquire).is_ok() {
                return Ok((real, count));
            }
        }
    }

    fn release(&self, steal: u32, mut real: u32) {
        while self.head.compare_exchange(pack(steal, real), pack(real, real), AcqRel, Acquire).is_err() {
            real = unpack(self.head.load(Acquire)).1;
        }
    }
}

/// The owner's side of a ring, with its own copy of tail.
struct Owner {
    ring: Arc<Ring>,
    next: u32,
}

impl Owner {
    /// push is Ring.Push as long as there is room.
    fn push(&mut self, v: Task) {
        let r = &self.ring;
        let (steal, _) = unpack(r.head.load(Acquire));
        assert!(self.next.wrapping_sub(steal) < r.capacity(), "push into a full ring");
        r.put(self.next, v);
        self.next = self.next.wrapping_add(1);
        r.tail.store(self.next, Release);
    }

    fn pop(&mut self) -> Option<Task> {
        let r = &self.ring;
        loop {
            let h = r.head.load(Acquire);
            let (steal, real) = unpack(h);
            if real == self.next {
                return None;
            }
            let after = real.wrapping_add(1);
            let to = if steal != real { pack(steal, after) } else { pack(after, after) };
            if r.head.compare_exchange(h, to, AcqRel, Acquire).is_ok() {
                return Some(r.take(real));
            }
        }
    }

    /// steal_from is Stealer.StealInto with this ring as the destination.
    fn steal_from(&mut self, src: &Ring) -> Steal {
        let dst = &self.ring;
        let (taken, _) = unpack(dst.head.load(Acquire));
        if self.next.wrapping_sub(taken) > dst.capacity() / 2 {
            return Steal::NoRoom;
        }
        let (first, count) = match src.claim() {
            Ok(claimed) => claimed,
            Err(why) => return why,
        };
        for i in 0..count - 1 {
            dst.put(self.next.wrapping_add(i), src.take(first.wrapping_add(i)));
        }
        let v = src.take(first.wrapping_add(count - 1));
        src.release(first, first.wrapping_add(count));
        if count > 1 {
            self.next = self.next.wrapping_add(count - 1);
            dst.tail.store(self.next, Release);
        }
        Steal::Stole(v, count)
    }
}

#[derive(Clone, Copy)]
enum Op {
    Push(Task),
    Pop,
    Steal(usize),
}

impl Op {
    fn parse(text: &str) -> Option<Op> {
        Some(match text.split_at_checked(1)? {
            ("+", task) => Op::Push(task.parse().ok()?),
            ("-", "") => Op::Pop,
            ("s", ring) => Op::Steal(ring.parse().ok()?),
            _ => return None,
        })
    }

    /// run does the operation and returns its result in a byte.
    fn run(self, own: &mut Owner, rings: &[Arc<Ring>]) -> Outcome {
        match self {
            Op::Push(v) => {
                own.push(v);
                0
            }
            Op::Pop => own.pop().map_or(0, Outcome::from),
            Op::Steal(on) => match own.steal_from(&rings[on]) {
                Steal::Empty => 0,
                Steal::Busy => 0x10,
                Steal::NoRoom => 0x20,
                Steal::Stole(v, n) => Outcome::from(0x40 | n << 4 | v),
            },
        }
    }
}

/// A scenario: CAPACITY/START/THREAD/THREAD... with a ring for each thread, and
/// each thread SETUP:OPS, operations separated by commas: +7 pushes task 7, -
/// pops, s0 steals from the ring of thread 0.
pub struct Scenario {
    capacity: u32,
    start: u32,
    threads: Vec<(Vec<Op>, Vec<Op>)>,
}

impl Scenario {
    pub fn parse(text: &str) -> Option<Scenario> {
        let mut parts = text.split('/');
        let capacity = parts.next()?.parse().ok()?;
        let start = parts.next()?.parse().ok()?;
        let ops = |s: &str| s.split(',').filter(|o| !o.is_empty()).map(Op::parse).collect::<Option<Vec<Op>>>();
        let threads = parts
            .map(|p| {
                let (setup, own) = p.split_once(':')?;
                Some((ops(setup)?, ops(own)?))
            })
            .collect::<Option<Vec<_>>>()?;
        Some(Scenario { capacity, start, threads })
    }
}

/// body runs the scenario, and at the end takes out what is left: no task may be
/// lost or come twice.
pub fn body(s: Scenario) -> Body {
    Arc::new(move || run(&s))
}

fn run(s: &Scenario) -> Outcome {
    let rings: Arc<Vec<_>> = Arc::new(s.threads.iter().map(|_| Arc::new(Ring::new(s.capacity, s.start))).collect());
    let mut owners: Vec<_> = rings.iter().map(|r| Owner { ring: r.clone(), next: s.start }).collect();
    let mut tasks = 0;
    for (own, (setup, ops)) in owners.iter_mut().zip(&s.threads) {
        for op in setup {
            op.run(own, &rings);
        }
        tasks += setup.iter().chain(ops).filter(|o| matches!(o, Op::Push(_))).count();
    }
    let width = 8 * s.threads.iter().map(|(_, ops)| ops.len()).max().unwrap_or(0);
    let ended: Arc<std::sync::Mutex<Vec<Owner>>> = Default::default();
    let threads = owners.into_iter().zip(&s.threads).map(|(mut own, (_, ops))| {
        let (rings, ops, ended) = (rings.clone(), ops.clone(), ended.clone());
        Box::new(move || {
            let mut out = 0;
            for op in ops {
                out = out << 8 | op.run(&mut own, &rings);
            }
            ended.lock().unwrap().push(own);
            out
        }) as Thread
    });
    let out = all(width, threads.collect());
    check(out, tasks, &mut ended.lock().unwrap());
    out
}

/// check takes out what is left and counts every task, those in results too.
fn check(out: Outcome, tasks: usize, owners: &mut [Owner]) {
    let mut seen = 0u64;
    let mut see = |v: Task| {
        assert!(v > 0 && seen & 1 << v == 0, "NoDuplicateTask: task {v} came twice, or there is none");
        seen |= 1 << v;
    };
    for byte in out.to_le_bytes() {
        if byte & 0xf != 0 {
            see(Task::from(byte & 0xf));
        }
    }
    for own in owners {
        while let Some(v) = own.pop() {
            see(v);
        }
    }
    assert!(seen.count_ones() as usize == tasks, "NoLostTask: {} of {tasks} tasks came out", seen.count_ones());
}
