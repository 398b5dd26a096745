import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { layoutFaults } from "../../browser/looks.ts";
import { type Office, useOffice } from "../../browser/office-page.ts";

const DESK = { width: 1280, height: 900 };
const MONEY = ["charges", "deposits", "register", "refunds", "commissions", "taxRecords", "declaration"];
const COMMUNICATIONS = ["codes", "service", "retention"];
const STATES = ["pending_confirmation", "confirmed", "in_progress", "done", "cancelled", "no_show"];

let office: Office;
let page: Page;

const { ask } = useOffice((opened) => {
  ({ office, page } = opened);
});

async function firstOf(path: string, what: string): Promise<readonly string[]> {
  const { data } = (await ask("GET", path)).body as { readonly data: readonly Readonly<Record<string, unknown>>[] };
  return data.slice(0, 1).map((one) => `${path.slice(1).split("?")[0]}/${one[what]}`);
}

async function speak(language: string): Promise<void> {
  const { data } = (await ask("GET", "/users?page_size=200")).body as {
    readonly data: readonly { readonly id: number; readonly version: number; readonly username: string }[];
  };
  const me = data.find(({ username }) => username.startsWith("staff"));
  await ask("PATCH", `/users/${me?.id}`, { expected_version: me?.version, language });
}

/** Every page of the menu, every tab, and one thing of each kind. */
async function everyPlace(): Promise<readonly string[]> {
  const linked = await page.evaluate<readonly string[]>(
    "[...document.querySelectorAll('.menu a')].map((one) => one.getAttribute('href').slice(2))",
  );
  const [customer, vehicle, ...reservations] = await Promise.all([
    firstOf("/customers?page_size=1", "id"),
    firstOf("/vehicles?page_size=1", "reference"),
    ...STATES.map((state) => firstOf(`/reservations?status=${state}&page_size=1`, "id")),
  ]);
  return [
    ...linked,
    ...MONEY.map((one) => `money/${one}`),
    ...COMMUNICATIONS.map((one) => `communications/${one}`),
    ...(customer ?? []),
    ...(vehicle ?? []).map((one) => one.replace("vehicles", "fleet")),
    ...reservations.flat(),
  ];
}

test.each(["de", "es"])(
  "on a desk in %s words and sums stand whole, and nothing is cut or on another",
  async (language) => {
    await speak(language);
    await page.setViewportSize(DESK);
    await page.reload();
    await page.locator(`html[lang=${language}] main h1`).waitFor();
    const places = await everyPlace();
    const wrong: string[] = [];
    for (const place of places) {
      await page.goto(`${office.address}#/${place}`);
      await page.locator("main :is(h1, [role=grid], .board)").first().waitFor();
      await page.waitForLoadState("networkidle");
      for (const fault of await layoutFaults(page)) wrong.push(`${place}: ${fault}`);
    }
    expect(places.length).toBeGreaterThan(50);
    expect(wrong).toEqual([]);
  },
);
