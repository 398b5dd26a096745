import { fromCivilMinute } from "#domain/dates.ts";
import type { Attention } from "#domain/operations/attention.ts";
import { findSnapshot } from "#worker/store/catalogue/catalogue.ts";
import { newMeter, openDatabase } from "#worker/store/database.ts";
import { attentionQuery, toAttention } from "#worker/store/operations/attention.ts";
import {
  CLOUDFLARE_API,
  countRequests,
  countRoutes,
  type Dataset,
  type RequestCounts,
} from "#worker/store/operations/request-counts.ts";
import { withDatabase } from "./accounts/target.ts";
import { accountNamed, readCommandLine } from "./command-line.ts";
import { reportFailure, unreadable } from "./steps.ts";
import { readAccounts, readConfig } from "./wrangler-toml.ts";

// npm run operations     what waits for a person in each account, and what was asked of it in the last 24 hours
// npm run operations -- <account>      the same of one, with what waits in detail and its routes
//   --hours <how many> --remote --env <environment>
// Requests are read from Analytics Engine: CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_API_TOKEN (Account Analytics: Read).

const { values, positionals, target } = readCommandLine(["hours"], [], { most: 1 });

/** The kinds of work that wait, by the words they are shown with. */
const KINDS: Readonly<Record<string, (of: Attention) => number>> = {
  "check-in refused": (of) => of.checkInRefused,
  "check-in held": (of) => of.checkInHeld,
  "check-in to look at": (of) => of.checkInToLookAt,
  "photos not arrived": (of) => of.filesMissing,
  "mails unsent": (of) => of.mailsUnsent,
  "documents not integrated": (of) => of.documentsNotIntegrated,
  "paid too late": (of) => of.bookingsPaidTooLate,
  "payments that do not match": (of) => of.paymentsMismatching,
  overdue: (of) => of.overdue,
  "short of what is sold": (of) => of.shortages.length,
};

async function readAttention(db: D1Database): Promise<Attention> {
  const read = openDatabase(db, newMeter());
  const snapshot = await findSnapshot(read);
  if (!snapshot) throw new Error("It has no settings yet.");
  const [rows] = await read.batch([attentionQuery(read, Date.now())]);
  return toAttention(rows, snapshot.catalogue);
}

function waitingOf(of: Attention): string {
  const waiting = Object.entries(KINDS).flatMap(([kind, count]) => (count(of) > 0 ? [`${count(of)} ${kind}`] : []));
  return waiting.length === 0 ? "nothing waits" : waiting.join(", ");
}

function detailsOf(of: Attention): readonly string[] {
  return [
    ...of.lastMails.map(({ subject, attempts, error }) => `mail "${subject}", tried ${attempts} times: ${error}`),
    ...of.lastDocuments.map(({ id, number, error }) => `document ${number ?? `draft ${id}`}: ${error}`),
    ...of.lastBookings.map(({ id, status }) => `booking ${id}, ${status}, was paid after its hold had ended`),
    ...of.lastOverdue.map(({ id, date, time }) => `booking ${id} was due back on ${date} at ${time}`),
    ...of.shortages.map(missingText),
    ...of.lastPayments.map(({ order, method, outcome }) => `payment ${order} by ${method}: ${outcome}`),
  ];
}

function missingText(short: Attention["shortages"][number]): string {
  const from = `from ${fromCivilMinute(short.from).date} on`;
  if (short.kind === "transfer") return `${short.missing} trips have no ${short.vehicle} ${from}`;
  return `${short.missing} of ${short.code} are missing at branch group ${short.branchGroupId} ${from}`;
}

function askedOf(of: RequestCounts | undefined): string {
  if (!of) return "no requests";
  const share = (count: number) => `${count} (${((100 * count) / of.requests).toFixed(2)} %)`;
  return [
    `${of.requests} requests`,
    `${share(of.failed)} failed`,
    `${share(of.refused)} refused`,
    `p50 ${of.p50} ms, p95 ${of.p95} ms, p99 ${of.p99} ms`,
    `${of.d1Calls.toFixed(2)} database calls and ${Math.round(of.d1RowsRead)} rows each`,
  ].join(", ");
}

function findDataset(): Dataset | undefined {
  const name = readConfig(values.env).analytics_engine_datasets.find(({ binding }) => binding === "REQUESTS")?.dataset;
  const { CLOUDFLARE_ACCOUNT_ID: accountId, CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_API_BASE_URL: api } = process.env;
  if (accountId && !/^[0-9a-f]{32}$/.test(accountId)) throw new Error("CLOUDFLARE_ACCOUNT_ID must be 32 hex digits.");
  if (name && accountId && token) return { name, accountId, token, api: api || CLOUDFLARE_API };
  console.log(
    name === undefined
      ? "Requests are not counted: no dataset of Analytics Engine is bound as REQUESTS here."
      : `Requests are counted in ${name}; set CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_API_TOKEN to read them.`,
  );
  return undefined;
}

try {
  const hours = Number(values.hours ?? 24);
  if (!Number.isInteger(hours) || hours < 1) throw new Error("--hours must be a whole number, at least 1");
  const [name] = positionals;
  const accounts = name === undefined ? readAccounts(target.environment) : [accountNamed(name, target)];
  const dataset = findDataset();
  const counts = dataset && (await countRequests(dataset, hours * 60));
  for (const account of accounts) {
    const label = account.name.padEnd(20);
    try {
      const attention = await withDatabase(account, target, readAttention);
      console.log(`${label} ${waitingOf(attention)}`);
      if (name !== undefined) for (const line of detailsOf(attention)) console.log(`${"".padEnd(22)} ${line}`);
    } catch (error) {
      console.log(`${label} ${unreadable(error)}`);
      process.exitCode = 1;
    }
    if (counts) console.log(`${"".padEnd(20)} ${askedOf(counts.get(account.name))}`);
    if (dataset && name !== undefined) {
      for (const one of await countRoutes(dataset, name, hours * 60))
        console.log(`  ${one.route}\n      ${askedOf(one)}`);
    }
  }
} catch (error) {
  reportFailure(error);
}
