/** Does one step of a command and prints its title, what it answered, and how long it took. */
export async function step<T>(
  title: string,
  action: () => Promise<T>,
  summarize: (result: T) => string = () => "",
): Promise<T> {
  const start = performance.now();
  const result = await action();
  const summary = summarize(result);
  console.log(`${title}${summary === "" ? "" : `: ${summary}`} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  return result;
}

/** Why an account cannot be described, in one line. */
export function unreadable(error: unknown): string {
  return error instanceof Error ? `cannot be read: ${error.message.split("\n")[0]}` : "cannot be read";
}

/** Prints a failure without the stack of the scripts and sets exit code 1. */
export function reportFailure(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
