import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { getColonWithSpacing } from "#domain/money-notation.ts";
import { getQuoteTexts } from "#domain/quotes/texts.ts";
import { escapeHtml } from "./escape-html.ts";
import {
  type MailBrand,
  type MailTableRow,
  renderMailButton,
  renderMailHtml,
  renderMailLink,
  renderMailTable,
} from "./mail-html.ts";
import { type BranchSignature, formatSignatureHtml, listSignatureLines } from "./signature.ts";
import type { WrittenMail } from "./written-mail.ts";

/** Content of the mail with a quote. */
export interface QuoteMail extends MailBrand {
  readonly person: string;
  readonly number: string;
  /** The offer's details, products and sums. */
  readonly facts: readonly MailTableRow[];
  readonly link: string;
  readonly pdfLink: string;
  readonly branch?: BranchSignature | undefined;
}

/** Writes the mail with a quote. The customer's name is the only text from outside the company, and it's checked. */
export function writeQuoteMail(
  { person, number, facts, link, pdfLink, branch, ...brand }: QuoteMail,
  language: PlatformLanguage,
): WrittenMail {
  const texts = getQuoteTexts(language);
  const colon = getColonWithSpacing(language);
  const signature = listSignatureLines(brand.company, branch, language);
  const greeting = texts.greeting(person);
  return {
    subject: `${brand.company}${colon} ${texts.quote} ${number}`,
    text: [
      greeting,
      texts.mail,
      facts.map(({ label, value }) => `${label}${colon} ${value}`).join("\n"),
      `${texts.open}${colon} ${link}\n${texts.pdf}${colon} ${pdfLink}`,
      signature.join("\n"),
    ].join("\n\n"),
    html: renderMailHtml(
      language,
      `<p>${escapeHtml(greeting)}</p>
<p>${escapeHtml(texts.mail)}</p>
${renderMailButton(texts.open, link, brand.color)}
${renderMailTable(facts)}
<p>${renderMailLink({ label: texts.pdf, url: pdfLink })}</p>
${formatSignatureHtml(signature)}`,
      brand,
    ),
  };
}
