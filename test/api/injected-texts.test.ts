import { beforeEach, describe, expect, test } from "vitest";
import { createAgencyReservationBody, postAsAgency } from "#support/agency.ts";
import { insertCheckInRental } from "#support/check-in.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { checkOutCart, createCart } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";

let company: TestCompany;
let boss = "";

beforeEach(async () => {
  company = await setUpCompany();
  await addTestUsers();
  boss = await createToken("boss");
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
  ])(
    "rejects the customer's %s %j in a website's checkout, an agency's booking and a registration",
    async (field, value) => {
      const signUp = { name: "Ana", surname: "Gil", email: "ana.gil@example.com", password: "Rental-pass-2026!" };
      const answers = {
        website: await checkOutCart(await createCart(), { [`customer_${field}`]: value }),
        agency: await postAsAgency("/booking", createAgencyReservationBody({ [`customer_${field}`]: value })),
        registration: await callApi("POST", "/signup/customer", { body: { ...signUp, [field]: value } }),
      };
      for (const [entry, answer] of Object.entries(answers)) expect([entry, answer.status]).toEqual([entry, 400]);
      for (const answer of [answers.website, answers.agency]) expect(await answer.text()).toContain(field);
    },
  );
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
    await insertCheckInRental({ id: 7 });
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
test("rejects a breached password at registration, checkout, password reset and in the office", async () => {
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
    checkout: await checkOutCart(await createCart(), account),
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
  test.each(ELSEWHERE)(
    "links and redirects to no other website if path, query or headers contain %j",
    async (address) => {
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
    },
  );
});
