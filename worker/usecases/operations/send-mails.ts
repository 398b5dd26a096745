import { seal, unseal } from "#worker/auth/sealing.ts";
import type { WrittenMail } from "#worker/mail/written-mail.ts";
import {
  filterStillRelevant,
  type MailIdentity,
  type NearMail,
  recordMailResult,
  type ToHold,
  takeBack,
} from "#worker/store/operations/booking-mails.ts";
import { keepMail } from "#worker/store/operations/mailbox.ts";
import {
  deleteSentMail,
  noteProblem,
  type OutgoingMail,
  postpone,
  takeDue,
} from "#worker/store/operations/outgoing-mails.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

interface AddressedMail extends WrittenMail {
  readonly recipient: string;
  readonly company: string;
  /** Of a mail that says what is near: what has to be so still when it goes out. */
  readonly near?: NearMail | undefined;
  /** Of a mail of a booking: what it tells to whom. */
  readonly told?: MailIdentity | undefined;
}

interface OpenedMail {
  readonly id: number;
  readonly attempts: number;
  readonly mail?: AddressedMail;
  readonly toHold?: ToHold | undefined;
  readonly problem?: string;
}

const FIRST_WAIT_MILLISECONDS = 60_000;
/** However long the post office has been away: what waits goes out soon after it is back. */
const MAX_RETRY_DELAY_MS = 30 * 60_000;
const RETRY_BATCH_SIZE = 20;

/**
 * A mail as it waits for its turn, to be kept in the batch of what causes it: sealed, and tried from `nextAt` on until
 * `uselessAt`.
 */
export async function createOutgoingMail(
  tenant: Tenant,
  mail: AddressedMail,
  now: number,
  uselessAt: number,
): Promise<OutgoingMail> {
  const sealed = await seal(tenant.masterKey, tenant.name, JSON.stringify(mail));
  return { sealed, subject: mail.subject, nextAt: now + FIRST_WAIT_MILLISECONDS, uselessAt, createdAt: now };
}

/**
 * Hands a mail that waits to the `send_email` binding, before its turn; development also keeps it for /dev/mailbox.
 * Where that fails, or the process ends before, `resendMails` tries again.
 */
export async function sendOutgoingMail(tenant: Tenant, id: number, mail: AddressedMail, now: number): Promise<void> {
  const { recipient, subject, text, html } = mail;
  if (DEVELOPMENT_BUILD) await keepMail(tenant.db, { sentAt: now, recipient, subject, text, html });
  const problem = await deliverMail(tenant, mail);
  if (problem === undefined) return deleteSentMail(tenant.db, id);
  console.log(JSON.stringify({ level: "error", account: tenant.name, operation: "send_mail", defect: problem }));
  await noteProblem(tenant.db, id, problem);
}

/**
 * Tries the mails again whose turn it is, each after twice as long, half an hour at most; what was near and is not any
 * more, or at another time, and what came late and was overtaken, is taken back unsent. Answers how many went out.
 */
export async function resendMails(tenant: Tenant, now: number): Promise<number> {
  let sent = 0;
  const dueMails = await takeDue(tenant.db, now, RETRY_BATCH_SIZE);
  const opened = await Promise.all(dueMails.map((item) => openMail(tenant, item)));
  const stillSo = await filterStillRelevant(
    tenant.db,
    opened.flatMap(({ toHold }) => toHold ?? []),
  );
  for (const { id, attempts, toHold, ...one } of opened) {
    const mailIdentity = one.mail?.told;
    if (mailIdentity && toHold && !stillSo.has(toHold)) {
      await takeBack(tenant.db, id, mailIdentity);
      continue;
    }
    const createResultStatements = (became: Parameters<typeof recordMailResult>[2]) =>
      mailIdentity ? [recordMailResult(tenant.db, mailIdentity, became)] : [];
    const problem = one.mail ? await deliverMail(tenant, one.mail) : one.problem;
    if (problem === undefined) {
      await deleteSentMail(tenant.db, id, createResultStatements({ sentAt: now }));
      sent += 1;
    } else {
      const nextAt = now + Math.min(FIRST_WAIT_MILLISECONDS * 2 ** attempts, MAX_RETRY_DELAY_MS);
      await postpone(tenant.db, id, {
        nextAt,
        lastError: problem,
        beside: createResultStatements({ lastError: problem }),
      });
    }
  }
  return sent;
}

// One that cannot be opened stops no other.
async function openMail(
  tenant: Tenant,
  { id, attempts, sealed }: { readonly id: number; readonly attempts: number; readonly sealed: string },
): Promise<OpenedMail> {
  try {
    const mail = JSON.parse(await unseal(tenant, sealed)) as AddressedMail;
    return { id, attempts, mail, toHold: mail.near ?? getDelayedNotification(mail, attempts) };
  } catch (error) {
    return { id, attempts, problem: getErrorName(error) };
  }
}

// What was cancelled, or went on, while nobody could be told is told by that.
function getDelayedNotification({ told }: AddressedMail, attempts: number): ToHold | undefined {
  const isDelayedNews = told?.kind === "confirmed" || told?.kind === "request_received";
  return attempts > 1 && isDelayedNews ? { bookingId: told.bookingId, kind: told.kind } : undefined;
}

// Only the kind of the trouble is kept: the post office's own words may name the person.
async function deliverMail(
  tenant: Tenant,
  { recipient, company, subject, text, html }: AddressedMail,
): Promise<string | undefined> {
  const from = { name: company, email: tenant.outgoingMail.from };
  try {
    await tenant.outgoingMail.binding.send({ from, to: recipient, subject, text, html });
    return undefined;
  } catch (error) {
    return getErrorName(error);
  }
}

const getErrorName = (error: unknown) => (error instanceof Error ? error.name : "unknown");
