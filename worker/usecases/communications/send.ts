import type { Settings } from "#domain/catalogue/catalogue.ts";
import { MANUAL_ANNULMENT_ERROR } from "#domain/communications/by-hand.ts";
import type { RegisterChannel } from "#worker/authorities/register.ts";
import {
  type CommunicationChange,
  type CommunicationRow,
  changeIfAsReadStatement,
  claimStatement,
  namedStatement,
  openCommunicationsQuery,
  postponeStatement,
} from "#worker/store/communications/communications.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { openChannel } from "./channel.ts";

const SEND_BATCH_SIZE = 20;
const MINUTE = 60_000;
const MAX_RETRY_DELAY_MS = 60 * MINUTE;
const WITHOUT_CREDENTIALS = 10 * MINUTE;
/** How long one that is in hand is nobody else's. */
const CLAIM_MS = 2 * MINUTE;
/** Begins with one of the ministry's codes. */
const REFUSED = /^\d{5}/;

/** Sends what waits and asks about what the ministry works on; answers how many it said something of. */
export async function sendCommunications(tenant: Tenant, settings: Settings, now: number): Promise<number> {
  const [open] = await tenant.db.batch([openCommunicationsQuery(tenant.db, now, SEND_BATCH_SIZE)]);
  if (open.length === 0) return 0;
  const channel = await openChannel(tenant, settings);
  if (!channel) {
    const ids = open.map(({ id }) => id);
    await tenant.db.batch([postponeStatement(tenant.db, ids, "credentials_missing", now + WITHOUT_CREDENTIALS)]);
    return 0;
  }
  let count = 0;
  for (const item of open) count += await work(tenant, channel, item, now);
  return count;
}

async function work(tenant: Tenant, channel: RegisterChannel, item: CommunicationRow, now: number): Promise<number> {
  const [[mine]] = await tenant.db.batch([claimStatement(tenant.db, item, now + CLAIM_MS)]);
  if (!mine) return 0;
  const change = await step(channel, mine, now);
  await tenant.db.batch([
    changeIfAsReadStatement(tenant.db, mine, change),
    ...(change.lot ? [namedStatement(tenant.db, mine, change.lot)] : []),
  ]);
  return change.answeredAt ? 1 : 0;
}

// One thing at a time: sent, asked about, taken back, asked about again.
async function step(channel: RegisterChannel, item: CommunicationRow, now: number): Promise<CommunicationChange> {
  try {
    if (item.state === "waiting") return await sendOne(channel, item, now);
    if (item.lot === null && item.code === null) return await nameOne(channel, item, now);
    if (item.state === "sent" || (item.state === "annulling" && item.code === null))
      return await askAbout(channel, item, now);
    return item.annulmentLot === null
      ? await annulOne(channel, item, now)
      : await askAboutAnnulment(channel, item, now);
  } catch (error) {
    return waited(item, error instanceof Error ? error.message : "unknown", now);
  }
}

// Later and later, at most an hour, and for ever: late is better than never.
function waited(item: CommunicationRow, error: string, now: number): CommunicationChange {
  const attempts = item.state === "waiting" ? item.attempts : item.attempts + 1;
  return { attempts, error, nextAt: now + Math.min(MAX_RETRY_DELAY_MS, MINUTE * 2 ** Math.min(attempts, 10)) };
}

// What the ministry has though nobody knows its lot was told: the answer was lost, and the ministry names nothing of it
// to ask for. What it has refused is refused again.
async function sendOne(channel: RegisterChannel, item: CommunicationRow, now: number): Promise<CommunicationChange> {
  const { lot, error, isKnown } = await channel.send(item.kind, item.xml);
  if (lot) return { state: "sent", lot, error: null, nextAt: now };
  const state = isKnown && item.lot === null ? "accepted" : "refused";
  return { state, error: error ?? null, answeredAt: now };
}

// To be annulled, and its lot was never heard of. What was answered for is there; else, sent again, it names itself.
// What is there without a name a person takes back on the ministry's pages: it lists there.
async function nameOne(channel: RegisterChannel, item: CommunicationRow, now: number): Promise<CommunicationChange> {
  const manualAnnulment = { state: "refused", error: MANUAL_ANNULMENT_ERROR, answeredAt: now } as const;
  if (item.answeredAt !== null) return manualAnnulment;
  const { lot, error, isKnown } = await channel.send(item.kind, item.xml);
  if (lot) return { lot, error: null, nextAt: now };
  return isKnown ? manualAnnulment : { state: "annulled", error: error ?? null, answeredAt: now };
}

async function askAbout(channel: RegisterChannel, item: CommunicationRow, now: number): Promise<CommunicationChange> {
  const answer = await channel.ask(item.lot ?? "");
  if (!answer || answer.state === "works") return { nextAt: now + MINUTE };
  const isAnnulling = item.state === "annulling";
  if (answer.state === "done" && answer.code)
    return {
      state: isAnnulling ? "annulling" : "accepted",
      code: answer.code,
      error: null,
      answeredAt: now,
      nextAt: now,
    };
  return { state: isAnnulling ? "annulled" : "refused", error: answer.error ?? null, answeredAt: now };
}

async function annulOne(channel: RegisterChannel, item: CommunicationRow, now: number): Promise<CommunicationChange> {
  const { lot, error, isKnown } = await channel.annul(item.code ?? "");
  // As above; what the ministry has refused to take back stays refused, in its words.
  if (isKnown && !REFUSED.test(item.error ?? "")) return { state: "annulled", answeredAt: now };
  if (isKnown) return waited(item, item.error ?? "", now);
  return lot ? { annulmentLot: lot, nextAt: now } : waited(item, error ?? "annulment refused", now);
}

async function askAboutAnnulment(
  channel: RegisterChannel,
  item: CommunicationRow,
  now: number,
): Promise<CommunicationChange> {
  const answer = await channel.ask(item.annulmentLot ?? "");
  if (!answer || answer.state === "works") return { nextAt: now + MINUTE };
  if (answer.state === "done") return { state: "annulled", answeredAt: now };
  return { ...waited(item, answer.error ?? "annulment refused", now), annulmentLot: null };
}

/** Tries the connection by a question that registers nothing; what is wrong, or nothing. */
export async function trySes(tenant: Tenant, settings: Settings): Promise<string | undefined> {
  const channel = await openChannel(tenant, settings);
  if (!channel) return "credentials_missing";
  try {
    await channel.try();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : "unknown";
  }
}
