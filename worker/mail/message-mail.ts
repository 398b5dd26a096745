import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { MessageText } from "#domain/operations/messages.ts";
import { escapeHtml } from "./escape-html.ts";
import { mailHtml } from "./mail-html.ts";
import type { WrittenMail } from "./written-mail.ts";

/** Writes a message of staff as a mail, signed with the company's name. The text is plain. */
export function writeMessageMail(
  { subject, text }: MessageText,
  company: string,
  language: PlatformLanguage,
): WrittenMail {
  const paragraphs = text.split(/\n{2,}/).map((lines) => `<p>${escapeHtml(lines).replaceAll("\n", "<br>\n")}</p>`);
  return {
    subject,
    text: `${text}\n\n${company}`,
    html: mailHtml(language, [...paragraphs, `<p>${escapeHtml(company)}</p>`].join("\n")),
  };
}
