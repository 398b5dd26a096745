import {
  type Alarm,
  alarmsOfAccount,
  alarmsOfRequests,
  compareAlarms,
  type Keeping,
} from "#domain/operations/alarms.ts";
import { alarmLine, writeAlarmMail } from "#worker/mail/alarm-mail.ts";
import { countRequests } from "#worker/store/operations/request-counts.ts";
import { openAlarmBook } from "#worker/tenancy/alarm-book.ts";
import { operatorOf, requestsAccess } from "#worker/tenancy/deployment.ts";

/** Of the accounts whose turn it was: what their databases said; undefined where one did not answer. */
export type Looks = ReadonlyMap<string, Keeping | undefined>;

const COUNTED_MINUTES = 15;

/**
 * Compares what was found with what rang before, and tells the operator once of what is new and of what is over.
 * Requests are looked at where `looksAtRequests` and the deployment may read its counts. Answers of how many it told;
 * what could not be told is told at the next look.
 */
export async function ringAlarms(
  env: Cloudflare.Env,
  { looks, looksAtRequests, now }: { readonly looks: Looks; readonly looksAtRequests: boolean; readonly now: number },
): Promise<number> {
  const book = await openAlarmBook(env);
  if (!book) return 0;
  const ofRequests = looksAtRequests ? await alarmsOfDeployment(env) : undefined;
  const found = [...looks].flatMap(([account, keeping]) => alarmsOfAccount(account, keeping, now));
  const isOfRequests = ({ kind }: Alarm) => kind === "errors" || kind === "slow";
  const wasLookedAt = (alarm: Alarm) => (isOfRequests(alarm) ? ofRequests !== undefined : looks.has(alarm.account));
  const { ringing, begun, over } = compareAlarms(book.ringing, [...found, ...(ofRequests ?? [])], { wasLookedAt, now });
  if (ringing.length === 0 && book.ringing.length === 0) return 0;
  const told = begun.map((alarm) => ({ ...alarm, isTold: true }));
  // Written first: of two clocks that look at once, the one whose word stands tells.
  const after = ringing.map((one) => told.find((other) => isSame(other, one)) ?? one);
  if (!(await book.save(after)) || begun.length + over.length === 0) return 0;
  try {
    await notify(env, { begun, over });
  } catch (error) {
    const again = await openAlarmBook(env);
    // As if nobody had looked: what is over is still there to be told of.
    await again?.save([...ringing, ...over]);
    throw error;
  }
  return begun.length + over.length;
}

const isSame = (a: Alarm, b: Alarm) => a.kind === b.kind && a.account === b.account;

async function alarmsOfDeployment(env: Cloudflare.Env): Promise<readonly Alarm[] | undefined> {
  const dataset = requestsAccess(env);
  if (!dataset) return undefined;
  const counts = await countRequests(dataset, COUNTED_MINUTES);
  return [...counts].flatMap(([account, asked]) => alarmsOfRequests(account, asked));
}

async function notify(
  env: Cloudflare.Env,
  told: { readonly begun: readonly Alarm[]; readonly over: readonly Alarm[] },
): Promise<void> {
  const { mail, webhook } = operatorOf(env);
  const { subject, text, html } = writeAlarmMail(env.BASE_DOMAIN, told);
  for (const alarm of told.begun) console.log(JSON.stringify({ level: "error", operation: "alarm", ...alarm }));
  if (mail) {
    const from = { name: env.BASE_DOMAIN, email: env.MAIL_FROM };
    await env.MAIL.send({ from, to: mail, subject, text, html });
  }
  if (webhook) {
    const body = JSON.stringify({ text: [subject, ...told.begun.map(alarmLine)].join("\n"), ...told });
    const answer = await fetch(webhook, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error("the operator's webhook did not take an alarm");
  }
}
