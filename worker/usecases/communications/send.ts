import type { Settings } from "#domain/catalogue/catalogue.ts";
import { tryUnseal } from "#worker/auth/sealing.ts";
import { annulmentXml } from "#worker/authorities/ses/communication-xml.ts";
import { readLotAnswer, readSesAnswer, sesLotRequest, sesRequest } from "#worker/authorities/ses/envelope.ts";
import {
  type CommunicationRow,
  changeCommunicationStatement,
  leaseStatement,
  openCommunicationsQuery,
} from "#worker/store/communications/communications.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

const SERVICE = {
  test: "https://hospedajes.pre-ses.mir.es/hospedajes-web/ws/v1/comunicacion",
  production: "https://hospedajes.ses.mir.es/hospedajes-web/ws/v1/comunicacion",
} as const;
const AT_ONCE = 20;
const MINUTE = 60_000;
const LONGEST_WAIT = 60 * MINUTE;
const ANSWER_MILLISECONDS = 30_000;

interface Sender {
  readonly lessor: string;
  ask(body: string): Promise<string>;
}

/** Sends what waits and asks about what the ministry works on; answers how many it said something of. */
export async function sendCommunications(tenant: Tenant, settings: Settings, now: number): Promise<number> {
  const sender = await senderOf(tenant, settings);
  const [open] = await tenant.db.batch([openCommunicationsQuery(tenant.db, now, AT_ONCE)]);
  if (open.length === 0) return 0;
  await tenant.db.batch([
    leaseStatement(
      tenant.db,
      open.map(({ id }) => id),
      now + 2 * MINUTE,
    ),
  ]);
  let count = 0;
  for (const one of open) {
    const change = sender ? await step(sender, one, now) : waited(one, "credentials_missing", now);
    await tenant.db.batch([changeCommunicationStatement(tenant.db, one.id, change)]);
    if (change.answeredAt) count += 1;
  }
  return count;
}

async function senderOf(tenant: Tenant, settings: Settings): Promise<Sender | undefined> {
  const { sesLessorCode: lessor, sesUser: user, sesPasswordSealed: sealed, sesEnvironment } = settings;
  const reach = tenant.reach("ses");
  const password = sealed && (await tryUnseal(tenant, sealed));
  if (!lessor || !user || !password || !reach) return undefined;
  const headers = {
    "Content-Type": "text/xml; charset=utf-8",
    SOAPAction: '""',
    Authorization: `Basic ${btoa(`${user}:${password}`)}`,
  };
  const ask = async (body: string) => {
    const signal = AbortSignal.timeout(ANSWER_MILLISECONDS);
    const answer = await reach(new Request(SERVICE[sesEnvironment], { method: "POST", headers, body, signal }));
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return answer.text();
  };
  return { lessor, ask };
}

type Change = Parameters<typeof changeCommunicationStatement>[2];

// One thing at a time: sent, asked about, taken back, asked about again.
async function step(sender: Sender, one: CommunicationRow, now: number): Promise<Change> {
  try {
    if (one.state === "waiting") return await sendOne(sender, one, now);
    if (one.state === "sent" || (one.state === "annulling" && one.code === null))
      return await askAbout(sender, one, now);
    return one.annulmentLot === null ? await annulOne(sender, one, now) : await askAboutAnnulment(sender, one, now);
  } catch (error) {
    return waited(one, error instanceof Error ? error.message : "unknown", now);
  }
}

// Later and later, at most an hour, and for ever: late is better than never.
function waited(one: CommunicationRow, error: string, now: number): Change {
  const attempts = one.attempts + 1;
  return { attempts, error, nextAt: now + Math.min(LONGEST_WAIT, MINUTE * 2 ** Math.min(attempts, 10)) };
}

async function sendOne({ lessor, ask }: Sender, one: CommunicationRow, now: number): Promise<Change> {
  const { lot, error } = readSesAnswer(await ask(sesRequest({ lessor, operation: "A", kind: one.kind }, one.xml)));
  if (lot) return { state: "sent", lot, error: null, attempts: one.attempts + 1, nextAt: now };
  return { state: "refused", error: error ?? null, attempts: one.attempts + 1, answeredAt: now };
}

async function askAbout({ ask }: Sender, one: CommunicationRow, now: number): Promise<Change> {
  const answer = readLotAnswer(await ask(sesLotRequest([one.lot ?? ""])))[0];
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

async function annulOne({ lessor, ask }: Sender, one: CommunicationRow, now: number): Promise<Change> {
  const xml = annulmentXml(one.code ?? "");
  const { lot, error } = readSesAnswer(await ask(sesRequest({ lessor, operation: "B", kind: undefined }, xml)));
  return lot ? { annulmentLot: lot, nextAt: now } : waited(one, error ?? "annulment refused", now);
}

async function askAboutAnnulment({ ask }: Sender, one: CommunicationRow, now: number): Promise<Change> {
  const answer = readLotAnswer(await ask(sesLotRequest([one.annulmentLot ?? ""])))[0];
  if (!answer || answer.state === "works") return { nextAt: now + MINUTE };
  if (answer.state === "done") return { state: "annulled", answeredAt: now };
  return { ...waited(one, answer.error ?? "annulment refused", now), annulmentLot: null };
}

/** Tries the connection by a question that registers nothing; what is wrong, or nothing. */
export async function trySes(tenant: Tenant, settings: Settings): Promise<string | undefined> {
  const sender = await senderOf(tenant, settings);
  if (!sender) return "credentials_missing";
  try {
    await sender.ask(sesLotRequest(["0"]));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : "unknown";
  }
}
