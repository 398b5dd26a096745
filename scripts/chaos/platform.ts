import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buildApp } from "../app.ts";
import { fillWhereEmpty } from "../demo/fill.ts";
import { bundleWorker, openDatabases } from "../local-runtime.ts";
import { migrate } from "../migrations.ts";
import { endWithProcess } from "../processes.ts";
import { developmentSecrets } from "../state-folder.ts";

/** What the server's process is told. */
export interface ServerOptions {
  readonly stateDir: string;
  readonly folder: string;
  readonly port: number;
  readonly masterKey: string;
}

/** A served platform that can be killed at any moment and started again on the same state. */
export interface Platform {
  readonly port: number;
  /** What it has mailed: the last text to each recipient. */
  readonly mailbox: ReadonlyMap<string, string>;
  start(): Promise<void>;
  /** SIGKILL to the whole group: the script and the runtime below it. */
  kill(): Promise<void>;
}

/** Makes the demo companies in an empty folder and builds the Worker as for production. */
export async function preparePlatform(stateDir: string): Promise<Platform> {
  await buildApp();
  const { MASTER_KEY: masterKey } = await developmentSecrets(stateDir);
  await migrate(stateDir);
  await fill(stateDir, masterKey);
  const { folder } = await bundleWorker({ development: false, folder: join(stateDir, "worker") });
  return platformOf({ stateDir, folder, port: await freePort(), masterKey });
}

async function fill(stateDir: string, masterKey: string): Promise<void> {
  const { databases, dispose } = await openDatabases(stateDir);
  try {
    for (const account of ["acme", "globex"] as const) {
      const db = databases.get(account);
      if (!db) throw new Error(`wrangler.toml binds no database for ${account}`);
      await fillWhereEmpty(account, db, { now: new Date(), masterKey, log: () => undefined });
      // A production build knows no stand-in: the gateways' own test addresses, which nobody calls here.
      await db.batch([
        db.prepare("UPDATE payment_gateways SET environment = 'test'"),
        // Who does not pay loses what was held while the run goes on.
        db.prepare("UPDATE settings SET hold_minutes = 1"),
      ]);
    }
  } finally {
    await dispose();
  }
}

function platformOf(options: ServerOptions): Platform {
  const mailbox = new Map<string, string>();
  let running: { readonly child: ChildProcess; readonly forget: () => void } | undefined;
  const kill = async () => {
    if (!running) return;
    const { child, forget } = running;
    running = undefined;
    forget();
    const ended = new Promise((resolve) => child.once("exit", resolve));
    if (child.pid) process.kill(-child.pid, "SIGKILL");
    await ended;
  };
  const start = async () => {
    const script = join(import.meta.dirname, "server.ts");
    const child = fork(script, [JSON.stringify(options)], {
      detached: true,
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    collectMails(child, mailbox);
    running = { child, forget: endWithProcess(kill) };
    await new Promise<void>((resolve, reject) => {
      child.once("message", () => resolve());
      child.once("exit", (code) => reject(new Error(`the server ended with ${code} before it was ready`)));
    });
  };
  return { port: options.port, mailbox, start, kill };
}

// The local runtime hands a mail to nobody: it writes the text into a file and says where.
function collectMails(child: ChildProcess, mailbox: Map<string, string>): void {
  if (!child.stdout) return;
  let recipient = "";
  createInterface(child.stdout).on("line", (line) => {
    const [, header, value] = /^(To|Text): (.+)$/.exec(line) ?? [];
    if (header === "To") recipient = value ?? "";
    if (line.startsWith('{"level":"error"')) console.log(line);
    if (header === "Text" && value) mailbox.set(recipient, readFileSync(value, "utf8"));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
