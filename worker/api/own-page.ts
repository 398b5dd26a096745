import { html, raw } from "hono/html";
import { deriveAccentColors } from "#domain/accent-colors.ts";

/** Escaped HTML. */
export type Html = ReturnType<typeof html>;

interface OwnPage {
  readonly language: string;
  readonly title: string;
  /** Additional elements of the head. */
  readonly head?: Html;
  readonly style: string;
  readonly body: Html;
  /** Our own script, without any inserted values. */
  readonly script?: string | undefined;
  /** Whether the page is a company's and uses its color. True if not set. */
  readonly isOfCompany?: boolean | undefined;
}

interface ContentSecurityPolicyOptions {
  readonly hasScript: boolean;
  /** Whether the script calls our own API. */
  readonly isConnected: boolean;
  /** Origins that the page's forms may submit to. If not set, forms are blocked. */
  readonly formAction?: string | undefined;
}

/** Path of the stylesheet with the company's color, which replaces the accent color of customers' pages. */
export const COMPANY_COLORS_PATH = "/company-colors.css";

/** Colors of all pages that the Worker creates. Borders of fields have a contrast of 3 to 1 (WCAG 1.4.11). */
const PAGE_COLORS = `:root { color-scheme: light dark; --ground: light-dark(#f6f5f1, #14171a); --card: light-dark(#fff, #1d2226);
  --ink: light-dark(#1b1f23, #eceae4); --soft: light-dark(#5a636b, #a3adb5); --line: light-dark(#e2dfd6, #313940); --edge: light-dark(#7f868c, #7b858d);
  --accent: light-dark(#0b5fb0, #7dbfff); --on: light-dark(#fff, #06121d); --bad: light-dark(#a83232, #f08a80); }`;

const ACCENT_VARIABLES = ["--accent", "--link", "--rental-accent"] as const;

/** Writes the stylesheet for a company's color (`#rrggbb`): variables of customers' pages, company page and widget. */
export function writeCompanyColorsCss(color: string | undefined): string {
  if (!color) return "";
  const { light, dark } = deriveAccentColors(color);
  const variables = ACCENT_VARIABLES.map((name) => `${name}: light-dark(${light}, ${dark});`);
  return `:root { ${variables.join(" ")} }\n`;
}

/** Style of the card that customers' pages show: company, title, fields and buttons. */
export const CUSTOMER_PAGE_CSS = `${PAGE_COLORS}
* { box-sizing: border-box; }
body { margin: 0; padding: 1.25rem; background: var(--ground); color: var(--ink); font: 17px/1.55 system-ui, sans-serif; }
main { max-width: 28rem; margin: 0 auto; padding: min(2rem, 6vw); overflow-wrap: anywhere; background: var(--card); border: 1px solid var(--line); border-radius: 16px; }
h1 { margin: .25rem 0 .5rem; font-size: 1.4rem; line-height: 1.25; }
a { color: var(--accent); }
.from { margin: 0; color: var(--soft); font-size: .95rem; }
input, select { width: 100%; padding: .6rem .75rem; border: 1px solid var(--edge); border-radius: 8px; background: var(--ground); color: var(--ink); font: inherit; }
button, .button { display: block; width: 100%; margin-top: 1rem; padding: .85rem 1.25rem; border: 1px solid transparent; border-radius: 10px; background: var(--accent);
  color: var(--on); font: inherit; font-weight: 600; text-align: center; text-decoration: none; text-wrap: balance; cursor: pointer; }
.quiet { border-color: var(--edge); background: none; color: var(--accent); }
:is(a, button, input, select):focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
`;

/** Creates the value that allows only the page's own style and script. */
export function createNonce(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
}

/** Returns the content security policy of a page that loads no other resources than its inline style and script. */
export function formatContentSecurityPolicy(
  nonce: string,
  { hasScript, isConnected, formAction }: ContentSecurityPolicyOptions,
): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}' 'self'`,
    ...(hasScript ? [`script-src 'nonce-${nonce}'`] : []),
    ...(isConnected ? ["connect-src 'self'"] : []),
    `form-action ${formAction ?? "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Writes a page that the Worker creates itself, with its style and script inline. `html` escapes every value. */
export function renderHtmlPage(
  { language, title, head, style, body, script, isOfCompany = true }: OwnPage,
  nonce: string,
): Html {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head ?? ""}
<title>${title}</title>
<style nonce="${nonce}">${raw(style)}</style>
${isOfCompany ? html`<link rel="stylesheet" href="${COMPANY_COLORS_PATH}">` : ""}
</head>
<body>
<main>
${body}
</main>
${script ? html`<script nonce="${nonce}">${raw(script)}</script>` : ""}
</body>
</html>`;
}
