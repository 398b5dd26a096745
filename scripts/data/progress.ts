const WIDTH = 24;

/** A bar for each table on a terminal; elsewhere a line once it is done. */
export function showProgress(table: string, done: number, total: number): void {
  const isDone = done >= total;
  if (process.stdout.isTTY) {
    const filled = total === 0 ? WIDTH : Math.round((done / total) * WIDTH);
    process.stdout.write(
      `\r${table.padEnd(24)} ${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} ${done}/${total}${isDone ? "\n" : ""}`,
    );
  } else if (isDone) {
    console.log(`${table}: ${total}`);
  }
}
