/** Runs a step of a command and prints its title, result and duration. */
export async function runStep<T>(
  title: string,
  action: () => Promise<T>,
  formatResult: (result: T) => string = () => "",
): Promise<T> {
  const start = performance.now();
  const result = await action();
  const summary = formatResult(result);
  console.log(`${title}${summary === "" ? "" : `: ${summary}`} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  return result;
}

/** Returns the message of an error, or any other thrown value as text. */
export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Error of a rejected migration, as opposed to a database with pending migrations. */
export class MigrationFailedError extends Error {
  constructor(file: string, cause: unknown) {
    super(`${file}: ${getErrorMessage(cause)}`, { cause });
  }
}

/** Describes in one line why an account can't be read. */
export function describeAccountError(error: unknown): string {
  return error instanceof Error ? `cannot be read: ${formatErrorSentence(error).split("\n")[0]}` : "cannot be read";
}

/** Prints that there is nothing to do. Returns whether that is so. */
export function reportNoAccounts(accounts: readonly unknown[], environment: string | undefined): boolean {
  if (accounts.length > 0) return false;
  const where = environment === undefined ? "wrangler.toml" : `[env.${environment}] of wrangler.toml`;
  console.log(`Nothing to do: ${where} binds no account. npm run account -- add <name> adds one.`);
  return true;
}

/** Prints an error without the scripts' stack trace. Sets and returns the exit code. */
export function reportFailure(error: unknown, exitCode = 1): number {
  console.error(error instanceof Error ? formatErrorSentence(error) : error);
  process.exitCode = exitCode;
  return exitCode;
}

const DISK_FULL = /ENOSPC|EDQUOT|no space left on device|database or disk is full|SQLITE_FULL/;

// If the disk is full or migrations are pending, explains what to do instead of reporting an error.
function formatErrorSentence({ message, cause }: Error): string {
  if (DISK_FULL.test(`${message} ${getErrorMessage(cause)}`))
    return `The disk is full, on this machine or of the database: free some space and run this again (${message})`;
  if (cause instanceof MigrationFailedError || !/no such table|no such column|has no column named/.test(message))
    return message;
  return `this account waits for migrations: npm run migrate -- --apply, or npm start for those of this machine (${message})`;
}
