import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, type ReservationAnswer, sellRentalAtDesk } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { runScheduledJobs } from "#worker/usecases/operations/scheduled.ts";

type Row = Readonly<Record<string, unknown>>;
interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const HOUR = 3_600_000;
const db = env.TENANT_ACME;
let isPostOfficeClosed = false;
let mails: Mail[] = [];
const MAIL = {
  send: async (mail: Mail) => {
    if (isPostOfficeClosed) throw new TypeError("closed");
    mails.push(mail);
    return { messageId: "" };
  },
} as unknown as SendEmail;
const runScheduledWork = (at = Date.now()) => runScheduledJobs({ ...env, MAIL } as Cloudflare.Env, at);

let boss = "";
let id = 0;

beforeEach(async () => {
  isPostOfficeClosed = false;
  mails = [];
  await setUpCompany();
  await addTestUsers();
  await db.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)").run();
  await openTestTenant(env).freshSnapshot();
  boss = await createToken("boss");
  id = (await sellRentalAtDesk(boss, { status: "confirmed", customer_language: "de" })).reservation.id;
  await db.prepare("UPDATE mail_cursor SET last_history_id = (SELECT max(id) FROM booking_history)").run();
});

const send = (body: object, { token = boss, key }: { token?: string; key?: string } = {}) =>
  callOffice("POST", `/reservations/${id}/messages`, { token, body, ...(key !== undefined && { key }) });
const sendMessage = async (body: object) => {
  const answer = await send(body);
  expect(answer.status).toBe(201);
  return (await answer.json<{ message: Row }>()).message;
};
const resend = (number: unknown, token = boss) => callOffice("POST", `/messages/${number}/resend`, { token });
const readReservation = async () =>
  (await callOffice("GET", `/reservations/${id}`, { token: boss })).json<
    ReservationAnswer & { messages: readonly Row[] }
  >();
const own = { subject: "Your child seat", text: "Hello {name},\n\n<b>it is ready</b> & free.\nSee you." };

describe("messages", () => {
  // Proves "office.md: the vehicles of a contract": GET /reservations/{id} contains messages with status, time and
  //   subject; POST /reservations/{id}/messages
  test("queues staff messages, sends them in plain text with the company's name, and shows their status", async () => {
    const message = await sendMessage(own);
    expect(message).toMatchObject({
      kind: "message",
      subject: own.subject,
      status: "queued",
      address: "ana@example.com",
    });
    await runScheduledWork();
    expect(mails).toHaveLength(1);
    const [mail] = mails;
    expect(mail).toMatchObject({ to: "ana@example.com", subject: own.subject });
    expect(mail?.text).toMatch(/^Hello .?Ana.?,\n\n<b>it is ready<\/b> & free\.\nSee you\.\n\n\S/);
    expect(mail?.html).toContain("<p>&lt;b&gt;it is ready&lt;/b&gt; &amp; free.<br>\nSee you.</p>");
    expect(mail?.html).toContain('lang="de"');
    const { messages, history } = await readReservation();
    expect(messages).toMatchObject([{ id: message["id"], status: "sent", problem: null }]);
    expect(messages[0]?.["sent"]).toMatch(/^\d{4}-/);
    expect(history[0]).toMatchObject({ who: "Bea Boss", after: { message: own.subject } });
    await runScheduledWork();
    expect(mails).toHaveLength(1);
  });

  // Proves "office.md: the vehicles of a contract": messages: idempotency key
  test("queues a staff message once per idempotency key, and rejects other content with the same key", async () => {
    const first = await send(own, { key: "once" });
    const again = await send(own, { key: "once" });
    expect(await again.json()).toEqual(await first.json());
    expect((await send({ template: "thank_you" }, { key: "once" })).status).toBe(422);
    expect((await readReservation()).messages).toHaveLength(1);
  });

  // Proves "office.md: the vehicles of a contract": messages: templates per language with placeholders and a preview
  test("sends a template's message in the customer's language, identical to its preview", async () => {
    const preview = await callOffice("GET", `/message-templates?reservation_id=${id}`, { token: boss });
    const { data } = await preview.json<{ data: readonly Row[] }>();
    expect(data.map((template) => [template["id"], template["language"]])).toEqual([
      ["pickup_details", "de"],
      ["missing_documents", "de"],
      ["thank_you", "de"],
    ]);
    expect(JSON.stringify(data)).not.toMatch(/\{(name|number|pickup|return|vehicle|company)\}/);
    const message = await sendMessage({ template: "pickup_details" });
    expect(message).toMatchObject({ subject: data[0]?.["subject"], text: data[0]?.["text"] });
    expect(message["subject"]).toBe(`Ihre Abholung, Reservierung ${id}`);
    expect(await sendMessage({ template: "thank_you", subject: "Danke!" })).toMatchObject({ subject: "Danke!" });
  });

  // Proves "office.md: the vehicles of a contract": POST /messages/{id}/resend: failed messages
  test("resends failed messages, and sends queued ones only once", async () => {
    isPostOfficeClosed = true;
    const message = await sendMessage(own);
    const at = Date.now();
    await runScheduledWork(at);
    expect((await readReservation()).messages).toMatchObject([{ status: "queued", problem: "TypeError" }]);
    expect((await resend(message["id"])).status).toBe(200);
    await db.batch([
      db.prepare("UPDATE booking_mails SET expires_at = ?").bind(at - HOUR),
      db.prepare("DELETE FROM outgoing_mails"),
    ]);
    expect((await readReservation()).messages).toMatchObject([{ status: "failed" }]);
    isPostOfficeClosed = false;
    await db.prepare("UPDATE bookings SET customer_email = 'new@example.com' WHERE id = ?").bind(id).run();
    const again = await resend(message["id"]);
    expect((await again.json<{ message: Row }>()).message).toMatchObject({
      status: "queued",
      address: "new@example.com",
    });
    await runScheduledWork();
    expect(mails).toMatchObject([{ to: "new@example.com", subject: own.subject }]);
    expect((await readReservation()).messages).toMatchObject([{ status: "sent" }]);
  });

  // Proves "office.md: the vehicles of a contract": POST /messages/{id}/resend: mails of the platform
  test("lists automatic mails, and resends them while their content is still true", async () => {
    await db.prepare("UPDATE mail_cursor SET last_history_id = 0").run();
    await runScheduledWork();
    await runScheduledWork();
    const [confirmed] = (await readReservation()).messages;
    expect(confirmed).toMatchObject({ kind: "confirmed", status: "sent", text: null });
    expect(confirmed?.["subject"]).toContain(String(id));
    mails = [];
    expect((await resend(confirmed?.["id"])).status).toBe(200);
    await runScheduledWork();
    expect(mails).toMatchObject([{ to: "ana@example.com", subject: confirmed?.["subject"] }]);
    await db.prepare("UPDATE bookings SET status = 'cancelled' WHERE id = ?").bind(id).run();
    const refused = await resend(confirmed?.["id"]);
    expect([refused.status, (await refused.json<{ code: string }>()).code]).toEqual([409, "message_outdated"]);
  });

  test.each([
    [{}, ["subject missing", "text missing"]],
    [{ subject: "Only" }, ["text missing"]],
    [{ template: "nonsense" }, ["template choice"]],
    [{ subject: "a\nb" }, ["subject plain", "text missing"]],
  ])("names every wrong field of the message %j", async (body, fields) => {
    const answer = await send(body);
    const { detail } = await answer.json<{ detail: readonly { field: string; code: string }[] }>();
    expect([answer.status, detail.map(({ field, code }) => `${field} ${code}`)]).toEqual([400, fields]);
    expect((await readReservation()).messages).toEqual([]);
  });

  test("rejects messages to customers without an address", async () => {
    await db.prepare("UPDATE bookings SET customer_email = NULL").run();
    const answer = await send(own);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(await answer.json())).toContain("customer.email");
  });

  // Proves "office.md: the vehicles of a contract": messages of other branches are hidden
  test("returns 404 for messages and templates of another branch's reservation", async () => {
    const message = await sendMessage(own);
    await db.prepare("UPDATE user_branches SET branch_code = 'ISLE'").run();
    const token = await createToken("desk");
    expect((await send(own, { token })).status).toBe(404);
    expect((await resend(message["id"], token)).status).toBe(404);
    expect((await callOffice("GET", `/message-templates?reservation_id=${id}`, { token })).status).toBe(404);
    expect((await resend(999_999)).status).toBe(404);
  });

  // Proves "office.md: the vehicles of a contract": messages: erased with their person
  test("removes address and text of messages when the customer's data is erased", async () => {
    await sendMessage(own);
    await db.prepare("UPDATE bookings SET status = 'cancelled' WHERE id = ?").bind(id).run();
    const customerId = await db.prepare("SELECT customer_id FROM bookings WHERE id = ?").bind(id).first("customer_id");
    const erased = await callOffice("POST", `/customers/${customerId}/erase`, {
      token: boss,
      body: { reason: "asked for" },
    });
    expect(erased.status).toBe(200);
    expect((await readReservation()).messages).toMatchObject([{ subject: null, text: null, address: null }]);
    expect(await db.prepare("SELECT count(*) AS n FROM outgoing_mails").first("n")).toBe(0);
  });
});
