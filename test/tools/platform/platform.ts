import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buildPages } from "#scripts/build-pages.ts";
import { seedTaxAgencySimulator } from "#scripts/demo/tax-agency-records.ts";
import { bundleWorker, openDatabases } from "#scripts/local-runtime.ts";
import { migrateLocalDatabases } from "#scripts/migrations.ts";
import { fillDemoAccounts } from "#scripts/prepare.ts";
import { runAtProcessEnd } from "#scripts/processes.ts";
import { readOrCreateDevelopmentSecrets } from "#scripts/state-folder.ts";
import { findFreePort } from "#support/free-port.ts";
import { openAuthoritiesBucket } from "./authority-servers.ts";

/** Options of the server process. */
export interface ServerOptions {
  readonly stateDir: string;
  readonly folder: string;
  readonly port: number;
  readonly masterKey: string;
  /** Interval of cron runs. */
  readonly clockMilliseconds: number;
  /** Loopback port of the runtime's inspector. */
  readonly inspectorPort: number;
}

/** A served platform that can be killed at any time and restarted on the same state. */
export interface Platform {
  readonly port: number;
  readonly inspectorPort: number;
  /** Emails sent: the latest text by recipient. */
  readonly mailbox: ReadonlyMap<string, string>;
  start(): Promise<void>;
  /** Sends SIGKILL to the process group: the script and its runtime. */
  kill(): Promise<void>;
}

/** Faster than in production, so that holds expire and pending work is processed between two kills. */
const HURRIED_CLOCK_MILLISECONDS = 1500;

/**
 * Creates the demo companies in an empty folder and builds the Worker for production. Cron is accelerated unless
 * `clockMilliseconds` is specified.
 */
export async function preparePlatform(
  stateDir: string,
  clockMilliseconds = HURRIED_CLOCK_MILLISECONDS,
): Promise<Platform> {
  await buildPages();
  const secrets = await readOrCreateDevelopmentSecrets(stateDir);
  await migrateLocalDatabases(stateDir);
  await fillDemoAccounts(stateDir, secrets);
  await adaptAccounts(stateDir);
  const { folder } = await bundleWorker({ development: false, folder: join(stateDir, "worker") });
  const ports = { port: await findFreePort(), inspectorPort: await findFreePort() };
  return createPlatform({ stateDir, folder, ...ports, masterKey: secrets.MASTER_KEY, clockMilliseconds });
}

// Shortens retry delays from minutes, so that retries happen within the run. Only these accounts are affected.
const SOONER = "CAST(unixepoch('subsec') * 1000 AS INTEGER) + 3000";
const HURRIES = [
  `CREATE TRIGGER ministry_reports_hurry AFTER UPDATE OF next_at ON ministry_reports WHEN NEW.next_at > ${SOONER}
    BEGIN UPDATE ministry_reports SET next_at = ${SOONER} WHERE id = NEW.id; END`,
  `CREATE TRIGGER tax_chains_hurry AFTER UPDATE OF next_at, leased_until ON tax_chains WHEN max(NEW.next_at, NEW.leased_until) > ${SOONER}
    BEGIN UPDATE tax_chains SET next_at = min(next_at, ${SOONER}), leased_until = min(leased_until, ${SOONER}) WHERE chain = NEW.chain; END`,
];

async function adaptAccounts(stateDir: string): Promise<void> {
  const { databases, dispose } = await openDatabases(stateDir);
  const authorities = openAuthoritiesBucket(stateDir);
  for (const [account, db] of databases) {
    await db.batch([
      // A production build has no simulators, so use the gateways' test addresses, which are answered here.
      db.prepare("UPDATE payment_gateways SET environment = 'test'"),
      // Unpaid holds expire during the run.
      db.prepare("UPDATE settings SET hold_minutes = 1, tax_representation_date = '2026-01-01'"),
      ...HURRIES.map((trigger) => db.prepare(trigger)),
    ]);
    // If there's another manager, a third of the refunds need approval.
    if (account === "acme") await db.prepare("UPDATE settings SET refund_approval_cents = 200").run();
    await seedTaxAgencySimulator(authorities, db);
  }
  await dispose();
}

function createPlatform(options: ServerOptions): Platform {
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
    running = { child, forget: runAtProcessEnd(kill) };
    await new Promise<void>((resolve, reject) => {
      child.once("message", () => resolve());
      child.once("exit", (code) => reject(new Error(`the server ended with ${code} before it was ready`)));
    });
  };
  return { port: options.port, inspectorPort: options.inspectorPort, mailbox, start, kill };
}

// The local runtime doesn't send emails. It writes the text to a file and logs its path.
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
