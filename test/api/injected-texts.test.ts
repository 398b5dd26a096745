import { beforeEach, describe, expect, test } from "vitest";
import { aReservation, postAsAgency } from "#support/agency.ts";
import { aRental } from "#support/check-in.ts";
import { aCompany, type TestCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { aCart, checkOutCart } from "#support/website.ts";

let company: TestCompany;
let boss = "";

beforeEach(async () => {
  company = await aCompany();
  await addTestUsers();
  boss = await createToken("boss");
});

describe("a name that a spreadsheet would execute as a formula", () => {
  const FORMULAS = ["=HYPERLINK(A1)", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1"];

  // Proves "security.md": A16
  test.each(FORMULAS)("escapes %j at the start of a cell in exports", async (name) => {
    await aRental({ id: 7 });
    await company.db
      .prepare("UPDATE bookings SET customer_name = ?1, customer_surname = ?1, pickup_place = ?1 WHERE id = 7")
      .bind(name)
      .run();
    for (const [kind, amount] of [
      ["deposit_received", "5.00"],
      ["charge", "5.00"],
    ] as const) {
      const body = {
        request_id: `attack-${kind.replace("_", "-")}`,
        kind,
        amount,
        payment_method_id: "cash",
        external_operation_number: "=1+1",
      };
      const answer = await callApi("POST", "/booking/7/charges", { token: boss, body });
      expect([answer.status, await answer.text()]).toEqual([200, expect.anything()]);
    }
    expect(
      (await callApi("POST", "/booking/7/documents", { token: boss, body: { request_id: "attack-invoice" } })).status,
    ).toBe(200);
    await company.db
      .prepare(
        "INSERT INTO security_events (at, last_at, kind, detail) VALUES (1, 1, 'locked_out', json_object('what', ?))",
      )
      .bind(name)
      .run();
    const names = ["deposits", "charges", "documents", "security-events", "reservations", "vehicles"];
    for (const path of names.map((table) => `/${table}.csv`)) {
      const answer = await callOffice("GET", path, { token: boss });
      const text = (await answer.text()).replace("\uFEFF", "");
      expect([path, answer.status, text.split("\r\n").length > 2]).toEqual([path, 200, true]);
      expect([path, listFormulas(text)]).toEqual([path, []]);
    }
  });

  // Numbers below zero stay numbers.
  function listFormulas(csv: string): readonly string[] {
    const cells = csv.match(/"(?:[^"]|"")*"|[^,;\r\n]+/g) ?? [];
    return cells.filter((cell) => /^"?[=+\-@\t\r]/.test(cell) && !/^"?-\d+\.\d\d"?$/.test(cell));
  }
});

describe("a text that would add a header to a mail", () => {
  // Proves "security.md": A17
  test.each([
    ["email", "ana@example.com\r\nBcc: thief@example.com"],
    ["email", "ana@example.com,thief@example.com"],
    ["email", "Ana <thief@example.com>"],
    ["name", "Ana\r\nBcc: thief@example.com"],
    ["surname", "Ruiz\nSubject: won"],
  ])("rejects a new customer whose %s would add a header or recipient to a mail: %j", async (field, value) => {
    const body = { name: "Ana", surname: "Gil", email: "ana.gil@example.com", [field]: value };
    const refused = await callOffice("POST", "/customers", { token: boss, body });
    expect([refused.status, await refused.json()]).toMatchObject([400, { detail: [{ field }] }]);
  });

  // Proves "security.md": A17
  test.each([
    ["email", "ana@example.com\r\nBcc: thief@example.com"],
    ["email", "=?utf-8?q?thief=40evil.example=3e=20?=@example.com"],
    ["name", "Ana\u2028Bcc: thief@example.com"],
    ["surname", "Ruiz\nSubject: won"],
  ])("rejects %s %j of a website, an agency and a registration", async (field, value) => {
    const signUp = { name: "Ana", surname: "Gil", email: "ana.gil@example.com", password: "Rental-pass-2026!" };
    const answers = {
      website: await checkOutCart(await aCart(), { [`customer_${field}`]: value }),
      agency: await postAsAgency("/booking", aReservation({ [`customer_${field}`]: value })),
      registration: await callApi("POST", "/signup/customer", { body: { ...signUp, [field]: value } }),
    };
    for (const [entry, answer] of Object.entries(answers)) expect([entry, answer.status]).toEqual([entry, 400]);
    for (const answer of [answers.website, answers.agency]) expect(await answer.text()).toContain(field);
  });
});
