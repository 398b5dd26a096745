import type { Settings } from "#domain/catalogue/catalogue.ts";
import { MANUAL_ANNULMENT_ERROR } from "#domain/ministry-reports/manual-annulment.ts";
import type { MinistryRegisterConnection, SubmittedLotState } from "#worker/authorities/register.ts";
import {
  changeMinistryReportIfUnchangedStatement,
  claimMinistryReportStatement,
  dueMinistryReportsQuery,
  type MinistryReportChange,
  type MinistryReportRow,
  postponeMinistryReportsStatement,
  saveMinistryBatchCodeStatement,
} from "#worker/store/ministry-reports/ministry-reports.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { openMinistryConnection, reportFailedMinistryCall } from "./ministry-connection.ts";

const SEND_BATCH_SIZE = 20;
const MINUTE = 60_000;
const MAX_RETRY_DELAY_MS = 60 * MINUTE;
const WITHOUT_CREDENTIALS = 10 * MINUTE;
/** Duration for which a claimed report to the ministry belongs to one run. */
const CLAIM_MS = 2 * MINUTE;
/** Matches an error of the ministry, which starts with a code of five digits. */
const REFUSED = /^\d{5}/;

/** Sends pending reports to the ministry and checks those in progress. Returns the number with an answer. */
export async function sendAndCheckMinistryReports(tenant: Tenant, settings: Settings, now: number): Promise<number> {
  const [open] = await tenant.db.batch([dueMinistryReportsQuery(tenant.db, now, SEND_BATCH_SIZE)]);
  if (open.length === 0) return 0;
  const channel = await openMinistryConnection(tenant, settings);
  if (!channel) {
    const ids = open.map(({ id }) => id);
    await tenant.db.batch([
      postponeMinistryReportsStatement(tenant.db, ids, "credentials_missing", now + WITHOUT_CREDENTIALS),
    ]);
    return 0;
  }
  let count = 0;
  for (const item of open) count += await work(tenant, channel, item, now);
  return count;
}

async function work(
  tenant: Tenant,
  channel: MinistryRegisterConnection,
  item: MinistryReportRow,
  now: number,
): Promise<number> {
  const [[mine]] = await tenant.db.batch([claimMinistryReportStatement(tenant.db, item, now + CLAIM_MS)]);
  if (!mine) return 0;
  const change = await step(tenant, channel, mine, now);
  await tenant.db.batch([
    changeMinistryReportIfUnchangedStatement(tenant.db, mine, change),
    ...(change.lot ? [saveMinistryBatchCodeStatement(tenant.db, mine, change.lot)] : []),
  ]);
  return change.answeredAt ? 1 : 0;
}

// Performs one step: send, check, annul, or check the annulment.
async function step(
  tenant: Tenant,
  channel: MinistryRegisterConnection,
  item: MinistryReportRow,
  now: number,
): Promise<MinistryReportChange> {
  try {
    if (item.state === "waiting") return await sendOne(channel, item, now);
    if (item.lot === null && item.code === null) return await nameOne(channel, item, now);
    if (item.state === "sent" || (item.state === "annulling" && item.code === null))
      return await askAbout(channel, item, now);
    return item.annulmentLot === null
      ? await annulOne(channel, item, now)
      : await askAboutAnnulment(channel, item, now);
  } catch (error) {
    return waited(item, reportFailedMinistryCall(tenant, error), now);
  }
}

// Retries with a growing delay of at most an hour, without limit. A late report is better than none.
function waited(item: MinistryReportRow, error: string, now: number): MinistryReportChange {
  const attempts = item.state === "waiting" ? item.attempts : item.attempts + 1;
  return { attempts, error, nextAt: now + Math.min(MAX_RETRY_DELAY_MS, MINUTE * 2 ** Math.min(attempts, 10)) };
}

// Sends a report. If the ministry already has it and its batch code is unknown, it was accepted and only the
// answer was lost. A report that the ministry refused before will be refused again.
async function sendOne(
  channel: MinistryRegisterConnection,
  item: MinistryReportRow,
  now: number,
): Promise<MinistryReportChange> {
  const { lot, error, isAlreadyStored, mayPass } = await channel.sendReport(item.kind, item.xml);
  if (lot) return { state: "sent", lot, error: null, nextAt: now };
  if (mayPass) return waited(item, error ?? "no_reason", now);
  const state = isAlreadyStored && item.lot === null ? "accepted" : "refused";
  return { state, error: error ?? null, answeredAt: now };
}

// Sends a report to annul again, because the answer contains its batch code. If the ministry already answered
// for the report or already has it, there's no code, and staff annul it on the ministry's site.
async function nameOne(
  channel: MinistryRegisterConnection,
  item: MinistryReportRow,
  now: number,
): Promise<MinistryReportChange> {
  if (item.answeredAt !== null) return toManualAnnulment(now);
  const { lot, error, isAlreadyStored, mayPass } = await channel.sendReport(item.kind, item.xml);
  if (lot) return { lot, error: null, nextAt: now };
  if (mayPass) return waited(item, error ?? "no_reason", now);
  return isAlreadyStored ? toManualAnnulment(now) : { state: "annulled", error: error ?? null, answeredAt: now };
}

// Only the ministry's code proves that it stored the report.
function isDecided({ state, code }: SubmittedLotState): boolean {
  return state === "failed" || (state === "done" && code !== undefined);
}

async function askAbout(
  channel: MinistryRegisterConnection,
  item: MinistryReportRow,
  now: number,
): Promise<MinistryReportChange> {
  const answer = await channel.readLotState(item.lot ?? "");
  if (!answer || !isDecided(answer)) return answer?.error ? waited(item, answer.error, now) : { nextAt: now + MINUTE };
  const isAnnulling = item.state === "annulling";
  if (answer.state === "done")
    return {
      state: isAnnulling ? "annulling" : "accepted",
      code: answer.code ?? null,
      error: null,
      answeredAt: now,
      nextAt: now,
    };
  return { state: isAnnulling ? "annulled" : "refused", error: answer.error ?? null, answeredAt: now };
}

async function annulOne(
  channel: MinistryRegisterConnection,
  item: MinistryReportRow,
  now: number,
): Promise<MinistryReportChange> {
  const { lot, error, isAlreadyStored, mayPass } = await channel.withdrawReport(item.code ?? "");
  if (lot) return { annulmentLot: lot, nextAt: now };
  // The ministry already annulled it, unless an earlier annulment was refused.
  if (isAlreadyStored && !REFUSED.test(item.error ?? "")) return { state: "annulled", answeredAt: now };
  return mayPass ? waited(item, error ?? "no_reason", now) : toManualAnnulment(now);
}

// Leaves the annulment to staff. The ministry would refuse it again, because its content doesn't change.
const toManualAnnulment = (now: number): MinistryReportChange => ({
  state: "refused",
  error: MANUAL_ANNULMENT_ERROR,
  answeredAt: now,
});

async function askAboutAnnulment(
  channel: MinistryRegisterConnection,
  item: MinistryReportRow,
  now: number,
): Promise<MinistryReportChange> {
  const answer = await channel.readLotState(item.annulmentLot ?? "");
  if (!answer || answer.state === "works") return { nextAt: now + MINUTE };
  if (answer.state === "done") return { state: "annulled", answeredAt: now };
  if (REFUSED.test(answer.error ?? "")) return toManualAnnulment(now);
  return { ...waited(item, answer.error ?? "no_reason", now), annulmentLot: null };
}

/** Tests the connection with a query that registers nothing. Returns the problem, if any. */
export async function testSesConnection(tenant: Tenant, settings: Settings): Promise<string | undefined> {
  const channel = await openMinistryConnection(tenant, settings);
  if (!channel) return "credentials_missing";
  try {
    return await channel.testConnection();
  } catch (error) {
    return reportFailedMinistryCall(tenant, error);
  }
}
