import { spokenLanguage } from "#domain/catalogue/languages.ts";
import { type Notice, writeNoticeMail } from "#worker/mail/notice-mail.ts";
import { keepWaiting } from "#worker/store/operations/outgoing-mails.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { sendWaiting, waitingMail } from "#worker/usecases/operations/send-mails.ts";

const USELESS_MILLISECONDS = 48 * 3_600_000;

/** Tells a user by mail of something that they should know of if it was not they; kept until it went out. */
export async function sendNotice(
  tenant: Tenant,
  { email, language }: { readonly email: string; readonly language: string | undefined },
  notice: Notice,
  now: number,
): Promise<void> {
  const { settings } = (await tenant.snapshot()).catalogue;
  const { date, time } = civilNow(settings.timezone, now);
  const spoken = spokenLanguage(language, settings.defaultLanguage);
  const written = writeNoticeMail(notice, { company: settings.accountName, at: `${date} ${time}` }, spoken);
  const mail = { ...written, recipient: email, company: settings.accountName };
  const id = await keepWaiting(tenant.db, await waitingMail(tenant, mail, now, now + USELESS_MILLISECONDS));
  if (id !== undefined) await sendWaiting(tenant, id, mail, now);
}
