/** Search durations of the measured account, in ms. */
export interface MeasuredLoad {
  readonly p99: number;
  readonly failed: number;
  readonly answered: number;
}

/** Result of one kind of attack: count by status, `cut` if the connection was closed. */
export type AnswerCounts = Readonly<Record<string, number>>;

/** A run with equal searches before, during and after the attacks. */
export interface HostileRun {
  readonly before: MeasuredLoad;
  readonly duringAttack: MeasuredLoad;
  readonly after: MeasuredLoad;
  readonly attacks: Readonly<Record<string, AnswerCounts>>;
  /** Largest live memory of each isolate under attack, in bytes, without garbage. Zero if it couldn't be read. */
  readonly memory: Readonly<Record<string, number>>;
}

export interface HostileRunVerdict {
  readonly result: "within" | "beyond" | "not judged";
  readonly reasons: readonly string[];
}

const MAX_SLOWDOWN_FACTOR = 2;
/** An isolate ends at 128 MB. */
const MAX_MEMORY_BYTES = 100_000_000;
/** Durations below this, in ms, aren't noticeable. A p99 of 3 instead of 1 is caused by the machine's scheduler. */
export const NOTICEABLE_MILLISECONDS = 50;
/**
 * If the two quiet measurements differ by more than this share, the machine is busy and both must agree in the result.
 */
const QUIET_DIFFERENCE = 0.15;

/**
 * Evaluates whether one account's searches stay within the promised time while another is attacked. Returns the reasons
 * if not.
 */
export function evaluateHostileRun(run: HostileRun): HostileRunVerdict {
  const attacks = Object.entries(run.attacks);
  const faults = [
    ...findSearchFaults(run),
    ...(attacks.length === 0 ? ["nobody attacked"] : []),
    ...attacks.flatMap(findAttackFaults),
    ...findMemoryFaults(run),
  ];
  if (faults.length > 0) return { result: "beyond", reasons: faults };
  const [quieter, louder] = [run.before.p99, run.after.p99].toSorted((value, other) => value - other) as [
    number,
    number,
  ];
  const within = (quiet: number) => run.duringAttack.p99 <= allowedBy(quiet);
  const latencySummary = `p99 under attack ${run.duringAttack.p99} ms, twice the quiet one is ${MAX_SLOWDOWN_FACTOR * quieter} ms, ${allowedBy(quieter)} ms allowed`;
  const difference = (louder - quieter) / louder;
  if (difference > QUIET_DIFFERENCE && within(quieter) !== within(louder)) {
    const percent = Math.round(difference * 100);
    const busy = `the machine was busy: quiet before and quiet after differ by ${percent} % (${quieter} and ${louder} ms)`;
    return { result: "not judged", reasons: [busy, latencySummary] };
  }
  return { result: within(quieter) ? "within" : "beyond", reasons: [latencySummary] };
}

function allowedBy(quiet: number): number {
  return Math.max(MAX_SLOWDOWN_FACTOR * quiet, NOTICEABLE_MILLISECONDS);
}

function findMemoryFaults({ memory }: HostileRun): readonly string[] {
  const workers = Object.entries(memory);
  if (workers.length === 0) return ["no memory was read"];
  const unread = workers.filter(([, bytes]) => bytes === 0).map(([worker]) => `${worker}'s memory couldn't be read`);
  const large = workers
    .filter(([, bytes]) => bytes > MAX_MEMORY_BYTES)
    .map(
      ([worker, bytes]) =>
        `${worker} used ${formatMegabytes(bytes)}, the limit is ${formatMegabytes(MAX_MEMORY_BYTES)}`,
    );
  return [...unread, ...large];
}

/** Formats bytes as whole megabytes. */
export function formatMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

// Searches must be answered, however busy the machine is.
function findSearchFaults({ before, duringAttack, after }: HostileRun): readonly string[] {
  return Object.entries({ before, under: duringAttack, after }).flatMap(([when, { failed, answered }]) => [
    ...(failed > 0 ? [`${when}: ${failed} searches were not answered well`] : []),
    ...(answered === 0 ? [`${when}: no search was answered`] : []),
  ]);
}

// An attack that never arrived or that succeeded proves nothing.
function findAttackFaults([name, outcome]: readonly [string, AnswerCounts]): readonly string[] {
  const defects = Object.entries(outcome).filter(([status]) => /^[125]/.test(status));
  const isSent = Object.values(outcome).some((count) => count > 0);
  return [
    ...(isSent ? [] : [`${name}: was never answered`]),
    ...defects.map(([status, count]) => `${name}: ${count} answers of ${status}`),
  ];
}
