import { seal, unseal } from "#worker/auth/sealing.ts";
import type { WrittenMail } from "#worker/mail/written-mail.ts";
import {
  findStillSo,
  type NearMail,
  type ToHold,
  type ToldMail,
  takeBack,
  toldStatement,
} from "#worker/store/operations/booking-mails.ts";
import { keepMail } from "#worker/store/operations/mailbox.ts";
import {
  forgetSent,
  noteProblem,
  postpone,
  takeDue,
  type WaitingMail,
} from "#worker/store/operations/outgoing-mails.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

interface AddressedMail extends WrittenMail {
  readonly recipient: string;
  readonly company: string;
  /** Of a mail that says what is near: what has to be so still when it goes out. */
  readonly near?: NearMail | undefined;
  /** Of a mail of a booking: what it tells to whom. */
  readonly told?: ToldMail | undefined;
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
const LONGEST_WAIT_MILLISECONDS = 30 * 60_000;
const TRIED_AT_ONCE = 20;

/**
 * A mail as it waits for its turn, to be kept in the batch of what causes it: sealed, and tried from `nextAt` on until
 * `uselessAt`.
 */
export async function waitingMail(
  tenant: Tenant,
  mail: AddressedMail,
  now: number,
  uselessAt: number,
): Promise<WaitingMail> {
  const sealed = await seal(tenant.masterKey, tenant.name, JSON.stringify(mail));
  return { sealed, subject: mail.subject, nextAt: now + FIRST_WAIT_MILLISECONDS, uselessAt, createdAt: now };
}

/**
 * Hands a mail that waits to the `send_email` binding, before its turn; development also keeps it for /dev/mailbox.
 * Where that fails, or the process ends before, `resendMails` tries again.
 */
export async function sendWaiting(tenant: Tenant, id: number, mail: AddressedMail, now: number): Promise<void> {
  const { recipient, subject, text, html } = mail;
  if (DEVELOPMENT_BUILD) await keepMail(tenant.db, { sentAt: now, recipient, subject, text, html });
  const problem = await handOver(tenant, mail);
  if (problem === undefined) return forgetSent(tenant.db, id);
  console.log(JSON.stringify({ level: "error", account: tenant.name, operation: "send_mail", defect: problem }));
  await noteProblem(tenant.db, id, problem);
}

/**
 * Tries the mails again whose turn it is, each after twice as long, half an hour at most; what was near and is not any
 * more, or at another time, and what came late and was overtaken, is taken back unsent. Answers how many went out.
 */
export async function resendMails(tenant: Tenant, now: number): Promise<number> {
  let sent = 0;
  const taken = await takeDue(tenant.db, now, TRIED_AT_ONCE);
  const opened = await Promise.all(taken.map((one) => openMail(tenant, one)));
  const stillSo = await findStillSo(
    tenant.db,
    opened.flatMap(({ toHold }) => toHold ?? []),
  );
  for (const { id, attempts, toHold, ...one } of opened) {
    const told = one.mail?.told;
    if (told && toHold && !stillSo.has(toHold)) {
      await takeBack(tenant.db, id, told);
      continue;
    }
    const becameOf = (became: Parameters<typeof toldStatement>[2]) =>
      told ? [toldStatement(tenant.db, told, became)] : [];
    const problem = one.mail ? await handOver(tenant, one.mail) : one.problem;
    if (problem === undefined) {
      await forgetSent(tenant.db, id, becameOf({ sentAt: now }));
      sent += 1;
    } else {
      const nextAt = now + Math.min(FIRST_WAIT_MILLISECONDS * 2 ** attempts, LONGEST_WAIT_MILLISECONDS);
      await postpone(tenant.db, id, { nextAt, lastError: problem, beside: becameOf({ lastError: problem }) });
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
    return { id, attempts, mail, toHold: mail.near ?? lateNewsOf(mail, attempts) };
  } catch (error) {
    return { id, attempts, problem: kindOf(error) };
  }
}

// What was cancelled, or went on, while nobody could be told is told by that.
function lateNewsOf({ told }: AddressedMail, attempts: number): ToHold | undefined {
  const isNews = told?.kind === "confirmed" || told?.kind === "request_received";
  return attempts > 1 && isNews ? { bookingId: told.bookingId, kind: told.kind } : undefined;
}

// Only the kind of the trouble is kept: the post office's own words may name the person.
async function handOver(
  tenant: Tenant,
  { recipient, company, subject, text, html }: AddressedMail,
): Promise<string | undefined> {
  const from = { name: company, email: tenant.outgoingMail.from };
  try {
    await tenant.outgoingMail.binding.send({ from, to: recipient, subject, text, html });
    return undefined;
  } catch (error) {
    return kindOf(error);
  }
}

const kindOf = (error: unknown) => (error instanceof Error ? error.name : "unknown");
