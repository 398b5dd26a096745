import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { getColonWithSpacing } from "#domain/money-notation.ts";
import { escapeHtml } from "./escape-html.ts";
import { PICKUP_GUIDE_TEXTS } from "./guide-texts.ts";

/** Branch that signs a mail. */
export interface BranchSignature {
  readonly name: string;
  readonly address: string;
  readonly phone: string | undefined;
  readonly email: string | undefined;
}

/** Returns the signature of a mail: the company, and the branch with its contact. */
export function listSignatureLines(
  company: string,
  branch: BranchSignature | undefined,
  language: PlatformLanguage,
): readonly string[] {
  if (!branch) return [company];
  const { name, address, phone, email } = branch;
  const lead = name === company ? company : `${company} · ${name}`;
  return [
    lead,
    address,
    phone && `${PICKUP_GUIDE_TEXTS[language].phone}${getColonWithSpacing(language)} ${phone}`,
    email,
  ].filter((line): line is string => Boolean(line));
}

/** Returns the HTML of a signature. */
export function formatSignatureHtml([firstLine = "", ...others]: readonly string[]): string {
  return `<p class="quiet" style="margin-top: 24px; color: #57606a"><b>${escapeHtml(firstLine)}</b>${others.map((text) => `<br>${escapeHtml(text)}`).join("")}</p>`;
}
