import {
  type AccountAlert,
  type AccountHealth,
  diffAlerts,
  findAccountAlerts,
  findRequestAlerts,
} from "#domain/operations/alerts.ts";
import { formatAlertLine, writeAlertMail } from "#worker/mail/alert-mail.ts";
import { countRequestsByAccount } from "#worker/store/operations/request-counts.ts";
import { openAlertStore } from "#worker/tenancy/alert-store.ts";
import { findRequestCountsReadAccess, getAlertRecipients, getCellName } from "#worker/tenancy/deployment.ts";

/** Health of the accounts checked in this run. Undefined if a database didn't answer. */
export type HealthByAccount = ReadonlyMap<string, AccountHealth | undefined>;

/** A check of a cell's accounts. */
interface AlertCheck {
  readonly healthByAccount: HealthByAccount;
  /** Names of all served accounts of the cell. */
  readonly names: ReadonlySet<string>;
  readonly checksRequests: boolean;
  readonly now: number;
}

const COUNTED_MINUTES = 15;

/** The dataset of requests is that of all cells. The first one reports requests without an account. */
const FIRST_CELL = "01";
const NO_ACCOUNT = "-";

/**
 * Compares the current alerts with the stored ones and notifies the operator of new and resolved alerts, once. Checks
 * requests if `checksRequests` is set and the deployment can read its counts. Returns the number of notified alerts. A
 * failed notification is retried at the next check.
 */
export async function notifyOperatorAboutAlerts(
  env: Cloudflare.Env,
  { healthByAccount, names, checksRequests, now }: AlertCheck,
): Promise<number> {
  const book = await openAlertStore(env);
  if (!book) return 0;
  const isOwn = (account: string) => names.has(account) || (account === NO_ACCOUNT && getCellName(env) === FIRST_CELL);
  const requestAlerts = checksRequests
    ? (await findDeploymentAlerts(env))?.filter((alarm) => isOwn(alarm.account))
    : undefined;
  const accountAlerts = [...healthByAccount].flatMap(([account, keeping]) => findAccountAlerts(account, keeping, now));
  const isRequestAlert = ({ kind }: AccountAlert) => kind === "errors" || kind === "slow";
  // Alerts of accounts that were paused, moved or deleted end.
  const wasChecked = (alarm: AccountAlert) =>
    !isOwn(alarm.account) || (isRequestAlert(alarm) ? requestAlerts !== undefined : healthByAccount.has(alarm.account));
  const { active, started, resolved } = diffAlerts(book.activeAlerts, [...accountAlerts, ...(requestAlerts ?? [])], {
    wasChecked,
    now,
  });
  if (active.length === 0 && book.activeAlerts.length === 0) return 0;
  const notifiedAlerts = started.map((alarm) => ({ ...alarm, isNotified: true }));
  // Save first. If two cron runs compete, only the one with the successful save notifies.
  const after = active.map((ringing) => notifiedAlerts.find((other) => isSame(other, ringing)) ?? ringing);
  if (!(await book.save(after)) || started.length + resolved.length === 0) return 0;
  try {
    await notify(env, { begun: started, over: resolved });
  } catch (error) {
    const again = await openAlertStore(env);
    // If sending failed, the saved alerts are reset, so that the next check reports the resolved ones.
    await again?.save([...active, ...resolved]);
    throw error;
  }
  return started.length + resolved.length;
}

const isSame = (a: AccountAlert, b: AccountAlert) => a.kind === b.kind && a.account === b.account;

async function findDeploymentAlerts(env: Cloudflare.Env): Promise<readonly AccountAlert[] | undefined> {
  const dataset = findRequestCountsReadAccess(env);
  if (!dataset) return undefined;
  const counts = await countRequestsByAccount(dataset, COUNTED_MINUTES);
  return [...counts].flatMap(([account, requestCounts]) => findRequestAlerts(account, requestCounts));
}

// Notifies the operator by each configured channel. Throws if none of them accepted the alerts. An alert that one
// channel accepted isn't repeated, because a failing webhook would repeat the mail at every check.
async function notify(
  env: Cloudflare.Env,
  notifiedAlerts: { readonly begun: readonly AccountAlert[]; readonly over: readonly AccountAlert[] },
): Promise<void> {
  const { mail, webhook } = getAlertRecipients(env);
  const written = writeAlertMail(env.BASE_DOMAIN, notifiedAlerts);
  for (const alarm of notifiedAlerts.begun)
    console.log(JSON.stringify({ level: "error", operation: "alarm", ...alarm }));
  const sent = await Promise.allSettled([
    ...(mail ? [mailAlerts(env, mail, written)] : []),
    ...(webhook ? [postAlerts(webhook, written.subject, notifiedAlerts)] : []),
  ]);
  const failures = sent.filter(({ status }) => status === "rejected");
  if (failures.length === 0) return;
  if (failures.length === sent.length) throw new Error("no channel accepted an alert");
  console.log(JSON.stringify({ level: "error", operation: "send_alerts", defect: "one of the channels failed" }));
}

async function mailAlerts(
  env: Cloudflare.Env,
  to: string,
  { subject, text, html }: ReturnType<typeof writeAlertMail>,
): Promise<void> {
  await env.MAIL.send({ from: { name: env.BASE_DOMAIN, email: env.MAIL_FROM }, to, subject, text, html });
}

async function postAlerts(
  webhook: string,
  subject: string,
  notifiedAlerts: { readonly begun: readonly AccountAlert[]; readonly over: readonly AccountAlert[] },
): Promise<void> {
  const body = JSON.stringify({
    text: [subject, ...notifiedAlerts.begun.map(formatAlertLine)].join("\n"),
    ...notifiedAlerts,
  });
  const answer = await fetch(webhook, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error("the operator's webhook did not take an alarm");
}
