import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import {
  EXAMPLE_MESSAGE_PLACEHOLDER_VALUES,
  findUnknownPlaceholder,
  getCustomOrDefaultTemplate,
  listMessageTemplates,
  type TemplateText,
} from "#domain/operations/message-templates.ts";
import type { CustomerMessageText, MessageTemplate } from "#domain/operations/message-text.ts";
import { getDefaultMessageTemplate } from "#domain/operations/messages.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { writeCustomerMessageMail } from "#worker/mail/message-mail.ts";
import type { WrittenMail } from "#worker/mail/written-mail.ts";
import { changeTemplateStatements, messageTemplatesQuery } from "#worker/store/contracts/message-templates.ts";
import { getMailBrand } from "#worker/usecases/mails/mail-brand.ts";
import {
  findMissingRightRefusal,
  type OfficeRefusal,
  type OfficeWrite,
} from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { fillMessagePlaceholders } from "./messages.ts";

/** Returns the texts of all templates in all languages, with their placeholders. One round trip. */
export async function readMessageTemplates(
  request: StaffRequest,
): Promise<Result<StaffAnswer<readonly TemplateText[]>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => [messageTemplatesQuery(request.tenant.db)] as const);
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  return findMissingRightRefusal(staff, "see") ?? ok({ value: listMessageTemplates(rows[0]), freshToken });
}

/** Writes a template's text as a mail to a made-up customer. One round trip. */
export async function previewTemplateText(
  request: StaffRequest,
  language: PlatformLanguage,
  text: CustomerMessageText,
): Promise<Result<StaffAnswer<WrittenMail>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => [] as const);
  if (!read.ok) return read;
  const { staff, freshToken, catalogue } = read.value;
  const refused = findMissingRightRefusal(staff, "see") ?? refuseUnknownPlaceholder(text);
  if (refused) return refused;
  const brand = getMailBrand(request.tenant, catalogue);
  const filled = fillMessagePlaceholders(text, { ...EXAMPLE_MESSAGE_PLACEHOLDER_VALUES, company: brand.company });
  return ok({ value: writeCustomerMessageMail(filled, brand, language), freshToken });
}

/** Stores the company's own text of a template, or resets it to the platform's, once per key. Two round trips. */
export async function changeMessageTemplate(
  write: OfficeWrite,
  { template, language }: { readonly template: MessageTemplate; readonly language: PlatformLanguage },
  text: CustomerMessageText | undefined,
): Promise<Result<StaffAnswer<TemplateText>, OfficeRefusal>> {
  const { db } = write.tenant;
  return runOfficeWriteOnce(write, {
    right: "manage",
    content: { messageTemplate: template, language, text },
    read: () => [messageTemplatesQuery(db)] as const,
    decide: ({ rows: [own], actor, at }) => {
      const refused = text && refuseUnknownPlaceholder(text);
      if (refused) return refused;
      const { isOwn, ...now } = getCustomOrDefaultTemplate(template, language, own);
      const after = text ?? getDefaultMessageTemplate(template, language);
      const before = { subject: now.subject, text: now.text };
      const isUnchanged =
        isOwn === (text !== undefined) && before.subject === after.subject && before.text === after.text;
      const change = { before, after, isReset: text === undefined, actor, at };
      const statements = isUnchanged ? [] : changeTemplateStatements(db, { template, language }, change);
      return ok({ resource: `${template}~${language}`, statements });
    },
    readBack: () => [messageTemplatesQuery(db)] as const,
    answer: ([own]) => ok(getCustomOrDefaultTemplate(template, language, own)),
  });
}

function refuseUnknownPlaceholder(text: CustomerMessageText): Result<never, OfficeRefusal> | undefined {
  const unknown = findUnknownPlaceholder(text);
  return unknown && err({ kind: "invalid", field: unknown.field, reason: unknown });
}
