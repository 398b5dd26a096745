import type { Page } from "playwright-core";
import { beforeAll, expect, inject, test } from "vitest";
import { type Office, useOffice } from "../../browser/office-page.ts";
import { addPasskeyAuthenticator, createStaffUser, PASSWORD } from "../../browser/passkey-user.ts";

const USERNAME = "passkey@acme.test";
let office: Office;
let page: Page;

useOffice((opened) => {
  ({ office, page } = opened);
});

beforeAll(async () => {
  await createStaffUser(office, USERNAME, "Pia Key", "manager");
  await addPasskeyAuthenticator(page);
}, 60_000);

async function typePassword(): Promise<void> {
  await page.getByLabel("E-Mail oder Benutzer").fill(USERNAME);
  await page.getByLabel("Passwort").fill(PASSWORD);
  await page.getByRole("button", { name: "Anmelden" }).click();
}

test("creates a passkey in the office, and requires it at the next sign-in to office and check-in", async () => {
  await page.evaluate("sessionStorage.clear()");
  await page.goto("about:blank");
  await page.goto(office.address);
  await typePassword();
  await page.getByRole("heading", { name: "Heute", exact: true }).waitFor();
  await page.goto(`${office.address}#/security`);
  await page.getByLabel("Name des Passkeys").fill("Dienstgerät");
  await page.getByRole("button", { name: "Passkey hinzufügen" }).click();
  await page.getByText("Dienstgerät").waitFor();

  await page.evaluate("sessionStorage.clear()");
  await page.goto("about:blank");
  await page.goto(office.address);
  await typePassword();
  await page.getByRole("button", { name: "Passkey verwenden" }).click();
  await page.getByRole("heading", { name: "Heute", exact: true }).waitFor();

  await page.goto(`http://acme.localhost:${inject("port")}/checkin/`);
  await page.locator("[name=username]").fill(USERNAME);
  await page.locator("[name=password]").fill(PASSWORD);
  await page.locator("button[type=submit]").click();
  await page.getByRole("button", { name: "Passkey verwenden" }).click();
  await page.locator(".tabs").waitFor();
  expect(office.faults()).toEqual([]);
});

test("shows why second factors fail to load, and requests no passkey if the server refuses", async () => {
  const failureResponse = { status: 503, json: { code: "storage_full", error: "The company's database is full" } };
  const alert = page.getByRole("main").getByRole("alert");
  await page.goto(office.address);
  await page.route("**/api/v1/second-factor/passkeys", (route) => route.fulfill(failureResponse));
  await page.goto(`${office.address}#/security`);
  await expect.poll(() => alert.first().textContent()).toContain("Der Speicher ist voll.");
  await page.unroute("**/api/v1/second-factor/passkeys");
  await page.reload();
  await page.route("**/api/v1/second-factor/passkeys/challenge", (route) => route.fulfill(failureResponse));
  await page.getByLabel("Name des Passkeys").fill("Tresor");
  await page.getByRole("button", { name: "Passkey hinzufügen" }).click();
  await expect.poll(() => alert.first().textContent()).toContain("Der Speicher ist voll.");
  expect(await page.getByText("Tresor", { exact: true }).count()).toBe(0);
});
