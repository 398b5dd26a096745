import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { MessageText } from "#domain/operations/messages.ts";
import { escapeHtml } from "./escape-html.ts";
import { type MailBrand, mailHtml } from "./mail-html.ts";
import { type BranchSignature, formatSignatureHtml, listSignatureLines } from "./signature.ts";
import type { WrittenMail } from "./written-mail.ts";

/** Writes a message of staff as a mail, signed by the company and its branch. The text is plain. */
export function writeMessageMail(
  { subject, text, branch }: MessageText & { readonly branch?: BranchSignature | undefined },
  brand: MailBrand,
  language: PlatformLanguage,
): WrittenMail {
  const paragraphs = text.split(/\n{2,}/).map((lines) => `<p>${escapeHtml(lines).replaceAll("\n", "<br>\n")}</p>`);
  const signature = listSignatureLines(brand.company, branch, language);
  return {
    subject,
    text: [text, signature.join("\n")].join("\n\n"),
    html: mailHtml(language, [...paragraphs, formatSignatureHtml(signature)].join("\n"), brand),
  };
}
