import { beforeAll, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { requestWorker } from "#support/worker.ts";

beforeAll(async () => {
  await setUpCompany();
});

// Proves "booking-widget.md": Browsers keep the script for a day, any website may load it
test("allows any website to load the widget, with a cache time of a day", async () => {
  const { status, headers } = await requestWorker("https://acme.localhost/widget/rental-booking.js");
  expect(status).toBe(200);
  expect(headers.get("Content-Type")).toContain("javascript");
  expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
  expect(headers.get("Cache-Control")).toContain("max-age=86400");
  const missing = await requestWorker("https://acme.localhost/widget/nothing.js");
  expect([missing.status, missing.headers.get("Cache-Control")]).toEqual([404, "no-store"]);
});

test("allows any website to load the widget's texts of one language, with English ones in the script", async () => {
  const address = (language: string) => `https://acme.localhost/widget/texts/${language}.json`;
  for (const language of ["es", "ca", "de", "fr", "it", "pt", "nl"]) {
    const response = await requestWorker(address(language));
    expect([response.status, response.headers.get("Access-Control-Allow-Origin")]).toEqual([200, "*"]);
    expect(Object.keys(await response.json())).toContain("chooseTitle");
  }
  expect((await requestWorker(address("en"))).status).toBe(404);
  const french = await (await requestWorker("https://acme.localhost/?lang=fr")).text();
  expect([...french.matchAll(/\/widget\/texts\/\w+\.json/g)].map(String)).toEqual(["/widget/texts/fr.json"]);
  expect(await (await requestWorker("https://acme.localhost/?lang=en")).text()).not.toContain("/widget/texts/");
});

// Proves "booking-widget.md": The company's own page at its bare address
test("serves the company's page with booking at the account's root URL, in the visitor's language", async () => {
  const german = await requestWorker("https://acme.localhost/", { headers: { "Accept-Language": "sv, de-AT;q=0.8" } });
  expect(german.status).toBe(200);
  const page = await german.text();
  expect(page).toContain('<html lang="de">');
  expect(page).toMatch(/<title>[^<]+<\/title>/);
  expect(page).toContain('<rental-booking lang="de" kind="rentals">');
});

test("serves an icon on every host", async () => {
  for (const host of ["acme.localhost", "localhost"]) {
    const icon = await requestWorker(`https://${host}/favicon.ico`);
    expect([icon.status, icon.headers.get("Content-Type")]).toEqual([200, "image/svg+xml"]);
  }
});
