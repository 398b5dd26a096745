import { keepMail } from "../store/mailbox.ts";
import type { Tenant } from "../tenancy/tenant.ts";

/** A mail, in text and in HTML. */
export interface WrittenMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Hands a mail to the `send_email` binding; development also keeps it for /dev/mailbox. */
export async function sendMail(
  tenant: Tenant,
  mail: WrittenMail & { readonly recipient: string; readonly company: string },
  now: number,
): Promise<void> {
  const { recipient, company, subject, text, html } = mail;
  if (DEVELOPMENT_BUILD) await keepMail(tenant.db, { sentAt: now, recipient, subject, text, html });
  const from = { name: company, email: tenant.outgoingMail.from };
  await tenant.outgoingMail.binding.send({ from, to: recipient, subject, text, html });
}
