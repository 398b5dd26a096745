import { beforeEach, describe, expect, test } from "vitest";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { aReservation, postAsAgency } from "#support/agency.ts";
import { aRental } from "#support/check-in.ts";
import { aCompany, type TestCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { aCart, checkOutCart } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";
import { listOperations } from "#tools/fuzz/operations.ts";

let company: TestCompany;
let boss = "";

beforeEach(async () => {
  company = await aCompany();
  await addTestUsers();
  boss = await createToken("boss");
});

describe("a name that a spreadsheet would execute as a formula", () => {
  /** Every table of the office as CSV, besides the accounting journal (test/domain/reporting/journal.test.ts). */
  const TABLES = listOperations("office", openApiDocuments["office"]?.() ?? {})
    .filter(({ path }) => path.endsWith(".csv"))
    .map(({ path, parameters }) => {
      const query = parameters
        .filter(({ in: place, required }) => place === "query" && required)
        .map(({ name, example, schema }) => [name, String(example ?? schema.example)]);
      return `${path.replace("/api/v1/office", "").replace("{id}", "1")}?${new URLSearchParams(query)}`;
    });
  /** Tables without rows in this company. They are written by the same function (test/scripts/csv.test.ts). */
  const EMPTY_TABLES = [
    ...[
      "/expenses.csv",
      "/quotes.csv",
      "/ministry-reports.csv",
      "/refunds.csv",
      "/tax-records.csv",
      "/commissions.csv",
    ],
    ...["/agencies/1/statement.csv", "/customers/1/statement.csv"],
  ];
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
    await addRowsOfOtherTables(name);
    const empty = [];
    for (const path of TABLES) {
      const answer = await callOffice("GET", path, { token: boss });
      const text = (await answer.text()).replace("\uFEFF", "");
      expect([path, answer.status, listFormulas(text)]).toEqual([path, 200, []]);
      if (text.split("\r\n").length <= 2) empty.push(path.replace(/\?.*/, ""));
    }
    expect(empty).toEqual(EMPTY_TABLES);
  });

  test("finds a formula in a cell with or without quotes, and none in a number", () => {
    expect(listFormulas('a,=1\r\n"@b",-1.00\r\n"\t=1","x"\r\n')).toEqual(["=1", '"@b"', '"\t=1"']);
  });

  async function addRowsOfOtherTables(name: string): Promise<void> {
    await company.db.batch([
      company.db.prepare("UPDATE customers SET name = ?1, surname = ?1, address_city = ?1").bind(name),
      company.db.prepare("UPDATE vehicles SET reference = ?1 || id, color = ?1").bind(name),
      company.db
        .prepare("INSERT INTO agencies (id, name) VALUES (1, ?) ON CONFLICT DO UPDATE SET name = excluded.name")
        .bind(name),
      company.db
        .prepare(
          "INSERT INTO office_tasks (booking_id, text, created_by, created_at, last_update) VALUES (7, ?, 'staff:3', 1, 1)",
        )
        .bind(name),
    ]);
  }

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

describe("a text of staff that would add a header", () => {
  const SPLITS = [
    "Hello\r\nBcc: thief@example.com",
    "Hello\nX-Evil: 1",
    "Hello\u2028Bcc: thief@example.com",
    "Hello\u0000",
  ];

  // Proves "security.md": A17
  test.each(SPLITS)("rejects the subject, company or file name %j, or stores it on one line", async (text) => {
    await aRental({ id: 7 });
    await company.db.prepare("UPDATE bookings SET customer_email = 'ana@example.com' WHERE id = 7").run();
    const { settings } = await (await callOffice("GET", "/settings", { token: boss })).json<{
      settings: { version: number };
    }>();
    const file = { name: `${text}.pdf`, content: btoa("%PDF-1.7\nlicence\n%%EOF\n") };
    const answers = await Promise.all([
      callOffice("POST", "/reservations/7/messages", { token: boss, body: { subject: text, text: "Ready" } }),
      callOffice("PATCH", "/settings", {
        token: boss,
        body: { expected_version: settings.version, account_name: text },
      }),
      callOffice("PUT", "/message-templates/confirmed/en", { token: boss, body: { subject: text, text: "Ready" } }),
      callOffice("POST", "/customers/1/files", { token: boss, body: file }),
    ]);
    expect(answers.filter(({ status }) => status === 400).length).toBeGreaterThanOrEqual(2);
    const stored = await company.db.batch<Record<string, string>>([
      company.db.prepare("SELECT account_name AS text FROM settings"),
      company.db.prepare("SELECT subject AS text FROM development_mails UNION ALL SELECT subject FROM outgoing_mails"),
      company.db.prepare("SELECT name AS text FROM customer_files"),
    ]);
    const texts = stored.flatMap(({ results }) => results.map((row) => row["text"] ?? ""));
    expect(texts.length).toBeGreaterThan(0);
    for (const item of texts) expect(item).not.toMatch(/[\p{Cc}\u2028]/u);
  });
});

// Proves "security.md": A21
test("accepts a breached password at no entry for new passwords", async () => {
  const password = "password123";
  const person = { name: "Eva", surname: "Gil", email: "eva@example.com" };
  const user = {
    username: "eva",
    email: "eva@example.com",
    full_name: "Eva",
    role: "agent",
    all_branches: true,
    password,
  };
  const account = { create_customer_account: true, account_password: password };
  const answers = {
    registration: await callApi("POST", "/signup/customer", { body: { ...person, password } }),
    checkout: await checkOutCart(await aCart(), account),
    reset: await callApi("POST", "/web-customer/change-password", {
      body: { password, password_forgotten_hash: "unknown" },
    }),
    office: await callOffice("POST", "/users", { token: boss, body: user }),
  };
  for (const [entry, answer] of Object.entries(answers)) expect([entry, answer.status]).toEqual([entry, 400]);
  for (const answer of Object.values(answers)) expect(await answer.text()).toMatch(/password|contraseña/);
  const { password: _, ...invited } = user;
  const accepted = await callOffice("POST", "/users", {
    token: boss,
    body: { ...invited, password: "Rental-pass-2026!" },
  });
  expect([accepted.status, await accepted.text()]).toEqual([201, expect.anything()]);
});

describe("a redirect", () => {
  const ELSEWHERE = ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"];

  // Proves "security.md": A78
  test.each(ELSEWHERE)("leads to no page %j of another website", async (address) => {
    const query = new URLSearchParams({
      payment: address,
      url: address,
      return: address,
      next: address,
      page: address,
    });
    const paths = [
      `/charge-return/tpvA256/ok?${query}`,
      `/charge-return/tpvA256?${query}`,
      `/checkin?${query}`,
      `/office?${query}`,
      `/docs?${query}`,
      `/analytics?${query}`,
      `/reserva/payment-gateway-return/ok?${query}`,
      `/pay/${"a".repeat(32)}?${query}`,
      `/quote/${"a".repeat(32)}/accept?${query}`,
      `/${address}`,
    ];
    for (const path of paths) {
      const headers = { Accept: "text/html", Referer: address, Origin: address };
      const answer = await requestWorker(`http://acme.localhost:8787${path}`, { redirect: "manual", headers });
      const target = new URL(answer.headers.get("Location") ?? "/", "http://acme.localhost:8787");
      expect([path, target.origin]).toEqual([path, "http://acme.localhost:8787"]);
      expect(await answer.text()).not.toMatch(/(href|action|src)="[^"]*(evil|javascript)/i);
    }
  });
});
