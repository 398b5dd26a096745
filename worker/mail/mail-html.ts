import { getRelativeLuminance } from "#domain/accent-colors.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { escapeHtml, renderTextAsHtml } from "./escape-html.ts";

/** Company name, color and logo shown at the top of a mail. */
export interface MailBrand {
  readonly company: string;
  /** Color of the header, `#rrggbb`. */
  readonly color?: string | undefined;
  /** URL of the logo. Its alternative text is the company's name, for mail programs that don't load pictures. */
  readonly logo?: string | undefined;
}

const DEFAULT_COLOR = "#1f4e79";
const DARK_TEXT = "#1b1f23";

// Mail programs ignore most styles in the head, so all but the dark colors are inline.
const DARK_STYLE = `@media (prefers-color-scheme: dark) {
.page { background: #14171a !important }
.card { background: #1f2429 !important; color: #eceae4 !important }
.quiet { color: #a9b1b8 !important }
.card a.plain { color: #8ab8ff !important }
}`;

/** Returns the HTML of a mail: one column that fits a phone. `body` is HTML already. */
export function renderMailHtml(language: PlatformLanguage, body: string, brand?: MailBrand): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<style>${DARK_STYLE}</style>
</head>
<body class="page" style="margin: 0; padding: 0; background: #f3f4f6">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background: #f3f4f6">
<tr><td align="center" style="padding: 16px 8px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width: 600px; background: #ffffff; color: #1b1f23; border-radius: 8px; font-family: Arial, Helvetica, sans-serif; font-size: 16px; line-height: 1.5; text-align: left; overflow-wrap: anywhere">
${brand ? headRow(brand) : ""}<tr><td style="padding: 8px 20px 16px">
${body}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function headRow({ company, color, logo }: MailBrand): string {
  const background = toColor(color);
  if (logo)
    // The header stays white behind a logo, because logos are made for white paper.
    return `<tr><td style="padding: 16px 20px; border-radius: 8px 8px 0 0; border-bottom: 4px solid ${background}; background: #ffffff; color: ${DARK_TEXT}; font-size: 20px; font-weight: bold"><img src="${escapeHtml(logo)}" alt="${escapeHtml(company)}" height="48" style="display: block; height: 48px; max-width: 240px; border: 0"></td></tr>
`;
  return `<tr><td style="padding: 16px 20px; border-radius: 8px 8px 0 0; background: ${background}; color: ${textOn(background)}; font-size: 20px; font-weight: bold">${escapeHtml(company)}</td></tr>
`;
}

/** Returns the HTML of a mail's main button. */
export function renderMailButton(label: string, url: string, color?: string): string {
  const background = toColor(color);
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin: 16px 0"><tr><td style="border-radius: 6px; background: ${background}"><a href="${escapeHtml(url)}" style="display: inline-block; padding: 12px 20px; border-radius: 6px; color: ${textOn(background)}; font-weight: bold; text-decoration: none">${escapeHtml(label)}</a></td></tr></table>`;
}

export interface MailLink {
  readonly label: string;
  readonly url: string;
  readonly isPdf?: boolean;
}

/** Returns the HTML of a link in a text or list. */
export function renderMailLink({ label, url, isPdf }: MailLink): string {
  return `<a class="plain" href="${escapeHtml(url)}" style="color: #0b5cad">${escapeHtml(label)}${isPdf ? " (PDF)" : ""}</a>`;
}

/** Label and value in a mail's table. */
export interface MailTableRow {
  readonly label: string;
  readonly value: string;
  readonly link?: MailLink | undefined;
  /** Whether the value is bold, such as a total or an amount to pay. */
  readonly isStrong?: boolean;
}

/** Returns the HTML of a table of labels and values. */
export function renderMailTable(lines: readonly MailTableRow[]): string {
  const rows = lines.map(
    ({ label, value, link, isStrong }) =>
      `<tr><th class="quiet" scope="row" style="padding: 4px 12px 4px 0; width: 38%; vertical-align: top; text-align: left; font-weight: normal; overflow-wrap: break-word; color: #57606a">${escapeHtml(label)}</th><td style="padding: 4px 0; vertical-align: top${isStrong ? "; font-weight: bold" : ""}">${renderTextAsHtml(value)}${link ? `<br>${renderMailLink(link)}` : ""}</td></tr>`,
  );
  return `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse: collapse">${rows.join("\n")}</table>`;
}

const toColor = (color: string | undefined) => (color && /^#[0-9a-f]{6}$/i.test(color) ? color : DEFAULT_COLOR);

// White has at least the contrast of 4.5 to colors below this luminance (WCAG 1.4.3).
const MAX_LUMINANCE_UNDER_WHITE = 0.183;

/** Returns the color of text that can be read on a background. */
const textOn = (background: string): string =>
  getRelativeLuminance(background) <= MAX_LUMINANCE_UNDER_WHITE ? "#ffffff" : DARK_TEXT;
