import type { Page, Route } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { BOTH_THEMES, type Office, useOffice } from "../../browser/office-page.ts";

let office: Office;
let page: Page;
let token: string;
useOffice((opened) => {
  ({ office, page, token } = opened);
});

const getRetryButton = () => page.getByRole("button", { name: "Erneut versuchen" });

/** Unavailable server and lost network, each tested in turn. */
const fails = [
  (route: Route) => route.fulfill({ status: 503, json: { error: "", detail: [] } }),
  (route: Route) => route.abort(),
];
let answerIndex = 0;

async function whileFails(pattern: RegExp, check: () => Promise<void>): Promise<void> {
  await page.route(pattern, fails[answerIndex++ % fails.length] as (route: Route) => Promise<void>);
  await check();
  await page.unroute(pattern);
}

async function readFirstId(path: string): Promise<string> {
  const { body } = await office.ask("GET", `/api/v1/office${path}`, { token });
  return String((body as { readonly data: readonly { readonly id: number }[] }).data[0]?.id);
}

async function open(path: string): Promise<void> {
  await page.goto(`${office.address}#/${path}`);
  await page.reload();
}

beforeEach(() => {
  answerIndex = 0;
});

test.each([0, 1])("shows which parts of a reservation failed to load, and retries on demand (%i)", async (how) => {
  answerIndex = how;
  const id = await readFirstId("/reservations?status=confirmed&kind=rental&page_size=1");
  const parts = /\/reservations\/\d+\/(?:correspondence|ses)$|\/booking\/\d+\/check-in$/;
  await whileFails(parts, async () => {
    await open(`reservations/${id}`);
    for (const name of ["E-Mails und Zahlungen", "Behörden", "Fotos"])
      await page.getByRole("region", { name }).getByRole("alert").waitFor();
    await office.looksRight("unread-reservation", BOTH_THEMES);
  });
  for (const remainingFailures of [2, 1, 0]) {
    await getRetryButton().first().click();
    await expect.poll(() => getRetryButton().count()).toBe(remainingFailures);
  }
  await page.getByRole("region", { name: "Behörden" }).waitFor();
  expect(office.faults()).toEqual([]);
});

test("shows an error instead of an empty list if vehicles fail to load", async () => {
  const id = await readFirstId("/reservations?status=confirmed&kind=rental&page_size=1");
  await whileFails(/\/office\/planning\?/, async () => {
    await open(`reservations/${id}/assign`);
    await page
      .getByRole("dialog")
      .getByText("Die Auswahllisten konnten nicht geladen werden. Versuchen Sie es erneut.")
      .waitFor();
  });
  await page.getByRole("dialog").getByRole("button", { name: "Erneut versuchen" }).click();
  await page
    .getByRole("dialog")
    .getByLabel("Fahrzeug", { exact: true })
    .locator("option")
    .nth(1)
    .waitFor({ state: "attached" });
  expect(await page.getByRole("dialog").getByRole("alert").getByRole("button").count()).toBe(0);
});

test("shows an error in a new reservation if places, prices or customers fail to load", async () => {
  await whileFails(/\/office\/(?:places|customers|reservations\/quote)/, async () => {
    await open("reservations/new");
    await page.getByText("Die Auswahllisten konnten nicht geladen werden. Versuchen Sie es erneut.").waitFor();
    await page.getByLabel("Kunden suchen").fill("Marta");
    await page.locator(".finder").getByRole("alert").waitFor();
    expect(await page.getByText("Kein passender Kunde").count()).toBe(0);
    await office.looksRight("unread-sale", BOTH_THEMES);
  });
  await page.locator(".finder").getByRole("button", { name: "Erneut versuchen" }).click();
  await page.locator(".finder").getByRole("option").first().waitFor();
  await getRetryButton().first().click();
  await expect
    .poll(() => page.getByText("Die Auswahllisten konnten nicht geladen werden. Versuchen Sie es erneut.").count())
    .toBe(0);
});

test("shows an error instead of an empty list if the bookings of a closed day fail to load", async () => {
  const id = await readFirstId("/closed-dates?page_size=1");
  await whileFails(/\/office\/(?:planning\?|closed-dates\/[^/]+\/history)/, async () => {
    await open(`list/closed-dates/${id}`);
    await page.getByRole("region", { name: "Betroffene Reservierungen" }).getByRole("alert").waitFor();
    await page.getByText("Verlauf").click();
    await page.locator("details.history").getByRole("alert").waitFor();
    expect(await page.locator("details.history").getByText("Keine Änderungen erfasst").count()).toBe(0);
  });
  for (const remainingFailures of [1, 0]) {
    await getRetryButton().first().click();
    await expect.poll(() => getRetryButton().count()).toBe(remainingFailures);
  }
});

test.each([
  ["today", /\/office\/attention$/],
  ["start", /\/office\/settings\/dry-run$/],
  ["prices-table", /\/office\/prices\/table/],
  ["security", /\/api\/v1\/sessions$/],
  ["ministry-reports", /\/office\/attention$/],
] as const)("shows an error on %s if loading fails", async (path, failingPath) => {
  await whileFails(failingPath, async () => {
    await open(path);
    await getRetryButton().waitFor();
  });
  await getRetryButton().click();
  await expect.poll(() => getRetryButton().count()).toBe(0);
});

test("shows an error instead of a page without permissions if the user's settings fail to load", async () => {
  await whileFails(/delivery-collection-app-settings$/, async () => {
    await open("today");
    await getRetryButton().waitFor();
    expect(await page.getByRole("navigation").count()).toBe(0);
  });
  await getRetryButton().click();
  await page.getByRole("heading", { name: "Heute", level: 1 }).waitFor();
});

test("shows an error instead of the second-factor setup if the user's factors fail to load", async () => {
  const refused = { error: "", code: "second_factor_missing", detail: [] };
  await page.route(/delivery-collection-app-settings$/, (route) => route.fulfill({ status: 403, json: refused }));
  await whileFails(/second-factor\/passkeys$/, async () => {
    await open("today");
    await getRetryButton().waitFor();
    expect(await page.getByRole("heading", { name: "Passkeys" }).count()).toBe(0);
  });
  await getRetryButton().click();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.unroute(/delivery-collection-app-settings$/);
});

// Proves "payments.md": An unavailable list of municipalities is reported, and a code can be typed instead
test("accepts a municipality's code if the list fails to load, and offers the list once loaded", async () => {
  const id = await readFirstId("/reservations?status=confirmed&kind=rental&page_size=1");
  const ses = { id: 1, kind: "RV", unit_id: null, part: 1, state: "draft", register: null, wished: [], error: null };
  const fields = { missing: ["customer_address[city_code]"], shortened: ["customer_surname"] };
  const ministryReports = [{ ...ses, ...fields, province: "07" }];
  await page.route(/\/reservations\/\d+\/ses$/, (route) => route.fulfill({ json: ministryReports }));
  await whileFails(/ministry-reports\/municipalities/, async () => {
    await open(`reservations/${id}`);
    await page.getByText("In der Meldung gekürzt oder ersetzt: Nachname").waitFor();
    await page.getByRole("button", { name: "Fehlende Daten eingeben" }).click();
    await page.getByRole("dialog").getByText("Gemeinden konnten nicht geladen werden").waitFor();
    expect(await page.getByRole("dialog").getByText("Ort nicht in der Liste").count()).toBe(0);
    await page.getByRole("dialog").getByLabel("Gemeinde").fill("07040");
    await office.looksRight("unread-municipalities", BOTH_THEMES);
  });
  const towns = [{ code: "07040", name: "Palma" }];
  await page.route(/ministry-reports\/municipalities/, (route) => route.fulfill({ json: { data: towns } }));
  await page.getByRole("dialog").getByRole("button", { name: "Erneut versuchen" }).click();
  await page.getByRole("dialog").getByText("Ort nicht in der Liste").waitFor();
  expect(await page.getByRole("dialog").getByLabel("Gemeinde").inputValue()).toBe("07040");
  await page.unroute(/ministry-reports\/municipalities/);
  await page.unroute(/\/reservations\/\d+\/ses$/);
});
