import { type Context, Hono } from "hono";
import { html, raw } from "hono/html";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { COMPANY_COLORS_PATH, writeCompanyColorsCss } from "#worker/api/own-page.ts";
import { choosePageLanguage } from "#worker/api/visitor.ts";
import {
  type CompanyBranch,
  findLegalDocument,
  type PublicCompany,
  readCompany,
  readLogo,
} from "#worker/usecases/catalogue/read-company.ts";
import { LOGO_PATH } from "#worker/usecases/mails/mail-brand.ts";
import { writeStructuredData } from "./company-search-data.ts";
import {
  addLabelColon,
  type CompanyLanguage,
  type CompanyTexts,
  companyTexts,
  LANGUAGE_NAMES,
} from "./company-texts.ts";

// The widget's script creates its styles, which the policy allows. Vehicle photos may be hosted anywhere.
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const MAX_CACHE_SECONDS = 3600;

/** The company's public pages: its start page, and what search engines read. */
export const companyPageRoutes = new Hono<AppEnvironment>();

companyPageRoutes.get("/", companyPage);

companyPageRoutes.get("/robots.txt", (c) => {
  const { ownUrl } = c.get("tenant");
  const closed = ["/api/", "/office/", "/checkin/", "/charge-processed/"].map((path) => `Disallow: ${path}`);
  const text = ["User-agent: *", ...closed, `Sitemap: ${ownUrl}/sitemap.xml`, ""].join("\n");
  return c.text(text, 200, { "Cache-Control": `public, max-age=${MAX_CACHE_SECONDS}` });
});

companyPageRoutes.get("/sitemap.xml", async (c) => {
  const { ownUrl, snapshot } = c.get("tenant");
  const { transfers } = (await snapshot()).catalogue;
  const addresses = listPages({ hasTransfers: transfers.vehicles.size > 0 }).flatMap((shop) =>
    LANGUAGES.map((language) => toAddress(language, shop)),
  );
  const entries = addresses.map((address) => `<url><loc>${ownUrl}${address.replaceAll("&", "&amp;")}</loc></url>`);
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join("\n")}
</urlset>
`;
  return c.body(text, 200, {
    "Content-Type": "application/xml; charset=utf-8",
    "Cache-Control": `public, max-age=${MAX_CACHE_SECONDS}`,
  });
});

// Mails link the logo by this URL, because mail programs don't show images in data URLs.
companyPageRoutes.get(LOGO_PATH, async (c) => {
  const logo = await readLogo(c.get("tenant"));
  if (!logo) return c.notFound();
  return c.body(
    Uint8Array.from(atob(logo), (letter) => letter.charCodeAt(0)),
    200,
    {
      "Content-Type": getImageType(logo),
      "Cache-Control": `public, max-age=${MAX_CACHE_SECONDS}`,
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "X-Content-Type-Options": "nosniff",
    },
  );
});

companyPageRoutes.get(COMPANY_COLORS_PATH, async (c) => {
  const { color } = (await c.get("tenant").snapshot()).catalogue.brand;
  return c.body(writeCompanyColorsCss(color), 200, {
    "Content-Type": "text/css; charset=utf-8",
    "Cache-Control": `public, max-age=${MAX_CACHE_SECONDS}`,
  });
});

type LegalDocument = PublicCompany["legalDocuments"][number];

companyPageRoutes.get("/terms", (c) => legalPage(c, "terms"));
companyPageRoutes.get("/privacy", (c) => legalPage(c, "privacy"));

const LANGUAGES = Object.keys(companyTexts) as readonly CompanyLanguage[];

type ShopKind = "rentals" | "transfers";

const listPages = ({ hasTransfers }: Pick<PublicCompany, "hasTransfers">): readonly ShopKind[] =>
  hasTransfers ? ["rentals", "transfers"] : ["rentals"];

const toAddress = (language: CompanyLanguage, shop: ShopKind) =>
  `/?lang=${language}${shop === "transfers" ? "&shop=transfers" : ""}`;

/**
 * Serves the company page at the account's root: its booking engine if it's open to any website, its branches with
 * contact and opening hours, and its details.
 */
async function companyPage(c: Context<AppEnvironment>): Promise<Response> {
  const { ownUrl } = c.get("tenant");
  const { defaultLanguage } = (await c.get("tenant").snapshot()).catalogue.settings;
  const language = choosePageLanguage(c, defaultLanguage);
  const company = await readCompany(c.get("tenant"), language, Date.now());
  const { name, branches, logo, isEngineClosed: isClosed } = company;
  const texts = companyTexts[language];
  const kinds = listPages(company);
  const kind: ShopKind = c.req.query("shop") === "transfers" && kinds.includes("transfers") ? "transfers" : "rentals";
  const about = texts.description
    .replace("{name}", () => name)
    .replace("{cities}", () => [...new Set(branches.flatMap(({ city }) => city ?? []))].join(", "))
    .trim();
  const title = `${name} · ${kind === "transfers" ? texts.transfers : texts.book}`;
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <meta name="description" content="${about}" />
        <meta property="og:type" content="website" />
        <meta property="og:title" content="${title}" />
        <meta property="og:description" content="${about}" />
        <meta property="og:url" content="${ownUrl}${toAddress(language, kind)}" />
        <meta property="og:locale" content="${language}" />
        <link rel="canonical" href="${ownUrl}${toAddress(language, kind)}" />
        ${LANGUAGES.map((code) => html`<link rel="alternate" hreflang="${code}" href="${ownUrl}${toAddress(code, kind)}" />`)}
        <link rel="alternate" hreflang="x-default" href="${ownUrl}/" />
        <link rel="icon" href="/favicon.ico" type="image/svg+xml" />
        <link rel="stylesheet" href="/widget/company.css" />
        <link rel="stylesheet" href="${COMPANY_COLORS_PATH}" />
        ${isClosed ? "" : widgetFiles(language)}
        <script type="application/ld+json">
          ${raw(writeStructuredData(company, { ownUrl, about }))}
        </script>
      </head>
      <body>
        <header>
          ${logo ? html`<img class="logo" src="${toImageAddress(logo)}" alt="" />` : ""}
          <h1>${name}</h1>
          ${isClosed || kinds.length < 2 ? "" : shops(texts, language, kind)} ${languageLinks(texts, language, kind)}
        </header>
        <main>
          ${isClosed ? html`<p>${texts.closed}</p>` : widget(texts, language, kind)}
          <section aria-labelledby="contact">
            <h2 id="contact">${texts.contact}</h2>
            <ul class="branches">
              ${branches.map((branch) => html`<li>${branchCard({ ...branch, englishLocale: company.englishLocale }, texts, language)}</li>`)}
            </ul>
          </section>
        </main>
        <footer>
          ${imprint(branches, texts, language)}
          ${company.legalDocuments.map((document) => html`<a href="/${document}?lang=${language}">${texts[document]}</a> `)}
        </footer>
      </body>
    </html>`;
  return new Response(String(await page), { headers: PAGE_HEADERS });
}

const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": CONTENT_SECURITY_POLICY,
  "Referrer-Policy": "same-origin",
  Vary: "Accept-Language",
};

/** Serves the company's terms or privacy notice in the visitor's language, or redirects to its URL. */
async function legalPage(c: Context<AppEnvironment>, document: LegalDocument): Promise<Response> {
  const { settings } = (await c.get("tenant").snapshot()).catalogue;
  const { accountName, defaultLanguage } = settings;
  const language = choosePageLanguage(c, defaultLanguage);
  const legalDocument = await findLegalDocument(c.get("tenant"), document, [language, defaultLanguage]);
  if (!legalDocument) return renderNotFoundPage(c);
  if (legalDocument.url !== null) return c.redirect(legalDocument.url, 302);
  const texts = companyTexts[language];
  const page = html`<!doctype html>
    <html lang="${legalDocument.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${texts[document]} · ${accountName}</title>
        <link rel="stylesheet" href="/widget/company.css" />
        <link rel="stylesheet" href="${COMPANY_COLORS_PATH}" />
      </head>
      <body>
        <header lang="${language}"><h1>${texts[document]}</h1></header>
        <main class="legal">${toParagraphs(legalDocument.text ?? "")}</main>
        <footer lang="${language}"><a href="/?lang=${language}">${accountName}</a></footer>
      </body>
    </html>`;
  return new Response(String(await page), { headers: PAGE_HEADERS });
}

// A line with ## is the title of a section, as in the general conditions of contracts.
function toParagraphs(text: string) {
  const parts = text
    .replaceAll("\r\n", "\n")
    .replaceAll(/^## .*$/gm, "\n$&\n")
    .split(/\n\s*\n/);
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => (part.startsWith("## ") ? html`<h2>${part.slice(3)}</h2>` : html`<p>${part}</p>`));
}

/** Serves a page for an address that doesn't exist, to a browser. */
const renderNotFoundPage = (c: Context<AppEnvironment>): Promise<Response> => renderFailurePage(c, 404);

/**
 * Creates the page for a failed request, with its status. In the language of the address, the browser or the company,
 * and without the company if its data can't be read.
 */
export async function renderFailurePage(c: Context<AppEnvironment>, status: number): Promise<Response> {
  const settings = await readSettings(c);
  const language = choosePageLanguage(c, settings?.defaultLanguage ?? "en");
  const texts = companyTexts[language];
  const [title, text] = pickFailureTexts(texts, status);
  const company = settings?.accountName;
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${[title, company].filter(Boolean).join(" · ")}</title>
        <link rel="stylesheet" href="/widget/company.css" />
        <link rel="stylesheet" href="${COMPANY_COLORS_PATH}" />
      </head>
      <body>
        <header><b>${company}</b></header>
        <main class="failure">
          <h1>${title}</h1>
          <p>${text}</p>
          ${status === 429 || status >= 500 ? html`<p><a href="">${texts.retry}</a></p>` : ""}
          <p><a href="/?lang=${language}">${texts.home}</a></p>
          <p><a href="/?lang=${language}#contact">${texts.contact}</a></p>
        </main>
      </body>
    </html>`;
  return new Response(String(await page), { status, headers: { ...PAGE_HEADERS, "Cache-Control": "no-store" } });
}

function pickFailureTexts(texts: CompanyTexts, status: number): readonly [title: string, text: string] {
  switch (status) {
    case 400:
    case 422:
      return [texts.damagedTitle, texts.damaged];
    case 404:
      return [texts.notFoundTitle, texts.notFound];
    case 410:
      return [texts.expiredTitle, texts.expired];
    case 429:
      return [texts.busyTitle, texts.busy];
    default:
      return status < 500 ? [texts.methodTitle, texts.method] : [texts.unavailableTitle, texts.unavailable];
  }
}

// Undefined without an account, or if its database can't be read.
async function readSettings(c: Context<AppEnvironment>) {
  const tenant = c.get("tenant") as AppEnvironment["Variables"]["tenant"] | undefined;
  return tenant?.snapshot().then(
    ({ catalogue }) => catalogue.settings,
    () => undefined,
  );
}

function shops(texts: CompanyTexts, language: CompanyLanguage, kind: ShopKind) {
  const link = (target: ShopKind, text: string) =>
    html`<a href="${toAddress(language, target)}"${target === kind ? raw(' aria-current="page"') : ""}>${text}</a>`;
  return html`<nav aria-label="${texts.book}">
    ${link("rentals", texts.book)} ${link("transfers", texts.transfers)}
  </nav>`;
}

function languageLinks(texts: CompanyTexts, language: CompanyLanguage, kind: ShopKind) {
  const links = LANGUAGES.map(
    (code) =>
      html`<a href="${toAddress(code, kind)}" hreflang="${code}" lang="${code}"${code === language ? raw(' aria-current="page"') : ""}>${LANGUAGE_NAMES[code]}</a> `,
  );
  return html`<nav class="languages" aria-label="${texts.languages}">${links}</nav>`;
}

// Preloads the widget's texts. English needs no file, because the script contains its texts.
function widgetFiles(language: CompanyLanguage) {
  const texts = `/widget/texts/${language}.json`;
  return html`${language === "en" ? "" : html`<link rel="preload" href="${texts}" as="fetch" crossorigin />`}
    <script src="/widget/rental-booking.js" async></script>`;
}

function widget(texts: CompanyTexts, language: CompanyLanguage, kind: ShopKind) {
  return html`<rental-booking lang="${language}" kind="${kind}"></rental-booking>
    <noscript><p>${texts.script}</p></noscript>`;
}

type LocalBranch = CompanyBranch & Pick<PublicCompany, "englishLocale">;

function branchCard(branch: LocalBranch, texts: CompanyTexts, language: CompanyLanguage) {
  const { name, phoneNumber, whatsappNumber, email, address, map } = branch;
  const label = (text: string) => addLabelColon(language, text);
  return html`<h3>${name}</h3>
    ${address === "" ? "" : html`<p>${address}</p>`}
    ${map === undefined ? "" : html`<p><a href="${map}" rel="noopener">${texts.map}</a></p>`}
    ${phoneNumber ? html`<p>${label(texts.phone)} <a href="tel:${toDialled(phoneNumber)}">${phoneNumber}</a></p>` : ""}
    ${
      whatsappNumber
        ? html`<p>${label(texts.whatsapp)} <a href="https://wa.me/${toDialled(whatsappNumber).replace("+", "")}">${whatsappNumber}</a></p>`
        : ""
    }
    ${email ? html`<p>${label(texts.email)} <a href="mailto:${email}">${email}</a></p>` : ""}
    ${openingHours(branch, texts, language)}`;
}

const toDialled = (number: string) => number.replaceAll(/[^+\d]/g, "");

function openingHours(
  { openDays, specialDays, englishLocale }: LocalBranch,
  texts: CompanyTexts,
  language: CompanyLanguage,
) {
  const locale = language === "en" ? englishLocale : language;
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const special = specialDays.map(
    ({ date, times }) => html`<dt><time datetime="${date}">${dates.format(Date.parse(date))}</time></dt>
      <dd>${times.length === 0 ? texts.closedDay : times.join(", ")}</dd>`,
  );
  if (openDays.length === 0)
    return html`<p>${addLabelColon(language, texts.hours)} ${texts.always}</p>
      ${special.length > 0 ? html`<dl class="hours">${special}</dl>` : ""}`;
  const format = new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" });
  // 1 January 2024 was a Monday.
  const dayName = (weekday: number) => format.format(Date.UTC(2024, 0, weekday));
  const rows = openDays.map(({ first, last, times }) => {
    const days = first === last ? dayName(first) : `${dayName(first)} – ${dayName(last)}`;
    return html`<dt>${days}</dt>
      <dd>${times.length === 0 ? texts.closedDay : times.join(", ")}</dd>`;
  });
  return html`<h4>${texts.hours}</h4>
    <dl class="hours">${rows}${special}</dl>`;
}

// One entry for each company that issues the branches' documents.
function imprint(branches: readonly CompanyBranch[], texts: CompanyTexts, language: CompanyLanguage) {
  const companies = Map.groupBy(
    branches.filter(({ companyName }) => companyName),
    ({ companyName, documentId }) => `${companyName} ${documentId}`,
  );
  if (companies.size === 0) return "";
  const entries = [...companies.values()].map(([company]) => {
    if (!company) return "";
    const { companyName, documentId, commercialRegister } = company;
    const parts = [
      companyName,
      company.address,
      documentId && `${addLabelColon(language, texts.taxNumber)} ${documentId}`,
      commercialRegister && `${addLabelColon(language, texts.register)} ${commercialRegister}`,
    ];
    return html`<p>${parts.filter(Boolean).join(" · ")}</p>`;
  });
  return html`<h2>${texts.imprint}</h2>
    ${entries}`;
}

const getImageType = (base64: string) => (base64.startsWith("/9j/") ? "image/jpeg" : "image/png");

function toImageAddress(base64: string): string {
  return `data:${getImageType(base64)};base64,${base64}`;
}
