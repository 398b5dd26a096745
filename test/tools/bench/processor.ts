import { readdirSync, readFileSync } from "node:fs";

const TICK_MILLISECONDS = 10;

/**
 * The processor's milliseconds that the servers of this process have used so far: what a request costs there says more
 * than a clock on a machine that others work on, too. Undefined where the system does not tell (it needs /proc).
 */
export function serverMilliseconds(): number | undefined {
  try {
    return descendants(process.pid)
      .map(usedTicks)
      .reduce((sum, ticks) => sum + ticks * TICK_MILLISECONDS, 0);
  } catch {
    return undefined;
  }
}

function descendants(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
  return children.flatMap((child) => [child, ...descendants(child)]);
}

// The name of a process may hold spaces and ends with the last bracket; user and system time come as the 12th and 13th
// after it.
function usedTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}
