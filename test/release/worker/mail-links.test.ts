import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { BookingMailKind } from "#domain/catalogue/booking-mail-kinds.ts";
import { PLATFORM_LANGUAGES, type PlatformLanguage } from "#domain/catalogue/languages.ts";
import { getBookableDay } from "#support/agency.ts";
import {
  createCollectionMessage,
  createDeliveryMessage,
  insertCheckInRental,
  sendCheckInOperation,
} from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, sellRentalAtDesk } from "#support/office.ts";
import { bookOnWebsite, enableGateways } from "#support/payments.ts";
import { addTestUsers, callApi, createToken, PASSWORD } from "#support/test-users.ts";
import { bookTransfer, insertTransferCatalogue } from "#support/transfers.ts";
import { requestWorker } from "#support/worker.ts";
import { decryptSecret } from "#worker/auth/secret-encryption.ts";
import { bookingMailDataQuery } from "#worker/store/operations/booking-mails.ts";
import { createBookingMails } from "#worker/usecases/operations/booking-mails.ts";
import { runScheduledJobs } from "#worker/usecases/operations/scheduled.ts";

interface Mail {
  readonly to: string;
  readonly text: string;
  readonly html: string;
}

const db = env.TENANT_ACME;
/** API paths of a reservation, by the parameter of its page. */
const ENGINES = { rb: "/api/booking/frontend/booking", rt: "/api/booking-transfer/frontend/reservation" };
const BRANCH = "air@example.com";
const ADDRESS = "address_street_address = 'Harbour 1', address_city = 'Palma'";
let boss = "";

beforeEach(async () => {
  const company = await setUpCompany();
  await enableGateways(company);
  await insertTransferCatalogue(company);
  await addTestUsers();
  await db.batch([
    db.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)"),
    db.prepare(`UPDATE branches SET email = '${BRANCH}', ${ADDRESS} WHERE code = 'AIR'`),
    db.prepare(`UPDATE pickup_places SET ${ADDRESS}`),
    db.prepare("INSERT INTO letterhead (id, color, logo) VALUES (1, '#0b6e69', 'iVBORw0KGgo=')"),
  ]);
  await openTestTenant(env).freshSnapshot();
  boss = await createToken("boss");
});

/** Writes the mails of kinds about a booking in each language, at its current status. */
async function writeMails(booking: number | string, kinds: readonly BookingMailKind[], token?: string) {
  const tenant = openTestTenant(env);
  const { catalogue } = await tenant.snapshot();
  const name = typeof booking === "number" ? booking : { freeAccessId: booking };
  const [row] = await bookingMailDataQuery(tenant.db, name);
  if (!row) throw new Error(`Missing booking: ${booking}`);
  const mails = PLATFORM_LANGUAGES.flatMap((customerLanguage) =>
    kinds.flatMap((kind) => {
      const mailed = { ...row.mailed, customerLanguage, customerEmail: "ana@example.com", branchEmail: null };
      const toWrite = {
        booking: mailed,
        kind,
        historyId: 0,
        link: token === undefined ? null : { token, purpose: "payment" as const, cents: 5000 },
      };
      return createBookingMails(tenant, catalogue, toWrite, { now: Date.now(), attachInvoice: undefined });
    }),
  );
  return Promise.all(
    mails.map(async (written): Promise<Mail> => JSON.parse(await decryptSecret(tenant, (await written).mail.sealed))),
  );
}

/** Sends requests as an administrator. Returns the mails that they and the due jobs send. */
async function catchMails(requests: readonly (readonly [path: string, body: object])[]): Promise<readonly Mail[]> {
  const sent: Mail[] = [];
  const mail = { send: async (message: Mail) => sent.push(message) } as unknown as SendEmail;
  const bindings = { ...env, MAIL: mail } as Cloudflare.Env;
  for (const [path, body] of requests) {
    const headers = { "Idempotency-Key": `"${path.replaceAll("/", "-")}"` };
    const token = path.startsWith("/office") ? boss : undefined;
    const answer = await callApi("POST", path, { token, body, headers, env: bindings });
    expect([path, answer.status]).toEqual([
      path,
      expect.toSatisfy((status: number) => status === 200 || status === 201),
    ]);
    await answer.arrayBuffer();
  }
  for (let run = 0; run < 2; run++) await runScheduledJobs(bindings, Date.now());
  return sent;
}

async function offerQuote(language: PlatformLanguage): Promise<number> {
  const period = { date_from: getBookableDay(3), time_from: "10:00", date_to: getBookableDay(6), time_to: "10:00" };
  const body = {
    ...{ ...period, pickup_place: 1, return_place: 1, category_code: "A", valid_until: `${getBookableDay(2)}T18:00` },
    customer_language: language,
    customer: { name: "Zoe", surname: "Ruiz", email: "zoe@example.com" },
  };
  const answer = await callOffice("POST", "/quotes", { token: boss, body });
  return (await answer.json<{ quote: { id: number } }>()).quote.id;
}

function listLinks({ text, html }: Mail): readonly string[] {
  const inText = [...text.matchAll(/https?:\/\/\S+/g)].map(([link]) => link);
  const inHtml = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = ""]) => link.replaceAll("&amp;", "&"));
  return [...new Set([...inText, ...inHtml])];
}

/** Requests what a link shows: the page, and the reservation that the widget loads on it. */
async function listStatuses(link: string): Promise<readonly number[]> {
  const url = new URL(link);
  const pages = [link];
  for (const [prefix, engine] of Object.entries(ENGINES)) {
    const id = url.searchParams.get(`${prefix}-id`);
    if (id) pages.push(`${url.origin}${engine}/${id}`);
  }
  return Promise.all(
    pages.map(async (page) => {
      const answer = await requestWorker(page, { redirect: "manual" });
      await answer.arrayBuffer();
      return answer.status;
    }),
  );
}

/** Follows all links of mails. Maps are another company's pages. Returns the number of links and those that fail. */
async function followLinks(mails: readonly Mail[]) {
  const links = [...new Set(mails.flatMap(listLinks))].filter((link) => !link.includes("openstreetmap.org"));
  const dead: string[] = [];
  for (const link of links) {
    const statuses = await listStatuses(link);
    if (statuses.some((status) => status !== 200)) dead.push(`${link} ${statuses}`);
  }
  return { count: links.length, dead };
}

async function expectLinksToWork(mails: readonly Mail[], least: number): Promise<void> {
  expect(mails.every((mail) => listLinks(mail).length > 0)).toBe(true);
  const { count, dead } = await followLinks(mails);
  expect(dead).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(least);
}

describe("links of mails in all languages", () => {
  test("sends working links in mails about a request, until it's confirmed", async () => {
    const mails = await writeMails(await bookOnWebsite("A"), ["request_received", "hold_ending", "payment_received"]);
    expect(mails.filter(({ html }) => html.includes(">Pay my reservation<"))).toHaveLength(1);
    await expectLinksToWork(mails, PLATFORM_LANGUAGES.length);
  });

  test("sends working links in mails about a confirmed reservation, with a link to pay", async () => {
    const { id } = (await sellRentalAtDesk(boss, { status: "confirmed" })).reservation;
    const created = await callOffice("POST", `/reservations/${id}/payment-links`, {
      token: boss,
      body: { purpose: "payment" },
    });
    const { url } = (await created.json<{ payment_link: { url: string } }>()).payment_link;
    const mails = await writeMails(id, ["confirmed", "changed", "payment_received", "reminder"]);
    const payments = await writeMails(id, ["payment_link"], url.split("/").at(-1));
    expect(payments.every(({ html }) => html.includes(url))).toBe(true);
    await expectLinksToWork([...mails, ...payments], PLATFORM_LANGUAGES.length + 2);
  });

  test("sends working links in mails about a rental, its contract and its invoice", async () => {
    await insertCheckInRental();
    await db.prepare(`UPDATE bookings SET free_access_id = '${"a1".repeat(16)}' WHERE id = 7`).run();
    const desk = await createToken("desk");
    await sendCheckInOperation(desk, createDeliveryMessage());
    const delivered = await writeMails(7, ["delivered"]);
    await expectLinksToWork(delivered, PLATFORM_LANGUAGES.length + 1);
    const invoice = { token: desk, body: { request_id: "an-invoice" } };
    expect((await callApi("POST", "/booking/7/documents", invoice)).status).toBe(200);
    await sendCheckInOperation(desk, createCollectionMessage({ kilometres: 10_600 }));
    const returned = await writeMails(7, ["collected", "invoiced"]);
    expect(returned.every(({ text }) => text.includes(`/documents/`))).toBe(true);
    await expectLinksToWork([...delivered, ...returned], PLATFORM_LANGUAGES.length + 2);
  });

  test("sends working links in mails about a cancelled reservation and a transfer", async () => {
    const { id, version } = (await sellRentalAtDesk(boss, { status: "confirmed" })).reservation;
    const body = { expected_version: version, reason: "No car" };
    expect((await callOffice("POST", `/reservations/${id}/cancel`, { token: boss, body })).status).toBe(200);
    const cancelled = await writeMails(id, ["cancelled"]);
    const transfer = await writeMails(await bookTransfer(), ["request_received", "hold_ending"]);
    await expectLinksToWork([...cancelled, ...transfer], 2 * PLATFORM_LANGUAGES.length);
  });

  test.each(PLATFORM_LANGUAGES)(
    "sends working links in mails of quotes, staff and customer accounts in %s",
    async (language) => {
      await db.prepare("UPDATE users SET language = ?").bind(language).run();
      const reservation = (await sellRentalAtDesk(boss, { status: "confirmed", customer_language: language }))
        .reservation;
      const person = { username: "eva", email: "eva@example.com", full_name: "Eva Nova", role: "agent", language };
      const customer = { name: "Eva", surname: "Sol", email: "new@example.com", password: PASSWORD };
      const requests: readonly (readonly [path: string, body: object])[] = [
        [`/office/quotes/${await offerQuote(language)}/send`, { expected_version: 1 }],
        [`/office/reservations/${reservation.id}/messages`, { template: "pickup_details" }],
        ["/office/users", { ...person, all_branches: true }],
        ["/web-customer/password-forgotten", { username: "ana" }],
        [`/signup/customer?lang=${language}`, customer],
        ["/web-customer/find-booking", { number: reservation.id, email: "ana@example.com" }],
      ];
      const mails = await catchMails(requests);
      const sent = mails.filter(({ to, html }) => to !== BRANCH && html.includes(`<html lang="${language}"`));
      expect(sent).toHaveLength(requests.length + 1);
      await expectLinksToWork(sent, requests.length + 1);
    },
  );
});
