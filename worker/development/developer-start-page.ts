import { html, raw } from "hono/html";
import { addDays, type CivilDate, toIsoWeekday } from "#domain/dates.ts";
import { signPathAndQuery } from "#worker/auth/signature.ts";
import { type DemoAccount, demoAccounts } from "./demo-accounts.ts";

const PLACES = "/api/booking/ota/location-list?customer-language=en";
const OTA_DOCUMENT = "/api/booking/ota/openapi.json";

/** Shows new developers the running system: URLs, credentials, and calls to copy. In development only. */
export async function createDeveloperStartPage(
  url: URL,
  accountNames: readonly string[],
  now: number,
): Promise<Response> {
  const accounts = demoAccounts.filter(({ account }) => accountNames.includes(account));
  const cards = await Promise.all(accounts.map((account) => accountCard(account, url, now)));
  const others = accountNames.filter((name) => !accounts.some(({ account }) => account === name));
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Rental platform</title>
        <link rel="icon" href="/favicon.ico" type="image/svg+xml" />
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <header>
          <p class="eyebrow">Development</p>
          <h1>Rental platform</h1>
          <p class="lead">
            ${accountNames.length} rental companies are running on this machine, each with an address and a database of its own.
            Everything below works as it stands: open a page, or paste a line into a terminal. What the companies send by mail is in
            the <a href="/dev/mailbox">mailbox</a>.
          </p>
        </header>
        <main>
          ${cards}
          ${others.map((name) => html`<section class="card"><h2>${name}</h2><p>${accountUrl(url, name)}</p></section>`)}
        </main>
        <footer>
          <p>This page exists in development only. <a href="/dev/mailbox">Mailbox</a> <a href="/healthz">Health</a></p>
        </footer>
      </body>
    </html>`;
  return new Response(String(await page), {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy":
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "Referrer-Policy": "no-referrer",
    },
  });
}

async function accountCard(demo: DemoAccount, url: URL, now: number) {
  const origin = accountUrl(url, demo.account);
  const agency = demo.partnerKeys.find((key) => key.use === "agency");
  return html`<section class="card">
    <h2>${demo.account}</h2>
    <p class="about">${demo.description} · <code>${origin}</code></p>
    <ul class="ways">
      ${ways(origin, demo).map(([path, title, about]) => html`<li><a href="${path}">${title}</a> ${about}</li>`)}
    </ul>
    ${agency ? await agencyCalls(origin, agency, now) : ""}
    <h3>Keys and people</h3>
    <div class="scroll" role="region" aria-label="Keys and people of ${demo.account}" tabindex="0">
      <table>
        <thead>
          <tr><th scope="col">Used for</th><th scope="col">Name</th><th scope="col">Secret</th></tr>
        </thead>
        <tbody>
          ${demo.partnerKeys.map((key) => credentialRow(key.use, key.apiKey, key.secret))}
          ${credentialRow("booking website", demo.engineKey.apiKey, demo.engineKey.required ? "the key alone, required" : "the key alone, not required")}
          ${demo.users.map((user) => credentialRow(user.use, user.username, user.password))}
        </tbody>
      </table>
    </div>
    <p>
      OpenAPI documents: <a href="${origin}${OTA_DOCUMENT}">agencies</a>,
      <a href="${origin}/api/booking/frontend/openapi.json">booking websites</a>,
      <a href="${origin}/api/v1/openapi.json">customer access</a>
    </p>
  </section>`;
}

/** Returns an account's pages for the browser: URL, title and purpose. */
function ways(
  origin: string,
  { engineKey, sellsTransfers }: DemoAccount,
): readonly (readonly [string, string, string])[] {
  const key = engineKey.required ? `api_key=${engineKey.apiKey}` : "";
  const transfers = `${origin}/demo/?shop=transfers${key && `&${key}`}`;
  return [
    [
      `${origin}/demo/${key && `?${key}`}`,
      "Book a vehicle",
      "on a website that embeds the booking widget, and pay at the stand-in gateway",
    ],
    ...(sellsTransfers ? [[transfers, "Book a transfer", "on the same website"] as const] : []),
    [`${origin}/`, "Company's page", "what its bare address shows"],
    [`${origin}/checkin/`, "Check-in", "the field staff's app, best on a phone"],
    [`${origin}/office/`, "Office", "the desk and the administration"],
    [`${origin}/docs/`, "Interfaces", "every operation, with a way to try it"],
  ];
}

function credentialRow(use: string, name: string, secret: string) {
  return html`<tr><td>${use}</td><td><code>${name}</code></td><td><code>${secret}</code></td></tr>`;
}

async function agencyCalls(origin: string, key: { readonly apiKey: string; readonly secret: string }, now: number) {
  const { from, to } = pickDemoRentalDates(now);
  const search = `/api/booking/ota/availability?${new URLSearchParams({
    "date-from": from,
    "time-from": "10:00",
    "pickup-place": "1",
    "date-to": to,
    "time-to": "10:00",
    "return-place": "1",
    "customer-language": "en",
  })}`;
  const [places, availability] = await Promise.all([curl(origin, PLACES, key), curl(origin, search, key)]);
  return html`<h3>As an agency</h3>
    <p>Pickup and return places</p>
    <pre><code>${places}</code></pre>
    <p>What is free for three days, a month from now</p>
    <pre><code>${availability}</code></pre>`;
}

async function curl(
  origin: string,
  path: string,
  key: { readonly apiKey: string; readonly secret: string },
): Promise<string> {
  return `curl -H 'Authorization: ${key.apiKey}:${await signPathAndQuery(key.secret, path)}' '${origin}${path}'`;
}

function accountUrl(url: URL, account: string): string {
  return `${url.protocol}//${account}.${url.host}`;
}

const TUESDAY = 2;
const HOLIDAYS = ["12-25", "01-01"];

/**
 * Returns a rental of three days from a Tuesday in about a month, on which every demo company is open. They close on
 * Sundays, Christmas and New Year's Day.
 */
export function pickDemoRentalDates(now: number): { readonly from: CivilDate; readonly to: CivilDate } {
  let from = addDays(new Date(now).toISOString().slice(0, 10) as CivilDate, 30);
  while (toIsoWeekday(from) !== TUESDAY || isHoliday(from) || isHoliday(addDays(from, 3))) from = addDays(from, 1);
  return { from, to: addDays(from, 3) };
}

function isHoliday(date: CivilDate): boolean {
  return HOLIDAYS.includes(date.slice(5));
}

const STYLE = `
  :root {
    color-scheme: light dark;
    --ground: light-dark(#f6f5f1, #14171a); --card: light-dark(#ffffff, #1d2226); --ink: light-dark(#1b1f23, #eceae4);
    --soft: light-dark(#5a636b, #a3adb5); --line: light-dark(#e2dfd6, #313940); --accent: light-dark(#0b6b57, #58cfb0);
    --code: light-dark(#f1efe8, #14181b);
  }
  * { box-sizing: border-box; }
  body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
  header, main, footer { max-width: 60rem; margin: 0 auto; padding: 0 1.25rem; }
  header { padding-top: 3.5rem; padding-bottom: 1.5rem; }
  .eyebrow { margin: 0; color: var(--accent); font-weight: 600; letter-spacing: .04em; }
  h1 { margin: .1rem 0 .6rem; font-size: clamp(2rem, 5vw, 3rem); line-height: 1.1; letter-spacing: -.02em; }
  .lead { max-width: 40rem; margin: 0; color: var(--soft); font-size: 1.1rem; }
  .card { margin: 0 0 1.5rem; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; }
  h2 { margin: 0; font-size: 1.4rem; letter-spacing: -.01em; }
  h3 { margin: 1.6rem 0 .4rem; font-size: 1rem; }
  p { margin: .3rem 0 .5rem; }
  .about { color: var(--soft); }
  pre { margin: 0 0 .8rem; padding: .85rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--code); border: 1px solid var(--line); border-radius: 10px; }
  code { font: .875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
  .scroll { overflow-x: auto; }
  table { width: 100%; border-collapse: collapse; }
  th { padding: .4rem .75rem .4rem 0; color: var(--soft); font-weight: 500; text-align: left; }
  td { padding: .45rem .75rem .45rem 0; border-top: 1px solid var(--line); white-space: nowrap; }
  a { color: var(--accent); }
  .ways { margin: .6rem 0 0; padding: 0; list-style: none; }
  .ways li { color: var(--soft); }
  .ways a, footer a { display: inline-block; min-width: 9rem; padding: .55rem 0; font-weight: 600; }
  footer a { min-width: 0; margin-right: 1rem; }
  @media (max-width: 40rem) { .card { padding: 1.1rem; } .ways a { display: block; padding-bottom: 0; } .ways li { padding-bottom: .5rem; } }
  footer { padding-bottom: 3rem; color: var(--soft); }
`;
