import { Secret, TOTP } from "otpauth";
import { beforeAll, expect, test } from "vitest";
import { getDateInDays, type Office, useOffice } from "../../browser/office-page.ts";
import { addPasskeyAuthenticator, createStaffUser, PASSWORD } from "../../browser/passkey-user.ts";

const BOSS = "factor@acme.test";
let office: Office;
let page: Office["page"];
let bossId: number;

useOffice((opened) => {
  ({ office, page } = opened);
});

beforeAll(async () => {
  bossId = await createStaffUser(office, BOSS, "Fea Faktor", "administrator");
  await addPasskeyAuthenticator(page);
}, 60_000);

const LATER = 30_000;
const NOT_PROVED = "Bestätigen Sie den zweiten Faktor und versuchen Sie es erneut. Nichts wurde geändert.";
const dialog = () => page.getByRole("dialog", { name: "Identität bestätigen" });
const createCode = (secret: string, at = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

async function signInAs(username: string): Promise<string> {
  const { token } = await office.ask("POST", "/api/v1/login", { body: { username, password: PASSWORD } });
  return token ?? "";
}

/** Opens an office page in a session. */
async function openIn(token: string, path: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(`${office.address}#/${path}`);
  await page.evaluate(`sessionStorage.setItem("office-token", ${JSON.stringify(token)})`);
  await page.reload();
}

// Proves "security, privacy and operation": Second factor: the office's pages ask for it wherever a write is refused
//   without it, and send that again under its key
test("resends requests that need a fresh second factor once the user proves it, for a key, a refund and a user", async () => {
  // Sessions that started before the user added a second factor, so none has proved it.
  const [owner = "", first = "", second = "", third = ""] = [
    await signInAs(BOSS),
    await signInAs(BOSS),
    await signInAs(BOSS),
    await signInAs(BOSS),
  ];
  const asOwner = { token: owner };
  const factorSetup = await office.ask("POST", "/api/v1/second-factor", asOwner);
  const { secret } = factorSetup.body as { readonly secret: string };
  const body = { code: createCode(secret, Date.now() - LATER) };
  const confirmed = await office.ask("POST", "/api/v1/second-factor/confirm", { ...asOwner, body });
  const { recovery_codes: codes } = confirmed.body as { readonly recovery_codes: readonly string[] };
  await openIn(owner, "security");
  await page.getByLabel("Name des Passkeys").fill("Schlüsselbund");
  await page.getByRole("button", { name: "Passkey hinzufügen" }).click();
  await page.getByText("Schlüsselbund").waitFor();

  const keys: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/engine-keys"))
      keys.push(request.headers()["idempotency-key"]);
  });
  const save = () => page.getByRole("button", { name: "Speichern" }).click();
  await openIn(first, "list/engine-keys/new");
  await page.getByLabel("Schlüssel *").fill("fresh-factor");
  await page.getByLabel("Name *").fill("Neue Website");
  await save();
  await dialog().waitFor();
  await office.looksRight("second-factor");
  await page.keyboard.press("Escape");
  await page.getByText(NOT_PROVED).waitFor();
  expect(await page.getByLabel("Name *").inputValue()).toBe("Neue Website");
  await save();
  const code = dialog().getByLabel("Code der App oder Wiederherstellungscode");
  const prove = dialog().getByRole("button", { name: "Identität bestätigen" });
  await code.fill("000000");
  await prove.click();
  await page.getByText("Der Code ist falsch oder wurde schon benutzt").waitFor();
  await code.fill(createCode(secret));
  await prove.click();
  await page.getByText("Gespeichert").first().waitFor();
  expect([keys.length, new Set(keys).size]).toEqual([3, 1]);

  const asSecond = { token: second };
  const rental = {
    ...{
      date_from: getDateInDays(80),
      time_from: "10:00",
      date_to: getDateInDays(83),
      time_to: "10:00",
      pickup_place: 1,
    },
    ...{ return_place: 1, category_code: "COMP", customer: { name: "Rita", surname: "Rück" } },
  };
  const createdReservation = await office.ask("POST", "/api/v1/office/reservations", { ...asSecond, body: rental });
  const { reservation } = createdReservation.body as { readonly reservation: { readonly id: number } };
  const charge = { request_id: "fresh-factor", kind: "charge", amount: "50.00", payment_method_id: "cash" };
  const charged = await office.ask("POST", `/api/v1/booking/${reservation.id}/charges`, {
    ...asSecond,
    body: charge,
  });
  expect(charged).toMatchObject({ status: 200 });
  await openIn(second, `reservations/${reservation.id}`);
  await page.getByRole("button", { name: "Erstattung veranlassen" }).click();
  await page.getByLabel("Betrag", { exact: true }).fill("20,00");
  await page.getByLabel("Grund *").fill("Zu viel bezahlt");
  await page.locator(".sheet [type=submit]").click();
  await page.getByRole("button", { name: "Passkey verwenden" }).click();
  await page.getByText("Erstattung veranlasst").waitFor();

  await openIn(third, `list/users/${bossId}`);
  await page.getByLabel("Voller Name *").fill("Fea Faktor-Neu");
  await save();
  await code.fill(codes[0] ?? "");
  await prove.click();
  await page.getByText("Gespeichert").first().waitFor();
  expect(office.faults()).toEqual([]);
});
