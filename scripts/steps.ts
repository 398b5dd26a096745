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

/** What an error says, or what was thrown in the place of one. */
export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A migration that a database refused, by its file: no fault of a database that has not come so far. */
export class MigrationRefused extends Error {
  constructor(file: string, cause: unknown) {
    super(`${file}: ${getErrorMessage(cause)}`, { cause });
  }
}

/** Why an account cannot be described, in one line. */
export function describeAccountError(error: unknown): string {
  return error instanceof Error ? `cannot be read: ${formatErrorSentence(error).split("\n")[0]}` : "cannot be read";
}

/** Prints a failure without the stack of the scripts; sets and answers the exit code. */
export function reportFailure(error: unknown, exitCode = 1): number {
  console.error(error instanceof Error ? formatErrorSentence(error) : error);
  process.exitCode = exitCode;
  return exitCode;
}

// A database that has not come as far as these files is no fault of it: what brings it there is said.
function formatErrorSentence({ message, cause }: Error): string {
  if (cause instanceof MigrationRefused || !/no such table|no such column|has no column named/.test(message))
    return message;
  return `this account waits for migrations: npm run migrate -- --apply, or npm start for those of this machine (${message})`;
}
