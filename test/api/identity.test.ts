import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { createAgencyReservationBody, getBookableDay, postAsAgency } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { checkOutCart, createCart } from "#support/website.ts";

// Every entry stores the same value for the same typed identity.

let boss: string;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  boss = await createToken("boss");
});

interface Person {
  readonly phone?: string;
  readonly email?: string;
  readonly documentId?: string;
  readonly name?: string;
}

const ENTRIES = {
  website: async ({ phone, email = "ana@example.com", documentId, name = "Ana" }: Person) => {
    const customerFields = {
      customer_phone: phone,
      customer_email: email,
      customer_document_id: documentId,
      customer_name: name,
    };
    return (await checkOutCart(await createCart("A"), { customer_surname: "Ruiz", ...customerFields })).status;
  },
  agency: async ({ phone, email, documentId, name = "Ana" }: Person) => {
    const body = createAgencyReservationBody({
      ...{ customer_phone_number: phone, customer_email: email, customer_document_id: documentId, customer_name: name },
    });
    return (await postAsAgency("/booking", body)).status;
  },
  desk: async ({ phone, email, documentId, name = "Ana" }: Person) => {
    const customer = { name, surname: "Ruiz", phone, email, document_id: documentId };
    const body = {
      ...{
        date_from: getBookableDay(0),
        time_from: "10:00",
        date_to: getBookableDay(2),
        time_to: "10:00",
        pickup_place: 1,
        return_place: 1,
      },
      ...{ category_code: "A", customer },
    };
    return (await callOffice("POST", "/reservations", { token: boss, body })).status;
  },
} as const;

const readStoredIdentity = () =>
  env.TENANT_ACME.prepare("SELECT customer_phone, customer_document_id FROM bookings ORDER BY id DESC LIMIT 1").first();

describe.each(Object.entries(ENTRIES))("an identity entered by the %s", (_, enter) => {
  test.each([
    ["\u202a+34 600 11 22\u202c", "+34 600 11 22"],
    ["+34\u00a0600\u00a011\u00a022", "+34 600 11 22"],
    ["６００１１２２", "6001122"],
  ])(
    "stores the telephone %j without invisible characters, and the document without its country",
    async (phone, expected) => {
      expect(await enter({ phone, documentId: "ES\u200eB57204463" })).toBeLessThan(300);
      expect(await readStoredIdentity()).toEqual({ customer_phone: expected, customer_document_id: "B57204463" });
    },
  );

  test.each([
    { phone: "ninguno" },
    { phone: "6,00112E+08" },
    { email: "ana@example" },
    { email: "ana..b@example.com" },
    { email: "ana@example.com." },
    { name: "Ru\u00adiz" },
    { name: "\u202eanA" },
  ])("rejects a person with the invalid value %j, and stores nothing", async (person) => {
    expect(await enter(person)).toBe(400);
    expect(await readStoredIdentity()).toBeNull();
  });
});
