import { fromCivilMinute } from "#domain/dates.ts";
import type { AttentionSummary } from "#domain/operations/attention.ts";
import { readCatalogueSnapshot } from "#worker/store/catalogue/catalogue.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import { attentionSummaryQuery, toAttentionSummary } from "#worker/store/operations/attention.ts";
import {
  type AnalyticsDataset,
  CLOUDFLARE_API,
  countRequestsByAccount,
  countRequestsByRoute,
  type RequestCounts,
} from "#worker/store/operations/request-counts.ts";
import { listAccounts } from "./accounts/directory.ts";
import { withDatabase } from "./accounts/target.ts";
import { readCommandLine, requireNamedAccount } from "./command-line.ts";
import { describeAccountError, reportFailure, reportNoAccounts } from "./steps.ts";
import { readWranglerConfig } from "./wrangler-toml.ts";

// npm run operations pending tasks of each account, and its requests in the last 24 hours
// npm run operations -- <account> the same for one account, with task details and routes
// --hours <number> --remote --env <environment>
// Requests are read from Analytics Engine: CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_API_TOKEN (Account Analytics: Read).

const { values, positionals, target } = readCommandLine(["hours"], [], { most: 1 });

/** Kinds of pending work by displayed name. */
const KINDS: Readonly<Record<string, (attentionCounts: AttentionSummary) => number>> = {
  "check-in refused": (attentionCounts) => attentionCounts.checkInRefused,
  "check-in held": (attentionCounts) => attentionCounts.checkInHeld,
  "check-in to look at": (attentionCounts) => attentionCounts.checkInToReview,
  "photos not arrived": (attentionCounts) => attentionCounts.filesMissing,
  "mails unsent": (attentionCounts) => attentionCounts.mailsUnsent,
  "documents not integrated": (attentionCounts) => attentionCounts.documentsNotIntegrated,
  "paid too late": (attentionCounts) => attentionCounts.bookingsPaidTooLate,
  "payments that do not match": (attentionCounts) => attentionCounts.paymentsMismatching,
  overdue: (attentionCounts) => attentionCounts.overdue,
  "short of what is sold": (attentionCounts) => attentionCounts.shortages.length,
};

async function readAttention(db: D1Database): Promise<AttentionSummary> {
  const read = openDatabase(db, createUsageMeter());
  const snapshot = await readCatalogueSnapshot(read);
  if (!snapshot) throw new Error("It has no settings yet.");
  const [rows] = await read.batch([attentionSummaryQuery(read, Date.now())]);
  return toAttentionSummary(rows, snapshot.catalogue);
}

function formatPendingTasks(attentionCounts: AttentionSummary): string {
  const pendingTexts = Object.entries(KINDS).flatMap(([kind, count]) =>
    count(attentionCounts) > 0 ? [`${count(attentionCounts)} ${kind}`] : [],
  );
  return pendingTexts.length === 0 ? "nothing waits" : pendingTexts.join(", ");
}

function listTaskDetails(attentionCounts: AttentionSummary): readonly string[] {
  return [
    ...attentionCounts.lastMails.map(
      ({ subject, attempts, error }) => `mail "${subject}", tried ${attempts} times: ${error}`,
    ),
    ...attentionCounts.lastDocuments.map(({ id, number, error }) => `document ${number ?? `draft ${id}`}: ${error}`),
    ...attentionCounts.lastBookings.map(
      ({ id, status }) => `booking ${id}, ${status}, was paid after its hold had ended`,
    ),
    ...attentionCounts.lastOverdue.map(({ id, date, time }) => `booking ${id} was due back on ${date} at ${time}`),
    ...attentionCounts.shortages.map(missingText),
    ...attentionCounts.lastPayments.map(({ order, method, outcome }) => `payment ${order} by ${method}: ${outcome}`),
  ];
}

function missingText(short: AttentionSummary["shortages"][number]): string {
  const from = `from ${fromCivilMinute(short.from).date} on`;
  if (short.kind === "transfer") return `${short.unservedTrips} trips have no ${short.vehicle} ${from}`;
  return `${short.missing} of ${short.code} are missing at branch group ${short.branchGroupId} ${from}`;
}

function formatRequestCounts(attentionCounts: RequestCounts | undefined): string {
  if (!attentionCounts) return "no requests";
  const share = (count: number) => `${count} (${((100 * count) / attentionCounts.requests).toFixed(2)} %)`;
  return [
    `${attentionCounts.requests} requests`,
    `${share(attentionCounts.failed)} failed`,
    `${share(attentionCounts.refused)} refused`,
    `p50 ${attentionCounts.p50} ms, p95 ${attentionCounts.p95} ms, p99 ${attentionCounts.p99} ms`,
    `${attentionCounts.d1Calls.toFixed(2)} database calls and ${Math.round(attentionCounts.d1RowsRead)} rows each`,
  ].join(", ");
}

function findDataset(): AnalyticsDataset | undefined {
  const name = readWranglerConfig(values.env).analytics_engine_datasets.find(
    ({ binding }) => binding === "REQUESTS",
  )?.dataset;
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
  const accounts = name === undefined ? await listAccounts(target) : [requireNamedAccount(name, target)];
  reportNoAccounts(accounts, target.environment);
  const dataset = accounts.length === 0 ? undefined : findDataset();
  const counts = dataset && (await countRequestsByAccount(dataset, hours * 60));
  for (const account of accounts) {
    const label = account.name.padEnd(20);
    try {
      const attention = await withDatabase(account, target, readAttention);
      console.log(`${label} ${formatPendingTasks(attention)}`);
      if (name !== undefined) for (const line of listTaskDetails(attention)) console.log(`${"".padEnd(22)} ${line}`);
    } catch (error) {
      console.log(`${label} ${describeAccountError(error)}`);
      process.exitCode = 1;
    }
    if (counts) console.log(`${"".padEnd(20)} ${formatRequestCounts(counts.get(account.name))}`);
    if (dataset && name !== undefined) {
      for (const countRoute of await countRequestsByRoute(dataset, name, hours * 60))
        console.log(`  ${countRoute.route}\n      ${formatRequestCounts(countRoute)}`);
    }
  }
} catch (error) {
  reportFailure(error);
}
