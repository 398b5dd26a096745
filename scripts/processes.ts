import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";

/** Folder with package.json. */
export const PROJECT_ROOT = dirname(import.meta.dirname);

interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether to capture the output instead of showing it. */
  readonly quiet?: boolean;
  /** Ends the process and its children if it prints nothing for this many milliseconds. */
  readonly longestSilence?: number;
  /** Text for its standard input. */
  readonly input?: string;
}

interface Ended {
  readonly exitCode: number;
  /** Captured standard output and error. */
  readonly output: string;
  /** Whether the process was ended because it printed nothing for too long. */
  readonly isStalled: boolean;
}

type CleanUp = () => Promise<unknown>;
const cleanUps = new Set<CleanUp>();
const MAX_CLEANUP_MS = 5000;
let isListening = false;
let isEnding = false;

/** Runs a program of the project. The exit code after a signal is 128 plus its number. */
export async function runCommand(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { environment, quiet, longestSilence, input } = options;
  const child = spawn(command, args, {
    cwd: PROJECT_ROOT,
    env: { ...process.env, ...environment },
    stdio: quiet || longestSilence ? [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] : "inherit",
    // Starts the process in its own group, so that its children can be ended with it.
    detached: longestSilence !== undefined,
  });
  const ended = once(child, "close");
  // A program that ends without reading its input closes the pipe. Its exit code reports why.
  child.stdin?.on("error", () => undefined).end(input);
  const cancelCleanup = runAtProcessEnd(() => {
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
  // Never continue while this process is ending, because the ending has also ended the child.
  if (isEnding) await new Promise(() => undefined);
  const { exitCode, signalCode } = child;
  return {
    exitCode: exitCode ?? 128 + (signalCode === null ? 0 : constants.signals[signalCode]),
    output: Buffer.concat(printed).toString(),
    isStalled,
  };
}

/** Runs a program quietly. If it fails, throws its output. */
export async function runOrThrow(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input?: string,
): Promise<string> {
  const { exitCode, output } = await runCommand(command, args, {
    environment,
    quiet: true,
    ...(input !== undefined && { input }),
  });
  if (exitCode !== 0) {
    throw new Error(`${command} ${args.slice(0, 3).join(" ")} failed (exit code ${exitCode}):\n${output.trim()}`);
  }
  return output;
}

/** A program and its arguments. */
export type ProgramCommand = readonly [program: string, args: readonly string[]];

/** Configuration of the printer Worker. */
export const PRINTER_CONFIG = `${PROJECT_ROOT}/printer.wrangler.toml`;

/** Creates a wrangler command with the configuration in WRANGLER_CONFIG, or the project's own. */
export function createWranglerCommand(...args: readonly string[]): ProgramCommand {
  const config = process.env["WRANGLER_CONFIG"];
  return toWranglerCommand([...args, ...(config ? ["--config", config] : [])]);
}

/** Creates a wrangler command for the printer. */
export function createPrinterWranglerCommand(...args: readonly string[]): ProgramCommand {
  return toWranglerCommand([...args, "--config", PRINTER_CONFIG]);
}

/**
 * Creates a wrangler command with arguments that include their configuration. The variable WRANGLER_PROGRAM replaces
 * wrangler. Bypasses wrangler's launcher, which reports success if wrangler is killed.
 */
export function toWranglerCommand(args: readonly string[]): ProgramCommand {
  const program = process.env["WRANGLER_PROGRAM"] || `${PROJECT_ROOT}/node_modules/wrangler/wrangler-dist/cli.js`;
  return [process.execPath, ["--no-warnings", program, ...args]];
}

/** Returns wrangler's output. Undefined if it failed, for example without a sign-in or if the item doesn't exist. */
export async function readCommandOutput([program, args]: ProgramCommand): Promise<string | undefined> {
  const { exitCode, output } = await runCommand(program, args, { quiet: true, environment: { CI: "true" } });
  return exitCode === 0 ? output : undefined;
}

/** Parses JSON after warnings in wrangler's output. Undefined if there's none. */
export function parseJsonOutput<T>(output = ""): T | undefined {
  const start = output.search(/^(?:\[\s*[{\]]|\{)/m);
  try {
    return start === -1 ? undefined : (JSON.parse(output.slice(start)) as T);
  } catch {
    return undefined;
  }
}

/** Registers a clean-up for when this process is terminated. Returns a function to unregister it. */
export function runAtProcessEnd(cleanUp: CleanUp): () => void {
  listen();
  cleanUps.add(cleanUp);
  return () => cleanUps.delete(cleanUp);
}

/** Ends this process and its children. The first call determines the exit code. */
export async function endProcess(exitCode: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  const cleanedUp = Promise.allSettled([...cleanUps].map((cleanUp) => cleanUp()));
  await Promise.race([cleanedUp, setTimeout(MAX_CLEANUP_MS)]);
  process.exit(exitCode);
}

/**
 * Ends everything on a signal or when the parent process ends. Ctrl-C arrives several times, from the terminal and npm,
 * and only the first counts.
 */
function listen(): void {
  if (isListening) return;
  isListening = true;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => endProcess(128 + constants.signals[signal]));
  }
  const starter = process.ppid;
  setInterval(() => process.ppid !== starter && endProcess(1), 500).unref();
}
