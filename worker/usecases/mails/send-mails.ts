import { decryptSecret, encryptSecret } from "#worker/auth/secret-encryption.ts";
import type { WrittenMail } from "#worker/mail/written-mail.ts";
import {
  claimDueMails,
  deleteSentMail,
  type OutgoingMail,
  postponeMail,
  saveMailProblem,
} from "#worker/store/mails/outgoing-mails.ts";
import {
  type ConditionalMail,
  cancelQueuedMail,
  filterStillRelevantMails,
  type MailIdentity,
  recordMailResultStatement,
  type UpcomingEventMail,
} from "#worker/store/operations/booking-mails.ts";
import { saveDevelopmentMail } from "#worker/store/operations/mailbox.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

interface AddressedMail extends WrittenMail {
  readonly recipient: string;
  readonly company: string;
  /** Upcoming event that the mail announces. It's checked again before the mail is sent. */
  readonly near?: UpcomingEventMail | undefined;
  /** Booking, kind and recipient of a booking mail. */
  readonly identity?: MailIdentity | undefined;
  readonly attachments?: readonly MailAttachment[] | undefined;
}

/** Attached file, Base64. A PDF unless it names another type. */
export interface MailAttachment {
  readonly name: string;
  readonly base64: string;
  readonly type?: "text/calendar" | "application/xml" | "application/pdf";
}

interface OpenedMail {
  readonly id: number;
  readonly attempts: number;
  readonly mail?: AddressedMail;
  readonly toHold?: ConditionalMail | undefined;
  readonly problem?: string;
}

const FIRST_WAIT_MILLISECONDS = 60_000;
/** Maximum delay between attempts, so that pending mails are sent soon after a long outage of the mail service. */
const MAX_RETRY_DELAY_MS = 30 * 60_000;
const RETRY_BATCH_SIZE = 20;

/**
 * Creates an encrypted mail for the outbox, stored in the batch of its cause. It's tried from `nextAt` until
 * `uselessAt`.
 */
export async function encryptOutgoingMail(
  tenant: Tenant,
  mail: AddressedMail,
  now: number,
  uselessAt: number,
): Promise<OutgoingMail> {
  const sealed = await encryptSecret(tenant.masterKey, tenant.name, JSON.stringify(mail));
  return { sealed, subject: mail.subject, nextAt: now + FIRST_WAIT_MILLISECONDS, uselessAt, createdAt: now };
}

/**
 * Sends a stored mail immediately through the `send_email` binding. Development also stores it for /dev/mailbox. If it
 * fails or the process ends, `resendMails` retries.
 */
export async function sendOutgoingMail(tenant: Tenant, id: number, mail: AddressedMail, now: number): Promise<void> {
  const { recipient, subject, text, html } = mail;
  if (DEVELOPMENT_BUILD) await saveDevelopmentMail(tenant.db, { sentAt: now, recipient, subject, text, html });
  const problem = await deliverMail(tenant, mail);
  if (problem === undefined) return deleteSentMail(tenant.db, id);
  console.log(JSON.stringify({ level: "error", account: tenant.name, operation: "send_mail", defect: problem }));
  await saveMailProblem(tenant.db, id, problem);
}

/**
 * Retries due mails with a doubling delay of at most half an hour. Withdraws reminders that no longer apply and delayed
 * news that is outdated. Returns the number of sent mails.
 */
export async function resendMails(tenant: Tenant, now: number): Promise<number> {
  let sentCount = 0;
  const dueMails = await claimDueMails(tenant.db, now, RETRY_BATCH_SIZE);
  const opened = await Promise.all(dueMails.map((item) => openMail(tenant, item)));
  const stillSo = await filterStillRelevantMails(
    tenant.db,
    opened.flatMap(({ toHold }) => toHold ?? []),
  );
  for (const { id, attempts, toHold, ...one } of opened) {
    const mailIdentity = one.mail?.identity;
    if (mailIdentity && toHold && !stillSo.has(toHold)) {
      await cancelQueuedMail(tenant.db, id, mailIdentity);
      continue;
    }
    const createResultStatements = (became: Parameters<typeof recordMailResultStatement>[2]) =>
      mailIdentity ? [recordMailResultStatement(tenant.db, mailIdentity, became)] : [];
    const problem = one.mail ? await deliverMail(tenant, one.mail) : one.problem;
    if (problem === undefined) {
      await deleteSentMail(tenant.db, id, createResultStatements({ sentAt: now }));
      sentCount += 1;
    } else {
      const nextAt = now + Math.min(FIRST_WAIT_MILLISECONDS * 2 ** attempts, MAX_RETRY_DELAY_MS);
      await postponeMail(tenant.db, id, {
        nextAt,
        lastError: problem,
        relatedQueries: createResultStatements({ lastError: problem }),
      });
    }
  }
  return sentCount;
}

// A mail that can't be opened doesn't stop the others.
async function openMail(
  tenant: Tenant,
  { id, attempts, sealed }: { readonly id: number; readonly attempts: number; readonly sealed: string },
): Promise<OpenedMail> {
  try {
    const mail = JSON.parse(await decryptSecret(tenant, sealed)) as AddressedMail;
    return { id, attempts, mail, toHold: mail.near ?? getDelayedNotification(mail, attempts) };
  } catch (error) {
    return { id, attempts, problem: getErrorName(error) };
  }
}

// Returns the event that must still apply when a delayed mail is sent, because a later mail may have replaced it. A
// mail about a request is always checked, because it's delayed while the customer pays.
function getDelayedNotification({ identity }: AddressedMail, attempts: number): ConditionalMail | undefined {
  if (!identity || identity.bookingId === null) return undefined;
  const isDelayedNews = identity.kind === "request_received" || (identity.kind === "confirmed" && attempts > 1);
  return isDelayedNews ? { bookingId: identity.bookingId, kind: identity.kind } : undefined;
}

// Mail servers know an international domain by its ASCII form.
function toAsciiDomain(recipient: string): string {
  const at = recipient.lastIndexOf("@") + 1;
  const url = `http://${recipient.slice(at)}`;
  return /[^ -~]/.test(url) && URL.canParse(url) ? recipient.slice(0, at) + new URL(url).hostname : recipient;
}

// Only the error's kind is stored, because the mail service's message may contain the recipient.
async function deliverMail(
  tenant: Tenant,
  { recipient, company, subject, text, html, attachments }: AddressedMail,
): Promise<string | undefined> {
  const from = { name: company, email: tenant.outgoingMail.from };
  try {
    await tenant.outgoingMail.binding.send({
      ...{ from, to: toAsciiDomain(recipient), subject, text, html },
      ...(attachments && {
        attachments: attachments.map(({ name: filename, base64: content, type = "application/pdf" }) => ({
          ...{ disposition: "attachment" as const, filename, type, content },
        })),
      }),
    });
    return undefined;
  } catch (error) {
    return getErrorName(error);
  }
}

const getErrorName = (error: unknown) => (error instanceof Error ? error.name : "unknown");
