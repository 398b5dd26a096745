import { readdirSync, readFileSync } from "node:fs";

const TICK_MILLISECONDS = 10;

/**
 * Returns the CPU time of this process's servers in ms, which on a shared machine is more reliable than elapsed time.
 * Undefined without /proc.
 */
export function readServerMilliseconds(): number | undefined {
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

// The process name may contain spaces and ends at the last parenthesis. User and system time are the 12th and 13th
// fields after it.
function usedTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}
