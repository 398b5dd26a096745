import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";

/** The folder that holds package.json. */
export const projectRoot = dirname(import.meta.dirname);

interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Keeps what the process prints instead of showing it. */
  readonly quiet?: boolean;
  /** Ends the process, and what it started, where it prints nothing for so many milliseconds. */
  readonly longestSilence?: number;
}

interface Ended {
  readonly exitCode: number;
  /** What a process printed whose output is kept or watched, standard output and error together. */
  readonly output: string;
  /** Whether it was ended because it said nothing. */
  readonly isStalled: boolean;
}

type CleanUp = () => Promise<unknown>;
const cleanUps = new Set<CleanUp>();
const MAX_CLEANUP_MS = 5000;
let isListening = false;
let isEnding = false;

/** Runs a program of the project to its end; the exit code of a process ended by a signal is 128 plus its number. */
export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { environment, quiet, longestSilence } = options;
  const child = spawn(command, args, {
    cwd: projectRoot,
    env: { ...process.env, ...environment },
    stdio: quiet || longestSilence ? ["ignore", "pipe", "pipe"] : "inherit",
    // What it started ends with it.
    detached: longestSilence !== undefined,
  });
  const ended = once(child, "close");
  const cancelCleanup = endWithProcess(() => {
    child.kill("SIGTERM");
    return ended;
  });
  const printed: Buffer[] = [];
  let isStalled = false;
  const endStalled = () => {
    isStalled = true;
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  const silence = longestSilence && globalThis.setTimeout(endStalled, longestSilence);
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      printed.push(chunk);
      if (silence) silence.refresh();
      if (!quiet) process.stdout.write(chunk);
    });
  await ended;
  cancelCleanup();
  clearTimeout(silence);
  // It was ended with this process, which has nothing more to do.
  if (isEnding) await new Promise(() => undefined);
  const { exitCode, signalCode } = child;
  return {
    exitCode: exitCode ?? 128 + (signalCode === null ? 0 : constants.signals[signalCode]),
    output: Buffer.concat(printed).toString(),
    isStalled,
  };
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

/** A program and its arguments. */
export type Command = readonly [program: string, args: readonly string[]];

/** The configuration of the second Worker, which prints. */
export const PRINTER_CONFIG = `${projectRoot}/printer.wrangler.toml`;

/** wrangler for the wrangler.toml of the variable WRANGLER_CONFIG, else for the project's own. */
export function wrangler(...args: readonly string[]): Command {
  const config = process.env["WRANGLER_CONFIG"];
  return launch([...args, ...(config ? ["--config", config] : [])]);
}

/** wrangler for the printer. */
export function wranglerForPrinter(...args: readonly string[]): Command {
  return launch([...args, "--config", PRINTER_CONFIG]);
}

/**
 * wrangler with arguments that name their configuration; the variable WRANGLER_PROGRAM stands in its place. Its own
 * launcher reports success when wrangler is killed, so it is started without the launcher.
 */
export function launch(args: readonly string[]): Command {
  const program = process.env["WRANGLER_PROGRAM"] || `${projectRoot}/node_modules/wrangler/wrangler-dist/cli.js`;
  return [process.execPath, ["--no-warnings", program, ...args]];
}

/** What wrangler answered, or undefined where it failed: nobody is signed in, or there is no such thing. */
export async function ask([program, args]: Command): Promise<string | undefined> {
  const { exitCode, output } = await run(program, args, { quiet: true, environment: { CI: "true" } });
  return exitCode === 0 ? output : undefined;
}

/** The JSON in what wrangler printed, after its warnings; undefined where there is none. */
export function jsonIn<T>(output = ""): T | undefined {
  const start = output.search(/^(?:\[\s*[{\]]|\{)/m);
  try {
    return start === -1 ? undefined : (JSON.parse(output.slice(start)) as T);
  } catch {
    return undefined;
  }
}

/** Has something cleaned up when this process is made to end; answers how to forget it. */
export function endWithProcess(cleanUp: CleanUp): () => void {
  listen();
  cleanUps.add(cleanUp);
  return () => cleanUps.delete(cleanUp);
}

/** Ends this process and all it started. The first to ask decides the exit code. */
export async function end(exitCode: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  const cleanedUp = Promise.allSettled([...cleanUps].map((cleanUp) => cleanUp()));
  await Promise.race([cleanedUp, setTimeout(MAX_CLEANUP_MS)]);
  process.exit(exitCode);
}

/**
 * A signal ends everything, and so does the end of the process that started this one.
 * One Ctrl-C arrives several times, from the terminal and from npm: the first decides, the others change nothing.
 */
function listen(): void {
  if (isListening) return;
  isListening = true;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => end(128 + constants.signals[signal]));
  }
  const starter = process.ppid;
  setInterval(() => process.ppid !== starter && end(1), 500).unref();
}
