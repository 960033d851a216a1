// Derives from a Chromium trace how smooth the page would be on a phone several times slower.
//
// A person misses a frame when the screen refreshes while the page has something to draw and the main thread is not
// done with it. So the tasks of the trace are scheduled again as the slower phone would run them: each takes its own
// processor time multiplied by the slowdown, begins when it began here or when the thread is free, and a frame is drawn
// at the next refresh after it was requested. Every refresh that passes before the frame is drawn counts as held.
// Motion on the compositor alone needs no main thread and holds nothing; tasks between two frames count only where they
// delay one.

export const FRAME_MS = 1000 / 60;

/** Events that request a frame, and those that draw it. */
const WANTED = ['LocalFrameView::ScheduleAnimation', 'RequestMainThreadFrame', 'ScheduleStyleRecalculation'];
const DRAWN = 'ProxyMain::BeginMainFrame';
const DONE = 'ProxyMain::BeginMainFrame::commit';

/** Returns the events of the page's main thread, in order; `alone` is the processor time outside nested events. */
export function mainThread(traceEvents) {
  const commit = traceEvents.find(({ name }) => name === 'Commit');
  if (!commit) throw new Error('nothing was drawn while this was traced');
  const mine = traceEvents.filter(({ pid, tid }) => pid === commit.pid && tid === commit.tid);
  const own = mine.filter(({ ph, tdur }) => ph === 'X' && tdur !== undefined);
  own.sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const around = [];
  for (const event of own) {
    while (around.length && around.at(-1).ts + around.at(-1).dur <= event.ts) around.pop();
    event.alone = event.tdur;
    event.task = around[0] ?? event;
    if (around.length) around.at(-1).alone -= event.tdur;
    around.push(event);
  }
  return { own, marks: mine.filter(({ ph }) => ph === 'I' || ph === 'i'), pid: commit.pid };
}

/**
 * Returns the tasks of the thread: how long each computes, whether it draws a frame, and when that frame was requested
 * (`wanted`: the task that requested it, and how much of that task had been computed by then).
 */
export function tasksOf({ own, marks }) {
  const tasks = own
    .filter((event) => event.task === event)
    .map((event) => ({ at: event.ts / 1000, work: event.tdur / 1000, from: event, draws: false, wanted: null }));
  const byEvent = new Map(tasks.map((task) => [task.from, task]));
  const inside = (event) => tasks.findLast(({ from }) => from.ts <= event.ts && event.ts <= from.ts + from.dur);
  const asks = [...own, ...marks]
    .filter(({ name }) => WANTED.includes(name))
    .map((event) => ({ ts: event.ts, task: inside(event), done: event.tts }))
    .filter(({ task }) => task)
    .sort((a, b) => a.ts - b.ts);
  const drawn = own.filter(({ name }) => name === DRAWN);
  const ends = own.filter(({ name }) => name === DONE);
  let last = -Infinity;
  for (const event of drawn) {
    const task = byEvent.get(event.task);
    if (!task) continue;
    const ask = asks.find(({ ts }) => ts > last && ts < event.ts);
    last = event.ts;
    // A frame in which nothing had changed is not drawn.
    task.draws = ends.some(({ ts }) => ts >= event.ts && ts <= event.ts + event.dur);
    task.frame = true;
    if (ask)
      task.wanted = {
        task: ask.task,
        after: Math.max(0, ((ask.done ?? ask.task.from.tts) - ask.task.from.tts) / 1000),
      };
  }
  return tasks;
}

/**
 * Returns the refreshes with something to draw on a machine `slower` times slower, and those of them that were held.
 * `phase` is the time of the first refresh.
 */
export function refreshes(tasks, slower, phase = 0) {
  const begun = new Map();
  const wait = tasks.filter(({ frame }) => !frame);
  const draw = tasks.filter(({ frame }) => frame);
  const start = tasks[0]?.at ?? 0;
  const tick = (ms) => Math.ceil((ms - start - phase) / FRAME_MS - 1e-9);
  const when = (at) => start + phase + at * FRAME_MS;
  const due = (task) => {
    if (!task) return Infinity;
    const from = task.wanted && begun.get(task.wanted.task);
    if (task.wanted && from === undefined) return Infinity;
    return when(tick(task.wanted ? from + task.wanted.after * slower : task.at));
  };
  let free = start;
  const [wanted, held] = [new Set(), new Set()];
  const frames = [];
  while (wait.length || draw.length) {
    // A frame whose requesting task has not run yet lets that task go first.
    const drawAt = due(draw[0]);
    const next = wait.length && wait[0].at <= Math.max(free, drawAt) && !(drawAt <= free && draw[0].at < wait[0].at);
    const task = next || drawAt === Infinity ? (wait.shift() ?? draw.shift()) : draw.shift();
    const ready = task.frame ? (drawAt === Infinity ? free : drawAt) : task.at;
    const from = Math.max(free, ready);
    begun.set(task, from);
    free = from + task.work * slower;
    if (!task.draws) continue;
    const first = Math.round((ready - start - phase) / FRAME_MS);
    wanted.add(first);
    frames.push({ ms: free - ready, waited: from - ready, task });
    for (let at = first + 1; when(at) < free; at += 1) held.add(at);
  }
  // A refresh is held if an earlier frame was still not drawn then, whatever else was requested at it.
  const all = new Set([...wanted, ...held]);
  return { all: all.size, held: held.size, frames };
}

/**
 * Returns the share of refreshes in time, averaged over all phases of the refresh clock, and the longest time that one
 * was held.
 */
export function smoothness(tasks, slower, phases = 16) {
  let [all, held, longest] = [0, 0, 0];
  for (let at = 0; at < phases; at += 1) {
    const told = refreshes(tasks, slower, (at * FRAME_MS) / phases);
    all += told.all;
    held += told.held;
    longest = Math.max(longest, ...told.frames.map(({ ms }) => ms));
  }
  return { refreshes: all / phases, held: held / phases, share: 1 - held / all, longest };
}

/** Counts Chromium's own frame states: presented with all updates, with a part of them, or dropped. */
export function presented(traceEvents, pid) {
  const states = { all: 0, partial: 0, dropped: 0 };
  for (const { name, ph, pid: of, args } of traceEvents) {
    if (name !== 'PipelineReporter' || ph !== 'b' || of !== pid) continue;
    const { state } = args.frame_reporter ?? args.chrome_frame_reporter ?? {};
    if (state === 'STATE_PRESENTED_ALL') states.all += 1;
    if (state === 'STATE_PRESENTED_PARTIAL') states.partial += 1;
    if (state === 'STATE_DROPPED') states.dropped += 1;
  }
  return states;
}
