import type { Settings } from "#domain/catalogue/catalogue.ts";
import { TO_ANNUL_BY_HAND } from "#domain/communications/by-hand.ts";
import type { RegisterChannel } from "#worker/authorities/register.ts";
import {
  type CommunicationChange,
  type CommunicationRow,
  changeIfAsReadStatement,
  namedStatement,
  openCommunicationsQuery,
  putOffStatement,
  takeInHandStatement,
} from "#worker/store/communications/communications.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { openChannel } from "./channel.ts";

const AT_ONCE = 20;
const MINUTE = 60_000;
const LONGEST_WAIT = 60 * MINUTE;
const WITHOUT_CREDENTIALS = 10 * MINUTE;
/** How long one that is in hand is nobody else's. */
const IN_HAND = 2 * MINUTE;
/** Begins with one of the ministry's codes. */
const REFUSED = /^\d{5}/;

/** Sends what waits and asks about what the ministry works on; answers how many it said something of. */
export async function sendCommunications(tenant: Tenant, settings: Settings, now: number): Promise<number> {
  const [open] = await tenant.db.batch([openCommunicationsQuery(tenant.db, now, AT_ONCE)]);
  if (open.length === 0) return 0;
  const channel = await openChannel(tenant, settings);
  if (!channel) {
    const ids = open.map(({ id }) => id);
    await tenant.db.batch([putOffStatement(tenant.db, ids, "credentials_missing", now + WITHOUT_CREDENTIALS)]);
    return 0;
  }
  let count = 0;
  for (const one of open) count += await work(tenant, channel, one, now);
  return count;
}

async function work(tenant: Tenant, channel: RegisterChannel, one: CommunicationRow, now: number): Promise<number> {
  const [[mine]] = await tenant.db.batch([takeInHandStatement(tenant.db, one, now + IN_HAND)]);
  if (!mine) return 0;
  const change = await step(channel, mine, now);
  await tenant.db.batch([
    changeIfAsReadStatement(tenant.db, mine, change),
    ...(change.lot ? [namedStatement(tenant.db, mine, change.lot)] : []),
  ]);
  return change.answeredAt ? 1 : 0;
}

// One thing at a time: sent, asked about, taken back, asked about again.
async function step(channel: RegisterChannel, one: CommunicationRow, now: number): Promise<CommunicationChange> {
  try {
    if (one.state === "waiting") return await sendOne(channel, one, now);
    if (one.lot === null && one.code === null) return await nameOne(channel, one, now);
    if (one.state === "sent" || (one.state === "annulling" && one.code === null))
      return await askAbout(channel, one, now);
    return one.annulmentLot === null ? await annulOne(channel, one, now) : await askAboutAnnulment(channel, one, now);
  } catch (error) {
    return waited(one, error instanceof Error ? error.message : "unknown", now);
  }
}

// Later and later, at most an hour, and for ever: late is better than never.
function waited(one: CommunicationRow, error: string, now: number): CommunicationChange {
  const attempts = one.state === "waiting" ? one.attempts : one.attempts + 1;
  return { attempts, error, nextAt: now + Math.min(LONGEST_WAIT, MINUTE * 2 ** Math.min(attempts, 10)) };
}

// What the ministry has though nobody knows its lot was told: the answer was lost, and the ministry names nothing of it
// to ask for. What it has refused is refused again.
async function sendOne(channel: RegisterChannel, one: CommunicationRow, now: number): Promise<CommunicationChange> {
  const { lot, error, isKnown } = await channel.send(one.kind, one.xml);
  if (lot) return { state: "sent", lot, error: null, nextAt: now };
  const state = isKnown && one.lot === null ? "accepted" : "refused";
  return { state, error: error ?? null, answeredAt: now };
}

// To be annulled, and its lot was never heard of. What was answered for is there; else, sent again, it names itself.
// What is there without a name a person takes back on the ministry's pages: it lists there.
async function nameOne(channel: RegisterChannel, one: CommunicationRow, now: number): Promise<CommunicationChange> {
  const byHand = { state: "refused", error: TO_ANNUL_BY_HAND, answeredAt: now } as const;
  if (one.answeredAt !== null) return byHand;
  const { lot, error, isKnown } = await channel.send(one.kind, one.xml);
  if (lot) return { lot, error: null, nextAt: now };
  return isKnown ? byHand : { state: "annulled", error: error ?? null, answeredAt: now };
}

async function askAbout(channel: RegisterChannel, one: CommunicationRow, now: number): Promise<CommunicationChange> {
  const answer = await channel.ask(one.lot ?? "");
  if (!answer || answer.state === "works") return { nextAt: now + MINUTE };
  const isAnnulling = one.state === "annulling";
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

async function annulOne(channel: RegisterChannel, one: CommunicationRow, now: number): Promise<CommunicationChange> {
  const { lot, error, isKnown } = await channel.annul(one.code ?? "");
  // As above; what the ministry has refused to take back stays refused, in its words.
  if (isKnown && !REFUSED.test(one.error ?? "")) return { state: "annulled", answeredAt: now };
  if (isKnown) return waited(one, one.error ?? "", now);
  return lot ? { annulmentLot: lot, nextAt: now } : waited(one, error ?? "annulment refused", now);
}

async function askAboutAnnulment(
  channel: RegisterChannel,
  one: CommunicationRow,
  now: number,
): Promise<CommunicationChange> {
  const answer = await channel.ask(one.annulmentLot ?? "");
  if (!answer || answer.state === "works") return { nextAt: now + MINUTE };
  if (answer.state === "done") return { state: "annulled", answeredAt: now };
  return { ...waited(one, answer.error ?? "annulment refused", now), annulmentLot: null };
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
