import type { Context } from "hono";
import { html } from "hono/html";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { type CompanyTexts, companyTexts } from "./company-texts.ts";

// The widget's script creates its styles, which the policy allows. Vehicle photos may be hosted anywhere.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * Serves the company page at the account's root: its booking engine if it's open to any website, and links for staff
 * and partners.
 */
export async function companyPage(c: Context<AppEnvironment>): Promise<Response> {
  const { catalogue } = await c.get("tenant").snapshot();
  const { accountName, defaultLanguage, engineRequiresApiKey } = catalogue.settings;
  const language = chooseLanguage([c.req.query("lang"), ...getPreferredLanguages(c), defaultLanguage]);
  const texts = companyTexts[language];
  const isTransfers = c.req.query("shop") === "transfers";
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${accountName}</title>
        <link rel="icon" href="/favicon.ico" type="image/svg+xml" />
        <link rel="stylesheet" href="/widget/company.css" />
        ${engineRequiresApiKey ? "" : html`<script src="/widget/rental-booking.js" async></script>`}
      </head>
      <body>
        <header>
          <h1>${accountName}</h1>
          ${engineRequiresApiKey ? "" : shops(texts, language, isTransfers)}
        </header>
        <main>${engineRequiresApiKey ? html`<p>${texts.elsewhere}</p>` : widget(texts, language, isTransfers)}</main>
        <footer>
          <nav aria-label="${texts.team}">
            ${texts.team}: <a href="/checkin/">${texts.checkIn}</a> <a href="/office/">${texts.office}</a>
            <a href="/analytics/">${texts.analytics}</a> <a href="/docs/">${texts.docs}</a>
          </nav>
        </footer>
      </body>
    </html>`;
  return new Response(String(await page), {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": POLICY,
      "Referrer-Policy": "same-origin",
      Vary: "Accept-Language",
    },
  });
}

function shops(texts: CompanyTexts, language: string, isTransfers: boolean) {
  const current = html` aria-current="page"`;
  return html`<nav aria-label="${texts.book}">
    <a href="/?lang=${language}"${isTransfers ? "" : current}>${texts.book}</a>
    <a href="/?lang=${language}&amp;shop=transfers"${isTransfers ? current : ""}>${texts.transfers}</a>
  </nav>`;
}

function widget(texts: CompanyTexts, language: string, isTransfers: boolean) {
  return html`<rental-booking lang="${language}" kind="${isTransfers ? "transfers" : "rentals"}"></rental-booking>
    <noscript><p>${texts.script}</p></noscript>`;
}

function getPreferredLanguages(c: Context<AppEnvironment>): readonly string[] {
  return (c.req.header("Accept-Language") ?? "").slice(0, 200).split(",");
}

function chooseLanguage(wishes: readonly (string | undefined)[]): keyof typeof companyTexts {
  const known = wishes.map((languageTag) => languageTag?.trim().slice(0, 2).toLowerCase() ?? "");
  return (
    known.find((languageTag): languageTag is keyof typeof companyTexts => Object.hasOwn(companyTexts, languageTag)) ??
    "en"
  );
}
