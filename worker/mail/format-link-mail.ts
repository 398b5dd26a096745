import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { getColonWithSpacing } from "#domain/money-notation.ts";
import { escapeHtml } from "./escape-html.ts";
import { type MailBrand, renderMailButton, renderMailHtml } from "./mail-html.ts";
import type { WrittenMail } from "./written-mail.ts";

/** Mail whose purpose is one link. */
export interface LinkMail extends MailBrand {
  readonly link: string;
}

/** Texts of a mail with a link, in the order of the mail. */
export interface LinkMailTexts {
  readonly subject: string;
  readonly greeting: string;
  readonly request: string;
  /** Text of the link. */
  readonly action: string;
  readonly validity?: string;
  readonly ignore: string;
}

/** Formats a mail with a link as text and HTML. */
export function formatLinkMail(texts: LinkMailTexts, mail: LinkMail, language: PlatformLanguage): WrittenMail {
  const { subject, greeting, request, action, ignore } = texts;
  const after = [texts.validity ?? "", ignore].filter((text) => text !== "");
  const text = [greeting, request, `${action}${getColonWithSpacing(language)}\n${mail.link}`, ...after].join("\n\n");
  const paragraphs = (lines: readonly string[]) => lines.map((line) => `<p>${escapeHtml(line)}</p>`);
  const body = [
    ...paragraphs([greeting, request]),
    renderMailButton(action, mail.link, mail.color),
    ...paragraphs(after),
  ];
  return { subject, text, html: renderMailHtml(language, body.join("\n"), mail) };
}
