const WIDTH = 24;
/** Elapsed time before which an estimate is too unreliable to show. */
const FIRST_ESTIMATE_MS = 3000;
const EACH_MS = 10_000;
const SECOND = 1000;
const MINUTE = 60;

interface Watched {
  readonly table: string;
  readonly since: number;
  reportedAt: number;
}
let watched: Watched | undefined;

/** Estimates the remaining time of a table. Empty if it's too early. */
export function formatRemainingTime(doneRows: number, totalRows: number, elapsedMs: number): string {
  if (doneRows === 0 || doneRows >= totalRows || elapsedMs < FIRST_ESTIMATE_MS) return "";
  const seconds = Math.ceil((elapsedMs * (totalRows - doneRows)) / doneRows / SECOND);
  return seconds < 2 * MINUTE ? `about ${seconds} s left` : `about ${Math.ceil(seconds / MINUTE)} min left`;
}

/**
 * Shows a progress bar per table on a terminal. Otherwise prints a line when done, and for long tables every ten
 * seconds with the remaining time.
 */
export function showProgress(table: string, done: number, total: number): void {
  const now = performance.now();
  if (watched?.table !== table) watched = { table, since: now, reportedAt: now };
  const remainingText = formatRemainingTime(done, total, now - watched.since);
  const isFinished = done >= total;
  if (process.stdout.isTTY) {
    const filled = total === 0 ? WIDTH : Math.round((done / total) * WIDTH);
    const bar = `${"█".repeat(filled)}${"░".repeat(WIDTH - filled)}`;
    process.stdout.write(
      `\r${table.padEnd(24)} ${bar} ${done}/${total} ${remainingText.padEnd(20)}${isFinished ? "\n" : ""}`,
    );
  } else if (isFinished) {
    console.log(`${table}: ${total}`);
  } else if (remainingText !== "" && now - watched.reportedAt >= EACH_MS) {
    watched.reportedAt = now;
    console.log(`${table}: ${done} of ${total}, ${remainingText}`);
  }
}
