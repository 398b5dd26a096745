import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { PLATFORM_LANGUAGES, type PlatformLanguage } from "#domain/catalogue/languages.ts";
import { getBookableDay } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { listCustomerTexts } from "#support/customer-texts.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, type ReservationAnswer, sellRentalAtDesk } from "#support/office.ts";
import {
  bookOnWebsite,
  createRedsysNotice,
  enableGateways,
  sendGatewayNotice,
  startPayment,
  submitDepositPayment,
} from "#support/payments.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { runScheduledJobs } from "#worker/usecases/operations/scheduled.ts";

interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const SITE = "http://acme.localhost:8787";
const db = env.TENANT_ACME;
let boss = "";

beforeEach(async () => {
  const company = await setUpCompany();
  await enableGateways(company);
  await addTestUsers();
  await db.batch([
    db.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)"),
    db.prepare(`UPDATE branches SET phone_number = '1', email = 'air@example.com', company_name = 'Acme SL',
      document_id = 'B1', address_city = 'Palma', commercial_register = 'T 1' WHERE code = 'AIR'`),
  ]);
  await openTestTenant(env).freshSnapshot();
  boss = await createToken("boss");
});

/** Sends the mails that are due, and returns them. */
async function sendMails(): Promise<readonly Mail[]> {
  const sentMails: Mail[] = [];
  const send = async (mail: Mail) => {
    sentMails.push(mail);
    return { messageId: "" };
  };
  await runScheduledJobs({ ...env, MAIL: { send } as unknown as SendEmail } as Cloudflare.Env, Date.now());
  return sentMails;
}

/** Texts that customers read in other languages only, without placeholders. Calculated once for each language. */
const foreignTexts = new Map<PlatformLanguage, ReadonlySet<string>>();

function listForeignTexts(language: PlatformLanguage): ReadonlySet<string> {
  const list = (textLanguage: PlatformLanguage) =>
    listCustomerTexts(textLanguage).flatMap(({ text }) =>
      text.split(/\{\w+\}|[:\n]|https?:\S+/u).map((part) => part.trim()),
    );
  const own = new Set(list(language));
  const others = PLATFORM_LANGUAGES.filter((other) => other !== language).flatMap(list);
  return new Set(others.filter((text) => /\p{L}{4}/u.test(text) && !own.has(text) && !NAMES.has(text)));
}
// The names of languages, and names of the test company's offer.
const NAMES = new Set(["English", "Extras", "Acme"]);

/** Returns the parts of a page's text that are texts of another language. */
function findForeign(language: PlatformLanguage, page: string): readonly string[] {
  const foreign = foreignTexts.get(language) ?? listForeignTexts(language);
  foreignTexts.set(language, foreign);
  const plain = page
    .replace(/<(script|style)\b.*?<\/\1>/gs, "\n")
    .replaceAll(/<[^>]+>/g, "\n")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
  const parts = plain.split(/[\n:·]/u).map((part) => part.trim());
  return [...new Set(parts.filter((part) => foreign.has(part)))];
}

async function open(path: string, language: string): Promise<string> {
  const response = await requestWorker(path.startsWith("http") ? path : `${SITE}${path}`, {
    headers: { Accept: "text/html", "Accept-Language": `${language}-XX, ${language};q=0.9` },
  });
  return response.text();
}

async function listPages(language: PlatformLanguage): Promise<readonly string[]> {
  const unknown = ["/no-such-page", `/pay/${"0".repeat(32)}`, "/reserva/payment-gateway-return/ok?payment=1"];
  const own = ["/", "/change-password?id=1", "/verify-email?id=1", ...unknown];
  const id = await bookOnWebsite("A", { customer_language: language });
  const gateway = await (await submitDepositPayment(id)).text();
  const intent = await startPayment(id);
  const waiting = await open(`/reserva/payment-gateway-return/ok?payment=${intent.id}`, "sv");
  const left = await open(`/reserva/payment-gateway-return/nok?payment=${intent.id}`, "sv");
  await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
  const paid = await open(`/reserva/payment-gateway-return/ok?payment=${intent.id}`, "sv");
  const quote = await callOffice("POST", "/quotes", {
    token: boss,
    body: {
      ...{
        date_from: getBookableDay(3),
        time_from: "10:00",
        date_to: getBookableDay(6),
        time_to: "10:00",
        pickup_place: 1,
        return_place: 1,
      },
      ...{ category_code: "A", valid_until: `${getBookableDay(2)}T18:00`, customer_language: language },
      customer: { name: "Zoe", surname: "Ruiz", email: "zoe@example.com" },
    },
  });
  const { link } = (await quote.json<{ quote: { link: string } }>()).quote;
  const pages = await Promise.all([...own, link].map((path) => open(path, language)));
  return [...pages, gateway, waiting, left, paid];
}

describe.each(PLATFORM_LANGUAGES)("customer pages in language %s", (language) => {
  test("contains no text of another language on customer pages", async () => {
    const pages = await listPages(language);
    expect(pages).toHaveLength(11);
    for (const page of pages) {
      expect(page).toContain(`<html lang="${language}"`);
      expect(findForeign(language, page)).toEqual([]);
    }
  });

  test("contains no text of another language in reservation mails", async () => {
    await sendMails();
    const sale: ReservationAnswer = await sellRentalAtDesk(boss, { status: "confirmed", customer_language: language });
    const { id, version } = sale.reservation;
    const cancelled = await callOffice("POST", `/reservations/${id}/cancel`, {
      token: boss,
      body: { expected_version: version, reason: "7" },
    });
    expect(cancelled.status).toBe(200);
    const mails = await sendMails();
    const own = mails.filter(({ html }) => html.includes(`<html lang="${language}"`));
    expect(own.length).toBeGreaterThan(0);
    for (const { subject, text, html } of own)
      expect(findForeign(language, `${subject}\n${text}\n${html}`)).toEqual([]);
  });
});

test("lets staff choose every supported language for a customer and for the company", async () => {
  const customers = PLATFORM_LANGUAGES.map((language, index) =>
    callOffice("POST", "/customers", { token: boss, body: { name: "Zoe", surname: `Ruiz ${index}`, language } }),
  );
  for (const [index, response] of (await Promise.all(customers)).entries()) {
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ customer: { language: PLATFORM_LANGUAGES[index] } });
  }
  await db.prepare("UPDATE users SET role = 'administrator' WHERE username = 'boss'").run();
  const body = { expected_version: 1, languages: PLATFORM_LANGUAGES, default_language: "fr" };
  const changed = await callOffice("PATCH", "/settings", { token: await createToken("boss"), body });
  expect([changed.status, await changed.json()]).toMatchObject([200, { settings: { default_language: "fr" } }]);
});

test("detects a text of another language on a page", () => {
  expect(findForeign("fr", "<h1>Vehicle</h1><p>Véhicule</p>")).toEqual(["Vehicle"]);
  expect(findForeign("nl", "<p>Sus datos</p><p>Uw gegevens</p>")).toEqual(["Sus datos"]);
});
