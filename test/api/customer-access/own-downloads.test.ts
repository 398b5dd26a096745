import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { insertCheckInRental } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { addTestUsers, callApi } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";

const FREE_ID = "0123456789abcdef0123456789abcdef";
const getAsCustomer = (path: string, id = FREE_ID) =>
  requestWorker(`http://acme.localhost:8787/api/v1/web-customer/reservations/${id}/${path}`);

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await insertCheckInRental();
  await env.TENANT_ACME.prepare("UPDATE bookings SET free_access_id = ? WHERE id = 7").bind(FREE_ID).run();
});

describe("downloads of an own booking", () => {
  const kinds = async () => {
    const { data } = await (await getAsCustomer("downloads")).json<{ data: { kind: string; path: string }[] }>();
    return data.map(({ kind, path }) => [kind, path]);
  };

  test("lists contract and calendar as downloads of a confirmed rental, and no downloads of a pending one", async () => {
    expect(await kinds()).toEqual([
      ["contract", "contract.pdf"],
      ["calendar", "calendar.ics"],
    ]);
    expect((await getAsCustomer("downloads", "f".repeat(32))).status).toBe(404);
    await insertCheckInRental({ id: 8, status: "pending_confirmation" });
    const pending = "f".repeat(32);
    await env.TENANT_ACME.prepare("UPDATE bookings SET free_access_id = ? WHERE id = 8").bind(pending).run();
    expect(await (await getAsCustomer("downloads", pending)).json()).toEqual({ data: [], total: 0 });
    expect((await getAsCustomer("calendar.ics", pending)).status).toBe(404);
  });

  test("returns the calendar file in the customer's language", async () => {
    await env.TENANT_ACME.prepare("UPDATE bookings SET customer_language = 'en'").run();
    const answer = await getAsCustomer("calendar.ics");
    expect(answer.headers.get("Content-Type")).toBe("text/calendar; charset=utf-8");
    const text = await answer.text();
    for (const line of ["BEGIN:VEVENT", "UID:reservation-7@acme", "Small car", "LOCATION:Airport"])
      expect(text).toContain(line);
  });
});

describe("find my booking", () => {
  interface Mail {
    readonly to: string;
    readonly text: string;
  }

  async function find(body: object, headers: Readonly<Record<string, string>> = {}) {
    const sentMails: Mail[] = [];
    const mail = { send: async (message: Mail) => sentMails.push(message) } as unknown as SendEmail;
    const answer = await callApi("POST", "/web-customer/find-booking", {
      body,
      headers,
      env: { ...env, MAIL: mail },
    });
    const text = await answer.text();
    return { status: answer.status, text, sent: sentMails };
  }

  test("mails the booking's link if number and email match, and returns the same response without a match", async () => {
    const matching = await find({ number: 7, email: " ANA@example.com " });
    await vi.waitFor(() => expect(matching.sent).toHaveLength(1));
    expect(matching.sent[0]).toMatchObject({ to: "ana@example.com" });
    expect(matching.sent[0]?.text).toContain(`rb-id=${FREE_ID}`);
    for (const mismatchedRequest of [
      { number: 7, email: "eva@example.com" },
      { number: 99, email: "ana@example.com" },
    ]) {
      const { sent, ...answer } = await find(mismatchedRequest);
      expect(answer).toEqual({ status: matching.status, text: matching.text });
      expect(sent).toEqual([]);
    }
    expect(matching).toMatchObject({ status: 200, text: "true" });
  });

  describe("finding a booking on a website with an API key", () => {
    const ownBooking = { number: 7, email: "ana@example.com" };

    beforeEach(async () => {
      await env.TENANT_ACME.batch([
        env.TENANT_ACME.prepare("UPDATE settings SET engine_requires_api_key = 1"),
        env.TENANT_ACME.prepare(`INSERT INTO engine_keys (api_key, name, allowed_origins, created_at)
          VALUES ('web', '', '["https://cars.example", "*"]', 0)`),
      ]);
      await openTestTenant(env, "acme").freshSnapshot();
    });

    test("mails the link to the website's page without its query, to the booking's address only", async () => {
      const page = "https://cars.example/de/mieten?to=https://evil.example#top";
      const matching = await find({ ...ownBooking, page });
      await vi.waitFor(() => expect(matching.sent).toHaveLength(1));
      expect(matching.sent[0]).toMatchObject({ to: "ana@example.com" });
      expect(matching.sent[0]?.text).toMatch(
        new RegExp(`https://cars\\.example/de/mieten\\?lang=\\w\\w&rb=reservation&rb-id=${FREE_ID}\\s`),
      );
      const unknown = await find({ ...ownBooking, number: 99, page });
      expect(unknown).toEqual({ status: matching.status, text: matching.text, sent: [] });
    });

    test("mails a link to the calling website if the request names no page", async () => {
      const { sent } = await find(ownBooking, { Origin: "https://cars.example" });
      await vi.waitFor(() => expect(sent).toHaveLength(1));
      expect(sent[0]?.text).toContain("https://cars.example/?lang=");
    });

    test.each([
      "https://evil.example/",
      "https://cars.example.evil.example/",
      "https://cars.example@evil.example/",
      "http://cars.example/",
      "javascript:alert(1)",
    ])("mails nothing and answers the same for the page %s, which the company doesn't list", async (page) => {
      expect(await find({ ...ownBooking, page })).toEqual({ status: 200, text: "true", sent: [] });
    });

    test("rejects a page that isn't a URL, naming the field", async () => {
      const answer = await find({ ...ownBooking, page: "cars" });
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("page")]);
    });
  });

  test("limits the attempts to find a booking per email address", async () => {
    const statuses = [];
    for (let time = 0; time < 7; time++)
      statuses.push((await find({ number: time + 1, email: "x@example.com" })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });

  test.each([
    [{ number: "7", email: "ana@example.com" }, "number"],
    [{ number: 0, email: "ana@example.com" }, "number"],
    [{ number: 7 }, "email"],
  ])("names the wrong field of the request %j", async (body, field) => {
    const answer = await find(body);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(field)]);
  });
});
