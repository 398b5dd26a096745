import { beforeEach, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { callOffice, sellRentalAtDesk } from "#support/office.ts";
import { enableGateways } from "#support/payments.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";

const SITE = "http://acme.localhost:8787";
const MEBIBYTE = 1024 * 1024;
const FORM = "application/x-www-form-urlencoded";

let boss = "";

beforeEach(async () => {
  await enableGateways(await setUpCompany());
  await addTestUsers();
  boss = await createToken("boss");
});

async function createQuotePath(customerLanguage: string): Promise<string> {
  const body = {
    ...{ date_from: getBookableDay(3), time_from: "10:00", date_to: getBookableDay(6), time_to: "10:00" },
    ...{ pickup_place: 1, return_place: 1, category_code: "A", valid_until: `${getBookableDay(2)}T18:00` },
    customer: { name: "Ana", surname: "Ruiz", email: "ana@example.com" },
    customer_language: customerLanguage,
  };
  const created = await callOffice("POST", "/quotes", { token: boss, body });
  return new URL((await created.json<{ quote: { link: string } }>()).quote.link).pathname;
}

async function createPaymentPath(): Promise<string> {
  const { id } = (await sellRentalAtDesk(boss, { status: "confirmed" })).reservation;
  const body = { purpose: "payment" };
  const created = await callOffice("POST", `/reservations/${id}/payment-links`, { token: boss, body });
  return new URL((await created.json<{ payment_link: { url: string } }>()).payment_link.url).pathname;
}

/** Creates a form without a length that ends after 40 MiB only. */
function createLongForm(): ReadableStream<Uint8Array> {
  let bytes = 0;
  return new ReadableStream({
    pull: (controller) => {
      bytes += 64 * 1024;
      controller.enqueue(new Uint8Array(64 * 1024).fill(97));
      if (bytes >= 40 * MEBIBYTE) controller.close();
    },
  });
}

const send = (path: string, body: BodyInit, headers: Readonly<Record<string, string>> = {}) =>
  requestWorker(SITE + path, {
    method: "POST",
    headers: { "Content-Type": FORM, Accept: "text/html", "Accept-Language": "de", ...headers },
    body,
  });

const BODIES: readonly [string, number, () => BodyInit, Readonly<Record<string, string>>][] = [
  ["an endless form", 413, createLongForm, {}],
  ["a form of two megabytes", 413, () => `x=${"a".repeat(2 * MEBIBYTE)}`, {}],
  ["a form with a repeated field", 400, () => "reason=a&reason=b&payment_method_id=a&payment_method_id=b", {}],
  ["a text instead of a form", 415, () => "hello", { "Content-Type": "text/plain" }],
];

// Proves "security.md": A79
test.each(BODIES)(
  "shows a browser a page in the customer's language with the next step for %s",
  async (_, status, createBody, headers) => {
    const quote = await createQuotePath("fr");
    const pages = [
      [`${quote}/accept`, "fr", "Formulaire non reçu", `action="${quote}/accept"`],
      [`${quote}/decline`, "fr", "Formulaire non reçu", `action="${quote}/decline"`],
      [await createPaymentPath(), "es", "Formulario no recibido", 'name="payment_method_id"'],
      ["/reserva/pagar", "de", "Formular nicht empfangen", "#contact"],
    ] as const;
    for (const [path, language, title, nextStep] of pages) {
      const answer = await send(path, createBody(), headers);
      const page = await answer.text();
      expect([path, answer.status, answer.headers.get("Content-Type")]).toEqual([
        ...[path, status, "text/html; charset=utf-8"],
      ]);
      expect(answer.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
      expect(page).toContain(`<html lang="${language}">`);
      expect(page).toContain(title);
      expect(page).toContain(nextStep);
    }
  },
);

test("rejects an oversized form in JSON if the client asks for JSON, and with 404 for an unknown payment link", async () => {
  const answer = await send(`${await createQuotePath("fr")}/accept`, createLongForm(), { Accept: "application/json" });
  expect([answer.status, await answer.json()]).toEqual([413, expect.objectContaining({ code: "too_large" })]);
  const unknown = await send(`/pay/${"0".repeat(32)}`, createLongForm());
  expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining("Link nicht gefunden")]);
});
