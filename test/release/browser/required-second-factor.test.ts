import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Office, useOffice } from "../../browser/office-page.ts";
import { createStaffUser, PASSWORD } from "../../browser/passkey-user.ts";

const BOSS = "first-factor@acme.test";
let office: Office;
let page: Office["page"];
let staff: string;

useOffice((opened) => {
  ({ office, page, token: staff } = opened);
});

beforeAll(() => createStaffUser(office, BOSS, "Erna Erst", "administrator"), 60_000);

/** Requires a second factor from a role upwards. null disables it. */
async function askFrom(token: string, role: "administrator" | null): Promise<void> {
  const { body } = await office.ask("GET", "/api/v1/office/settings", { token });
  const { version } = (body as { readonly settings: { readonly version: number } }).settings;
  const change = { expected_version: version, second_factor_from: role };
  expect(await office.ask("PATCH", "/api/v1/office/settings", { token, body: change })).toMatchObject({ status: 200 });
}

// The account's other signed-in user is an administrator too.
let proved = "";
afterAll(() => askFrom(proved || staff, null));

async function signIn(): Promise<void> {
  await page.getByLabel("E-Mail oder Benutzer").fill(BOSS);
  await page.getByLabel("Passwort").fill(PASSWORD);
  await page.getByRole("button", { name: "Anmelden" }).click();
}

const createCode = (secret: string, at = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

test("lets a user set up a newly required second factor while working, and asks an older session for a code", async () => {
  const before = await office.ask("POST", "/api/v1/login", { body: { username: BOSS, password: PASSWORD } });
  await page.evaluate("sessionStorage.clear()");
  await page.reload();
  await signIn();
  await page.getByRole("heading", { name: "Heute" }).first().waitFor();
  await askFrom(staff, "administrator");
  await page.getByRole("link", { name: "Flotte" }).click();
  await page.getByRole("heading", { name: "Zwei-Faktor-Authentifizierung erforderlich" }).waitFor();
  await office.looksRight("factor-first");
  await page.getByRole("button", { name: "Authenticator-App einrichten" }).click();
  const secret = ((await page.locator("code.secret").textContent()) ?? "").replaceAll(" ", "");
  await page.getByRole("textbox", { name: "Zwei-Faktor-Code" }).fill(createCode(secret, Date.now() - 30_000));
  await page.getByRole("button", { name: "App aktivieren" }).click();
  await page.getByRole("heading", { name: "Ihre neuen Wiederherstellungscodes" }).waitFor();
  await page.getByRole("button", { name: "Weiter" }).click();
  await page.getByRole("heading", { name: "Flotte" }).first().waitFor();
  proved = await office.token();

  await page.evaluate(`sessionStorage.setItem("office-token", ${JSON.stringify(before.token)})`);
  await page.reload();
  const dialog = page.getByRole("dialog", { name: "Identität bestätigen" });
  await dialog.getByLabel("Code der App oder Wiederherstellungscode").fill(createCode(secret));
  await dialog.getByRole("button", { name: "Identität bestätigen" }).click();
  await page.getByRole("heading", { name: "Flotte" }).first().waitFor();
  expect(office.faults()).toEqual([]);
});
