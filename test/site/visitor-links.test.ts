import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, sellRentalAtDesk } from "#support/office.ts";
import {
  bookOnWebsite,
  createRedsysDenial,
  enableGateways,
  sendGatewayNotice,
  startPayment,
} from "#support/payments.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { CONTACT_LINK_TEXTS } from "#worker/api/contact-link.ts";

const SITE = "http://acme.localhost:8787";
const db = env.TENANT_ACME;
const COMPANY = "Acme Rent a Car";
const NO_ID = "0".repeat(32);

beforeEach(async () => {
  const company = await setUpCompany();
  await enableGateways(company);
  await db.prepare("UPDATE settings SET account_name = ?").bind(COMPANY).run();
  await openTestTenant(env).freshSnapshot();
});

const open = (path: string, language: string) =>
  requestWorker(path.startsWith("http") ? path : `${SITE}${path}`, {
    headers: { Accept: "text/html", "Accept-Language": language },
  });

const DEAD_ENDS = [
  ["an unknown payment", `/reserva/payment-gateway-return/ok?payment=${NO_ID}`, 404],
  ["an unknown payment link", `/pay/${NO_ID}`, 404],
  ["an unknown quote", `/quote/${NO_ID}`, 404],
  ["the payment address without its form", "/reserva/pagar", 405],
] as const;

describe.each(DEAD_ENDS)("the page of %s", (_name, path, status) => {
  test.each(PLATFORM_LANGUAGES)(
    "names the company and links to its contact details on a page for visitors, in %s",
    async (language) => {
      const page = await open(path, language);
      expect(page.status).toBe(status);
      const text = await page.text();
      expect(text).toContain(`<html lang="${language}">`);
      expect(text).toContain(COMPANY);
      expect(text).toContain(`href="/?lang=${language}#contact">${CONTACT_LINK_TEXTS[language]}<`);
    },
  );

  test("uses the company's language on an error page if the browser's language isn't supported", async () => {
    expect(await (await open(path, "sv")).text()).toContain('<html lang="es">');
  });
});

describe("the page after a payment", () => {
  test("shows the reservation's number on the page of a denied payment, and links back to the reservation", async () => {
    const id = await bookOnWebsite("A", { customer_language: "it" });
    const intent = await startPayment(id);
    await sendGatewayNotice("tpvA256", createRedsysDenial(intent));
    const address = `/reserva/payment-gateway-return/cancel?payment=${intent.id}`;
    const number = await db.prepare("SELECT id FROM bookings WHERE free_access_id = ?").bind(id).first("id");
    const page = await (await open(address, "en")).text();
    expect(page).toContain(`Prenotazione ${number}`);
    expect(page).toContain(`href="${SITE}/?lang=it&amp;rb=reservation&amp;rb-id=${id}"`);
    // With several websites, it isn't known which one the customer used.
    await db
      .prepare("UPDATE settings SET engine_requires_api_key = 1, engine_origins = ?")
      .bind('["https://a.example","https://b.example"]')
      .run();
    await openTestTenant(env).freshSnapshot();
    expect(await (await open(address, "en")).text()).not.toContain("rb-id=");
  });
});

test("links from an expired payment link to the company's contact details", async () => {
  await addTestUsers();
  const boss = await createToken("boss");
  const { reservation } = await sellRentalAtDesk(boss, { status: "confirmed", customer_language: "fr" });
  const created = await callOffice("POST", `/reservations/${reservation.id}/payment-links`, {
    token: boss,
    body: { purpose: "payment" },
  });
  const { url } = (await created.json<{ payment_link: { url: string } }>()).payment_link;
  expect(await (await open(url, "en")).text()).not.toContain("#contact");
  await db.prepare("UPDATE payment_links SET created_at = 1, expires_at = 2").run();
  expect(await (await open(url, "en")).text()).toContain('href="/?lang=fr#contact"');
});

describe.each(["/change-password?id=1", "/verify-email?id=1"])("the page %s", (path) => {
  test("links to the sign-in form, only if the company's page has one", async () => {
    const change = async (access: 0 | 1) => {
      await db.prepare("UPDATE settings SET engine_customer_access = ?").bind(access).run();
      await openTestTenant(env).freshSnapshot();
    };
    await change(1);
    expect(await (await open(path, "de")).text()).toContain('href="/?lang=de&rb=account">Anmelden<');
    await change(0);
    expect(await (await open(path, "de")).text()).not.toContain("rb=account");
  });
});
