import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { getColonWithSpacing } from "#domain/money-notation.ts";
import type { CustomerMessageText } from "#domain/operations/message-text.ts";
import { getReservationLinkText } from "./booking-mail.ts";
import { escapeHtml } from "./escape-html.ts";
import { type MailBrand, renderMailButton, renderMailHtml } from "./mail-html.ts";
import { type BranchSignature, formatSignatureHtml, listSignatureLines } from "./signature.ts";
import type { WrittenMail } from "./written-mail.ts";

interface SignedMessage extends CustomerMessageText {
  /** Page of the reservation that the message is about. */
  readonly page?: string | undefined;
  readonly branch?: BranchSignature | undefined;
}

/** Writes a message of staff as a mail with a link to the reservation and the branch's signature. The text is plain. */
export function writeCustomerMessageMail(
  { subject, text, page, branch }: SignedMessage,
  brand: MailBrand,
  language: PlatformLanguage,
): WrittenMail {
  const paragraphs = text.split(/\n{2,}/).map((lines) => `<p>${escapeHtml(lines).replaceAll("\n", "<br>\n")}</p>`);
  const label = getReservationLinkText(language);
  const button = page === undefined ? [] : [renderMailButton(label, page, brand.color)];
  const signature = listSignatureLines(brand.company, branch, language);
  return {
    subject,
    text: [text, ...(page ? [`${label}${getColonWithSpacing(language)} ${page}`] : []), signature.join("\n")].join(
      "\n\n",
    ),
    html: renderMailHtml(language, [...paragraphs, ...button, formatSignatureHtml(signature)].join("\n"), brand),
  };
}
