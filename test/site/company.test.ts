import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { createPng } from "#support/images.ts";
import { insertTransferCatalogue } from "#support/transfers.ts";
import { requestWorker } from "#support/worker.ts";

const SITE = "http://acme.localhost:8787";
const db = env.TENANT_ACME;

beforeEach(async () => {
  await setUpCompany();
});

const open = (path: string, headers: Record<string, string> = {}) =>
  requestWorker(`${SITE}${path}`, { headers: { Accept: "text/html", ...headers } });
const read = async (path: string, headers: Record<string, string> = {}) => (await open(path, headers)).text();

/** Changes the company. The Worker caches its settings. */
async function change(...statements: readonly string[]): Promise<void> {
  await db.batch(statements.map((text) => db.prepare(text)));
  await openTestTenant(env).freshSnapshot();
}

const CONTACT = `UPDATE branches SET phone_number = '+34 971 11 22 33', email = 'air@example.com', company_name = 'Acme SL', document_id = 'B12345678',
  address_street_address = 'Calle Mayor 1', address_city = 'Palma', address_zip = '07001', commercial_register = 'T 1' WHERE code = 'AIR'`;

test("colors the company's pages and the pages for customers by its color, if it has one", async () => {
  expect(await read("/company-colors.css")).toBe("");
  await change("INSERT INTO letterhead (id, color) VALUES (1, '#ffd400')");
  const colors = await open("/company-colors.css");
  expect(colors.headers.get("Content-Type")).toBe("text/css; charset=utf-8");
  // Yellow is darkened on light pages, so that it can be read.
  expect(await colors.text()).toMatch(/^:root \{ --accent: light-dark\(#[0-9a-f]{6}, #ffd400\);.* --rental-accent: /);
  for (const path of ["/", "/quote/unknown", "/pay/unknown"])
    expect([path, await read(path)]).toEqual([path, expect.stringContaining('href="/company-colors.css"')]);
});

describe("the company page", () => {
  test("shows contact, opening hours, map and company details, in the visitor's language", async () => {
    await change(CONTACT);
    const page = await read("/?lang=de");
    for (const text of [
      'href="tel:+34971112233"',
      'href="mailto:air@example.com"',
      "Calle Mayor 1, 07001 Palma",
      "openstreetmap.org/search?query=Calle%20Mayor%201",
      "Mo – So",
      "08:00–20:00",
      "Impressum",
      "Steuernummer: B12345678",
      "Handelsregister: T 1",
    ])
      expect(page).toContain(text);
    expect(await read("/", { "Accept-Language": "ca;q=0.9" })).toContain('<html lang="ca">');
  });

  test("names branches in the visitor's language, or in the company's if it has no translation", async () => {
    await change(
      "INSERT INTO translations VALUES ('branch', 'AIR', 'name', 'de', 'Filiale Flughafen'), ('branch', 'AIR', 'name', 'en', 'Airport desk')",
    );
    const page = await read("/?lang=de");
    expect(page).toContain("<h3>Filiale Flughafen</h3>");
    expect(page).toContain("Test Rentals · Filiale Flughafen");
    expect(await read("/?lang=es")).toContain("<h3>Airport branch</h3>");
    expect(await read("/?lang=nl")).toContain("<h3>Airport desk</h3>");
  });

  test("links visitors to no page for staff, and to transfers only if the company offers some", async () => {
    const page = await read("/?lang=en");
    expect(page).not.toMatch(/href="[^"]*\/(office|checkin|analytics|docs)\//);
    expect(page).not.toContain("shop=transfers");
    expect(await read("/?lang=en&shop=transfers")).toContain('kind="rentals"');
    await insertTransferCatalogue({ db, account: "acme" });
    expect(await read("/?lang=en")).toContain("shop=transfers");
    expect(await read("/?lang=en&shop=transfers")).toContain('kind="transfers"');
  });

  test("shows how to book by telephone if only the company's own websites take bookings", async () => {
    await change(CONTACT, "UPDATE settings SET engine_requires_api_key = 1");
    const page = await read("/?lang=en");
    expect(page).toContain("Please call us or write to us to book.");
    expect(page).toContain('href="tel:+34971112233"');
    expect(page).not.toContain("<rental-booking");
  });

  test("contains valid structured data for search engines with any company name", async () => {
    await change(CONTACT, `UPDATE settings SET account_name = 'A "</script><b>'`);
    const page = await read("/?lang=en");
    expect(page).not.toContain("</script><b>");
    const json = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? "";
    expect(JSON.parse(json)[0]).toMatchObject({
      "@type": "AutoRental",
      name: 'A "</script><b> · Airport branch',
      telephone: "+34 971 11 22 33",
      address: { addressLocality: "Palma", postalCode: "07001", addressCountry: "ES" },
      openingHoursSpecification: { length: 7 },
    });
    expect(page).toContain('<meta name="description" content="');
    expect([...page.matchAll(/hreflang="([a-z-]+)" href="http/g)].map(([, code]) => code)).toEqual([
      "en",
      "es",
      "ca",
      "de",
      "fr",
      "it",
      "pt",
      "nl",
      "x-default",
    ]);
    const [, canonical = ""] = /rel="canonical" href="([^"]+)"/.exec(page) ?? [];
    expect((await requestWorker(canonical.replaceAll("&amp;", "&"))).status).toBe(200);
  });

  test("serves the company's logo under a URL for mails, and returns 404 without a logo", async () => {
    expect((await requestWorker(`${SITE}/logo`)).status).toBe(404);
    const png = createPng({ width: 60, height: 20 });
    await change(`INSERT INTO letterhead (id, logo) VALUES (1, '${Buffer.from(png).toString("base64")}')`);
    const logo = await requestWorker(`${SITE}/logo`);
    expect(logo.headers.get("Content-Type")).toBe("image/png");
    expect(new Uint8Array(await logo.arrayBuffer())).toEqual(png);
  });

  test("shows special hours of the next year to visitors and search engines", async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const [short, closed, past, late] = [inDays(30), inDays(31), inDays(-30), inDays(400)];
    await change(
      `INSERT INTO special_dates (id, date) VALUES (1, '${short}'), (2, '${closed}'), (3, '${past}'), (4, '${late}')`,
      `INSERT INTO special_date_hours VALUES (1, '09:00', '13:00'), (3, '07:00', '07:30'), (4, '07:00', '07:30')`,
    );
    const page = await read("/?lang=en");
    expect(page).toContain(`<time datetime="${short}">`);
    // English dates follow the company's country, as in the booking form.
    const british = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }).format(
      Date.parse(short),
    );
    expect(page).toContain(`>${british}</time>`);
    expect(page).toContain("09:00–13:00");
    expect(page).not.toContain("07:30");
    const json = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? "";
    expect(JSON.parse(json)[0].specialOpeningHoursSpecification).toMatchObject([
      { validFrom: short, opens: "09:00", closes: "13:00" },
      { validFrom: closed, opens: "00:00", closes: "00:00" },
    ]);
  });

  test("serves robots.txt and a sitemap with working URLs", async () => {
    const robots = await requestWorker(`${SITE}/robots.txt`);
    expect(await robots.text()).toContain(`Sitemap: ${SITE}/sitemap.xml`);
    const sitemap = await requestWorker(`${SITE}/sitemap.xml`);
    expect(sitemap.headers.get("Content-Type")).toContain("xml");
    const addresses = [...(await sitemap.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = ""]) => address);
    expect(addresses).toHaveLength(8);
    for (const address of addresses) expect((await requestWorker(address.replaceAll("&amp;", "&"))).status).toBe(200);
  });
});

test("answers an unknown URL with a page to browsers and with a JSON error to programs", async () => {
  const page = await open("/no-such-page", { "Accept-Language": "es" });
  expect([page.status, page.headers.get("Content-Type")]).toEqual([404, "text/html; charset=utf-8"]);
  expect(await page.text()).toContain("Página no encontrada");
  const chosen = await (await open("/no-such-page?lang=it", { "Accept-Language": "es" })).text();
  expect(chosen).toContain('<html lang="it">');
  expect(chosen).toMatch(/<header><b>\S.*<\/b><\/header>/);
  expect(chosen).toContain('href="/?lang=it#contact"');
  for (const answer of [await requestWorker(`${SITE}/no-such-page`), await open("/api/no-such-page")]) {
    expect(answer.status).toBe(404);
    expect(answer.headers.get("Content-Type")).toContain("json");
  }
});
