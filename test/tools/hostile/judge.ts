/** What the judged account's searches took, milliseconds. */
export interface Measured {
  readonly p99: number;
  readonly failed: number;
  readonly answered: number;
}

/** What became of one kind of attack: how often each status was answered, `cut` where the connection was closed. */
export type Outcome = Readonly<Record<string, number>>;

/** A run: the same searches before, under and after the attacks. */
export interface Run {
  readonly before: Measured;
  readonly under: Measured;
  readonly after: Measured;
  readonly attacks: Readonly<Record<string, Outcome>>;
}

export interface Verdict {
  readonly is: "within" | "beyond" | "not judged";
  readonly reasons: readonly string[];
}

const MAX_SLOWDOWN_FACTOR = 2;
/** Below this, milliseconds, nobody waits: a p99 of 3 instead of 1 shows the machine's scheduler, not the platform. */
export const FLOOR_MILLISECONDS = 50;
/** By more than this share the two quiet figures differ on a machine that is busy: both have to say the same then. */
const QUIET_DIFFERENCE = 0.15;

/** Whether one account's searches are as quick as promised while another account is attacked, and why not. */
export function evaluateRun(run: Run): Verdict {
  const attacks = Object.entries(run.attacks);
  const faults = [
    ...findSearchFaults(run),
    ...(attacks.length === 0 ? ["nobody attacked"] : []),
    ...attacks.flatMap(findAttackFaults),
  ];
  if (faults.length > 0) return { is: "beyond", reasons: faults };
  const [quieter, louder] = [run.before.p99, run.after.p99].toSorted((value, other) => value - other) as [
    number,
    number,
  ];
  const within = (quiet: number) => run.under.p99 <= allowedBy(quiet);
  const latencySummary = `p99 under attack ${run.under.p99} ms, ${allowedBy(quieter)} ms allowed`;
  const difference = (louder - quieter) / louder;
  if (difference > QUIET_DIFFERENCE && within(quieter) !== within(louder)) {
    const percent = Math.round(difference * 100);
    const busy = `the machine was busy: quiet before and quiet after differ by ${percent} % (${quieter} and ${louder} ms)`;
    return { is: "not judged", reasons: [busy, latencySummary] };
  }
  return { is: within(quieter) ? "within" : "beyond", reasons: [latencySummary] };
}

function allowedBy(quiet: number): number {
  return Math.max(MAX_SLOWDOWN_FACTOR * quiet, FLOOR_MILLISECONDS);
}

// However busy the machine is, a search is answered.
function findSearchFaults({ before, under, after }: Run): readonly string[] {
  return Object.entries({ before, under, after }).flatMap(([when, { failed, answered }]) => [
    ...(failed > 0 ? [`${when}: ${failed} searches were not answered well`] : []),
    ...(answered === 0 ? [`${when}: no search was answered`] : []),
  ]);
}

// An attack that never arrived, or that succeeded, shows nothing.
function findAttackFaults([name, outcome]: readonly [string, Outcome]): readonly string[] {
  const defects = Object.entries(outcome).filter(([status]) => /^[125]/.test(status));
  const isSent = Object.values(outcome).some((count) => count > 0);
  return [
    ...(isSent ? [] : [`${name}: was never answered`]),
    ...defects.map(([status, count]) => `${name}: ${count} answers of ${status}`),
  ];
}
