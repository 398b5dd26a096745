import { mkdir } from "node:fs/promises";
import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import { openBrowser } from "./platform.ts";

const users = demoAccounts.find(({ account }) => account === "acme")?.users ?? [];
const userOf = (name: string) => users.find(({ username }) => username.startsWith(name));
const address = `http://acme.localhost:${inject("port")}/office/`;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const wrongs: string[] = [];

beforeAll(async () => {
  await mkdir("screenshots", { recursive: true });
  browser = await openBrowser();
  context = await browser.newContext({ locale: "de-DE", viewport: { width: 1440, height: 1000 } });
  page = await context.newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(address);
  await speakGerman();
  await page.addInitScript({ content: axe.source });
  page.on("console", (message) => {
    if (message.type() === "error") wrongs.push(message.text());
  });
});

afterAll(async () => {
  await browser.close();
});

// The office speaks the language of whoever signed in: here it is to be German for both.
async function speakGerman(): Promise<void> {
  const { username = "", password = "" } = userOf("staff") ?? {};
  const login = await askOffice("POST", "/api/v1/login", { body: { username, password } });
  const token = login.token ?? "";
  const { body } = await askOffice("GET", "/api/v1/office/users?page_size=200", { token });
  for (const { id, version } of (body as { readonly data: readonly { id: number; version: number }[] }).data)
    await askOffice("PATCH", `/api/v1/office/users/${id}`, {
      token,
      body: { expected_version: version, language: "de" },
    });
}

interface Asked {
  readonly token?: string;
  readonly body?: unknown;
}

// From the browser: Node does not know the accounts' hosts.
function askOffice(method: string, path: string, { token, body }: Asked) {
  const asked = JSON.stringify({
    method,
    path,
    token: token ?? "",
    body: body === undefined ? null : JSON.stringify(body),
  });
  return page.evaluate<{ readonly status: number; readonly token: string | null; readonly body: unknown }>(
    `(async ({ method, path, token, body }) => {
      const headers = { Authorization: token, "Content-Type": "application/json", "Idempotency-Key": JSON.stringify(crypto.randomUUID()) };
      const answer = await fetch(path, { method, headers, ...(body === null ? {} : { body }) });
      return { status: answer.status, token: answer.headers.get("Authorization"), body: await answer.json() };
    })(${asked})`,
  );
}

/** Nothing that axe finds in either theme, nothing wider than the screen, and a picture of it. */
async function looksRight(name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const)
    for (const [size, width] of [
      ["desktop", 1440],
      ["tablet", 1024],
      ["phone", 390],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 1000 });
      const found = await page.evaluate<
        readonly { readonly id: string; readonly nodes: readonly { html: string }[] }[]
      >(
        "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))",
      );
      expect([name, size, found]).toEqual([name, size, []]);
      const scroll = await page.evaluate<number>("document.documentElement.scrollWidth");
      expect([name, size, scroll <= width]).toEqual([name, size, true]);
      await page.screenshot({ path: `screenshots/office-${name}-${size}-${colorScheme}.png` });
    }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1440, height: 1000 });
}

async function signInAs(name: string): Promise<void> {
  const user = userOf(name);
  await page.goto(address);
  await page.getByLabel("E-Mail oder Benutzer").fill(user?.username ?? "");
  await page.getByLabel("Passwort").fill(user?.password ?? "");
  await page.getByRole("button", { name: "Anmelden" }).click();
  await page.getByRole("heading", { name: "Heute" }).waitFor();
}

const open = async (list: string, title: string) => {
  await page.goto(`${address}#/list/${list}`);
  await page.getByRole("heading", { name: title, level: 1 }).waitFor();
};
const fill = async (fields: Readonly<Record<string, string>>) => {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
};
const save = async () => {
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByText("Gespeichert").waitFor();
};

test("today says what waits and what is missing, each with what mends it", async () => {
  await page.goto(address);
  await page.getByLabel("Passwort").waitFor();
  await looksRight("sign-in");
  await signInAs("staff");
  await page.getByRole("heading", { name: "Hindert am Arbeiten" }).waitFor();
  await looksRight("today");
});

test("the boss sets up a branch: wrong fields are named in the person's language, a draft survives a reload", async () => {
  await open("branches", "Standorte");
  await page.keyboard.press("n");
  await page.getByLabel("Code *").waitFor();
  await fill({ "Code *": "I B Z", "Name *": "Ibiza" });
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByText("Nur Buchstaben, Ziffern").waitFor();
  await page.getByText("Das wird gebraucht.").waitFor();
  await looksRight("branch-form");
  await page.reload();
  await page.getByText("Ihre frühere Eingabe ist wieder da.").waitFor();
  expect(await page.getByLabel("Name *").inputValue()).toBe("Ibiza");
  await fill({ "Code *": "IBZ" });
  await page.getByLabel("Standortgruppe *").selectOption({ index: 1 });
  await save();
  expect(page.url()).toContain("#/list/branches/IBZ");
});

test("hours, a place and a category follow, in forms of the same kind", async () => {
  await page.goto(`${address}#/list/opening-hours/new`);
  await page.getByLabel("Standort *").selectOption("IBZ");
  await page.getByLabel("Wochentag *").selectOption("1");
  await fill({ "Öffnet *": "20:00", "Schließt *": "08:00" });
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByText("Später als 20:00.").waitFor();
  await fill({ "Öffnet *": "08:00", "Schließt *": "20:00" });
  await save();
  await page.goto(`${address}#/list/places/new`);
  await page.getByLabel("Name *").fill("Flughafen Ibiza");
  await page.getByLabel("Standort *").selectOption("IBZ");
  await save();
  await page.goto(`${address}#/list/categories/new`);
  await fill({ "Code *": "QUAD", "Name *": "Quad", "MwSt., % *": "21" });
  await save();
});

test("what somebody else changed meanwhile is shown beside one's own, which is kept", async () => {
  await page.goto(`${address}#/list/categories/QUAD`);
  await page.getByLabel("Sitze").fill("2");
  const token = await page.evaluate<string>("sessionStorage.getItem('office-token')");
  const body = { expected_version: 1, seats: 4 };
  expect((await askOffice("PATCH", "/api/v1/office/categories/QUAD", { token, body })).status).toBe(200);
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByText("Jetzt: 4").waitFor();
  expect(await page.getByLabel("Sitze").inputValue()).toBe("2");
  await looksRight("changed-meanwhile");
  await save();
  await page.getByText("Verlauf").click();
  await page.getByText("Sitze: 4 → 2").waitFor();
});

test("an agent of the desk meets what they may not", async () => {
  await page.getByRole("button", { name: "Abmelden" }).click();
  await signInAs("agent");
  expect(await page.getByRole("heading", { name: "Hindert am Arbeiten" }).count()).toBe(0);
  await page.goto(`${address}#/list/users`);
  await page.getByText("Ihre Rolle darf das nicht.").waitFor();
  expect(wrongs.filter((text) => /Content Security|Trusted|Uncaught/.test(text))).toEqual([]);
});
