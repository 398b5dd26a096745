import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { dirname } from "node:path";

/** The folder that holds package.json. */
export const projectRoot = dirname(import.meta.dirname);

interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Keeps what the process prints instead of showing it. */
  readonly quiet?: boolean;
}

interface Ended {
  readonly exitCode: number;
  /** What a quiet process printed, standard output and error together. */
  readonly output: string;
}

const running = new Set<ChildProcess>();

/** Runs a program of the project to its end; the exit code of a process ended by a signal is 128 plus its number. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const child = spawn(command, args, {
    cwd: projectRoot,
    env: { ...process.env, ...options.environment },
    stdio: options.quiet ? ["ignore", "pipe", "pipe"] : "inherit",
  });
  running.add(child);
  const printed: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => printed.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => printed.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      running.delete(child);
      resolve({ exitCode: code ?? 128 + signalNumber(signal), output: Buffer.concat(printed).toString() });
    });
  });
}

/** Like `run`, quietly; throws what the process printed when it fails. */
export async function runOrThrow(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { exitCode, output } = await run(command, args, { environment, quiet: true });
  if (exitCode !== 0) {
    throw new Error(`${command} ${args.slice(0, 3).join(" ")} failed (exit code ${exitCode}):\n${output.trim()}`);
  }
  return output;
}

/** wrangler's own launcher reports success when wrangler is killed, so it is started without the launcher. */
export function wrangler(...args: readonly string[]): readonly [command: string, args: readonly string[]] {
  return [process.execPath, ["--no-warnings", `${projectRoot}/node_modules/wrangler/wrangler-dist/cli.js`, ...args]];
}

/** Asks every process still running to end, and waits until all have. */
export async function endProcesses(): Promise<void> {
  const ends = [...running].map((child) => new Promise((resolve) => child.on("close", resolve)));
  for (const child of running) {
    child.kill("SIGTERM");
  }
  await Promise.all(ends);
}

/**
 * Ends this process and all it runs on a signal, or once the process that started it is gone.
 * One Ctrl-C arrives several times, from the terminal and from npm: the first decides, the others change nothing.
 */
export function endOnSignals(cleanUp: (signal: NodeJS.Signals) => Promise<number | undefined> = async () => undefined) {
  let ending = false;
  const end = async (signal: NodeJS.Signals) => {
    if (ending) {
      return;
    }
    ending = true;
    const exitCode = await cleanUp(signal);
    await endProcesses();
    process.exit(exitCode ?? 128 + signalNumber(signal));
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, end);
  }
  const starter = process.ppid;
  setInterval(() => process.ppid !== starter && end("SIGTERM"), 500).unref();
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 1 : constants.signals[signal];
}
