import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { addDays } from "#domain/dates.ts";
import { closePages, openBrowser } from "#support/browser.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import { createOfficePageActions } from "./office-interactions.ts";
import { listAxeFaults, saveScreenshot } from "./page-checks.ts";

const users = demoAccounts.find(({ account }) => account === "acme")?.users ?? [];

interface CallOptions {
  readonly token?: string;
  readonly body?: unknown;
}

interface CallAnswer {
  readonly status: number;
  readonly token: string | null;
  readonly body: unknown;
}

const SIZES = { desktop: 1440, tablet: 1024, phone: 390 } as const;
type Size = keyof typeof SIZES;
type Appearance = readonly [colorScheme: "light" | "dark", size: Size];

/** Every theme at every size. */
export const ALL_APPEARANCES: readonly Appearance[] = (["light", "dark"] as const).flatMap((scheme) =>
  (["desktop", "tablet", "phone"] as const).map((size) => [scheme, size] as const),
);

/** Both themes, one on desktop and one on a phone. */
export const BOTH_THEMES: readonly Appearance[] = [
  ["light", "desktop"],
  ["dark", "phone"],
];

let turns = 0;
/** Appearance tested by the gate: alternates between light on desktop and dark on a phone. A release tests all. */
const nextAppearance = (): Appearance => BOTH_THEMES[turns++ % BOTH_THEMES.length] as Appearance;

/** Time limit on a busy machine, including browser start and the language change of all users. */
export const OFFICE_START_TIMEOUT_MS = 180_000;

/** Opens the demo account's office in a browser, in German for every user. */
export async function openOffice(port: number) {
  const address = `http://acme.localhost:${port}/office/`;
  const browser = await openBrowser();
  const context = await browser.newContext({ locale: "de-DE", viewport: { width: SIZES.desktop, height: 1000 } });
  const page = await context.newPage();
  await page.goto(address);
  await switchToGerman(page);
  const consoleErrors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") consoleErrors.push(message.text());
  });
  return {
    address,
    browser,
    page,
    /** Returns policy violations and uncaught errors of the pages. */
    faults: () => consoleErrors.filter((text) => /Content Security|Trusted|Uncaught/.test(text)),
    ask: (method: string, path: string, callOptions: CallOptions = {}) => askFrom(page, method, path, callOptions),
    looksRight: (name: string, appearances = ALL_APPEARANCES) =>
      expectScreenshots(page, name, inject("isThorough") ? appearances : [nextAppearance()]),
    signInAs: (name: string) => signInAs(page, address, name),
    /** Returns the token of the signed-in user. */
    token: () => page.evaluate<string>("sessionStorage.getItem('office-token')"),
    close: () => closePages(browser),
  };
}

export type Office = Awaited<ReturnType<typeof openOffice>>;

/** Opens the office with signed-in staff for a test file, and closes it afterwards. */
export function useOffice(handOver: (opened: { office: Office; page: Page; token: string }) => void) {
  let opened: { office: Office; page: Page; token: string };
  beforeAll(async () => {
    const office = await openOffice(inject("port"));
    await office.signInAs("staff");
    opened = { office, page: office.page, token: await office.token() };
    handOver(opened);
  }, OFFICE_START_TIMEOUT_MS);
  afterAll(async () => {
    await opened.office.close();
  });
  return createOfficePageActions(() => opened);
}

/** Returns the date in a number of days at the company, yyyy-mm-dd. */
export const getDateInDays = (days: number): string => addDays(getTodayAtCompany(), days);

const findUser = (name: string) => users.find(({ username }) => username.startsWith(name));

interface Speaking {
  readonly id: number;
  readonly version: number;
  readonly language: string | null;
}

// The office uses each user's language, so set German for all.
async function switchToGerman(page: Page): Promise<void> {
  const { username = "", password = "" } = findUser("staff") ?? {};
  const login = await askFrom(page, "POST", "/api/v1/login", { body: { username, password } });
  const token = login.token ?? "";
  const { body } = await askFrom(page, "GET", "/api/v1/office/users?page_size=200", { token });
  const listed = (body as { readonly data: readonly Speaking[] }).data;
  for (const { id, version } of listed.filter(({ language }) => language !== "de"))
    await askFrom(page, "PATCH", `/api/v1/office/users/${id}`, {
      token,
      body: { expected_version: version, language: "de" },
    });
}

// Sent by the browser, because Node doesn't resolve the accounts' hosts.
function askFrom(page: Page, method: string, path: string, { token, body }: CallOptions): Promise<CallAnswer> {
  const callOptions = JSON.stringify({
    method,
    path,
    token: token ?? "",
    body: body === undefined ? null : JSON.stringify(body),
  });
  return page.evaluate<CallAnswer>(
    `(async ({ method, path, token, body }) => {
      const headers = { Authorization: token, "Content-Type": "application/json", "Idempotency-Key": JSON.stringify(crypto.randomUUID()) };
      const answer = await fetch(path, { method, headers, ...(body === null ? {} : { body }) });
      return { status: answer.status, token: answer.headers.get("Authorization"), body: await answer.json() };
    })(${callOptions})`,
  );
}

/** Lists that are wider than their place, so that columns would be out of sight. */
const WIDE_LISTS =
  "[...document.querySelectorAll('.folds')].filter((list) => list.scrollWidth > list.clientWidth).map((list) => list.ariaLabel)";

/** Texts in lists of which a part is hidden, although they break into lines. Only codes in first columns are cut. */
const CUT_NAMES =
  "[...document.querySelectorAll('.folds tbody :is(td, .wide, .name):not(.press, .date)')].filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)";

/** Expects no axe violations, nothing wider than the screen, and lists that fit a small desktop with full names. */
async function expectScreenshots(page: Page, name: string, appearances: readonly Appearance[]): Promise<void> {
  for (const [colorScheme, size] of appearances) {
    const width = SIZES[size];
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 1000 });
    expect([name, size, await listAxeFaults(page)]).toEqual([name, size, []]);
    const scroll = await page.evaluate<number>("document.documentElement.scrollWidth");
    expect([name, size, scroll <= width]).toEqual([name, size, true]);
    await saveScreenshot(page, `office-${name}-${size}-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: SIZES.tablet, height: 1000 });
  expect([name, await page.evaluate<readonly string[]>(WIDE_LISTS)]).toEqual([name, []]);
  expect([name, await page.evaluate<readonly string[]>(CUT_NAMES)]).toEqual([name, []]);
  await page.setViewportSize({ width: SIZES.desktop, height: 1000 });
}

async function signInAs(page: Page, address: string, name: string): Promise<void> {
  const user = findUser(name);
  await page.goto(address);
  await page.getByLabel("E-Mail oder Benutzer").fill(user?.username ?? "");
  await page.getByLabel("Passwort").fill(user?.password ?? "");
  await page.getByRole("button", { name: "Anmelden" }).click();
  await page.getByRole("heading", { name: "Heute", exact: true }).waitFor();
}
