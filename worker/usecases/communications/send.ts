import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { RegisterChannel } from "#worker/authorities/register.ts";
import {
  type CommunicationRow,
  changeCommunicationStatement,
  leaseStatement,
  openCommunicationsQuery,
} from "#worker/store/communications/communications.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { openChannel } from "./channel.ts";

const AT_ONCE = 20;
const MINUTE = 60_000;
const LONGEST_WAIT = 60 * MINUTE;
/** Begins with one of the ministry's codes. */
const REFUSED = /^\d{5}/;
const NAMELESS = "to be annulled on the ministry's own pages: the answer that named it was lost";

/** Sends what waits and asks about what the ministry works on; answers how many it said something of. */
export async function sendCommunications(tenant: Tenant, settings: Settings, now: number): Promise<number> {
  const [open] = await tenant.db.batch([openCommunicationsQuery(tenant.db, now, AT_ONCE)]);
  if (open.length === 0) return 0;
  const channel = await openChannel(tenant, settings);
  await tenant.db.batch([
    leaseStatement(
      tenant.db,
      open.map(({ id }) => id),
      now + 2 * MINUTE,
    ),
  ]);
  let count = 0;
  for (const one of open) {
    const change = channel ? await step(channel, one, now) : waited(one, "credentials_missing", now);
    await tenant.db.batch([changeCommunicationStatement(tenant.db, one.id, change)]);
    if (change.answeredAt) count += 1;
  }
  return count;
}

type Change = Parameters<typeof changeCommunicationStatement>[2];

// One thing at a time: sent, asked about, taken back, asked about again.
async function step(channel: RegisterChannel, one: CommunicationRow, now: number): Promise<Change> {
  try {
    if (one.state === "waiting") return await sendOne(channel, one, now);
    // A person takes it back on the ministry's pages: it lists there, and is asked for by no name that we have.
    if (one.lot === null && one.code === null) return { state: "refused", error: NAMELESS, answeredAt: now };
    if (one.state === "sent" || (one.state === "annulling" && one.code === null))
      return await askAbout(channel, one, now);
    return one.annulmentLot === null ? await annulOne(channel, one, now) : await askAboutAnnulment(channel, one, now);
  } catch (error) {
    return waited(one, error instanceof Error ? error.message : "unknown", now);
  }
}

// Later and later, at most an hour, and for ever: late is better than never.
function waited(one: CommunicationRow, error: string, now: number): Change {
  const attempts = one.attempts + 1;
  return { attempts, error, nextAt: now + Math.min(LONGEST_WAIT, MINUTE * 2 ** Math.min(attempts, 10)) };
}

// What the ministry has though nobody knows its lot was told: the answer was lost, and the ministry names nothing of it
// to ask for. What it has refused is refused again.
async function sendOne(channel: RegisterChannel, one: CommunicationRow, now: number): Promise<Change> {
  const { lot, error, isKnown } = await channel.send(one.kind, one.xml);
  if (lot) return { state: "sent", lot, error: null, attempts: one.attempts + 1, nextAt: now };
  const state = isKnown && one.lot === null ? "accepted" : "refused";
  return { state, error: error ?? null, attempts: one.attempts + 1, answeredAt: now };
}

async function askAbout(channel: RegisterChannel, one: CommunicationRow, now: number): Promise<Change> {
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

async function annulOne(channel: RegisterChannel, one: CommunicationRow, now: number): Promise<Change> {
  const { lot, error, isKnown } = await channel.annul(one.code ?? "");
  // As above; what the ministry has refused to take back stays refused, in its words.
  if (isKnown && !REFUSED.test(one.error ?? "")) return { state: "annulled", answeredAt: now };
  if (isKnown) return waited(one, one.error ?? "", now);
  return lot ? { annulmentLot: lot, nextAt: now } : waited(one, error ?? "annulment refused", now);
}

async function askAboutAnnulment(channel: RegisterChannel, one: CommunicationRow, now: number): Promise<Change> {
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
