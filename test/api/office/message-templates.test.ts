import { env, exports } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, sellRentalAtDesk } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { runScheduledJobs } from "#worker/usecases/operations/scheduled.ts";

interface Template {
  readonly id: string;
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly is_own: boolean;
  readonly whatsapp_url?: string | null;
  readonly sms_url?: string | null;
}
interface Mail {
  readonly text: string;
  readonly html: string;
}

const db = env.TENANT_ACME;
// A PNG of one pixel.
const LOGO = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
let mails: Mail[] = [];
const MAIL = {
  send: async (mail: Mail) => {
    mails.push(mail);
    return { messageId: "" };
  },
} as unknown as SendEmail;

let boss = "";
let desk = "";

beforeEach(async () => {
  mails = [];
  await setUpCompany();
  await addTestUsers();
  await db.batch([
    db.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)"),
    db.prepare("INSERT INTO letterhead (id, color, logo) VALUES (1, '#0b6e69', ?)").bind(LOGO),
  ]);
  await openTestTenant(env).freshSnapshot();
  [boss, desk] = [await createToken("boss"), await createToken("desk")];
});

const OWN = { subject: "Danke, {name}", text: "Bis bald!\n\nIhr Team von {company}" };
const PATH = "/message-templates/thank_you/de";
const list = async (query = "", token = desk) =>
  (await callOffice("GET", `/message-templates${query}`, { token })).json<{
    readonly data: readonly Template[];
    readonly placeholders: readonly string[];
  }>();
const change = (
  body: object,
  { token = boss, key, path = PATH }: { token?: string; key?: string; path?: string } = {},
) => callOffice("PUT", path, { token, body, ...(key !== undefined && { key }) });
const sellGermanReservation = async () =>
  (
    await sellRentalAtDesk(boss, {
      ...{ status: "confirmed", customer_language: "de" },
      customer: { name: "Ana", surname: "Ruiz", email: "ana@example.com", phone: "+49 171 1234567" },
    })
  ).reservation.id;

describe("message templates", () => {
  test("lists message templates in every language with their placeholders", async () => {
    const { data, placeholders } = await list();
    expect(data).toHaveLength(24);
    expect(data.every((template) => !template.is_own)).toBe(true);
    expect(placeholders).toEqual(["name", "number", "vehicle", "pickup", "return", "company"]);
  });

  // Proves "office.md: the vehicles of a contract": messages: templates reset to ours
  test("uses the company's own template texts in new messages until they are reset, with a history", async () => {
    const defaultTemplate = (await list()).data.find(({ id, language }) => id === "thank_you" && language === "de");
    const changed = await change(OWN);
    expect([changed.status, await changed.json()]).toEqual([
      200,
      { template: { id: "thank_you", language: "de", ...OWN, is_own: true } },
    ]);
    const id = await sellGermanReservation();
    const send = () =>
      callOffice("POST", `/reservations/${id}/messages`, { token: desk, body: { template: "thank_you" } });
    expect((await (await send()).json<{ message: object }>()).message).toMatchObject({ subject: "Danke, Ana" });
    const reset = await callOffice("DELETE", PATH, { token: boss });
    expect([reset.status, await reset.json()]).toEqual([200, { template: defaultTemplate }]);
    expect((await (await send()).json<{ message: object }>()).message).not.toMatchObject({ subject: "Danke, Ana" });
    const { data } = await (await callOffice("GET", "/changes?resource=message-templates", { token: boss })).json<{
      data: readonly object[];
    }>();
    expect(data).toMatchObject([
      {
        id: "thank_you~de",
        move: "removed",
        who: "Bea Boss",
        before: OWN,
        after: { subject: defaultTemplate?.subject },
      },
      { id: "thank_you~de", move: "changed", before: { subject: defaultTemplate?.subject }, after: OWN },
    ]);
  });

  test("lets managers change message templates, once per idempotency key", async () => {
    expect((await change(OWN, { token: desk })).status).toBe(403);
    expect((await callOffice("DELETE", PATH, { token: desk })).status).toBe(403);
    expect((await change(OWN, { key: "one" })).status).toBe(200);
    expect((await change(OWN, { key: "one" })).status).toBe(200);
    expect((await change({ ...OWN, text: "Other" }, { key: "one" })).status).toBe(422);
    const changes = await db
      .prepare("SELECT count(*) AS n FROM office_history WHERE resource = 'message-templates'")
      .first("n");
    expect(changes).toBe(1);
  });

  test.each([
    ["text", { ...OWN, text: "Hello {nome}" }, PATH],
    ["subject", { ...OWN, subject: " " }, PATH],
    ["text", { subject: "x" }, PATH],
    ["language", OWN, "/message-templates/thank_you/xx"],
    ["template", OWN, "/message-templates/nonsense/de"],
  ])("names the wrong field %s of the template %j at %s", async (field, body, path) => {
    const answer = await change(body, { path });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(`"${field}"`)]);
    expect((await list()).data.some((template) => template.is_own)).toBe(false);
  });

  // Proves "office.md: the vehicles of a contract": messages: a preview of a changed template
  test("previews a template as a mail with example data, color and logo", async () => {
    const preview = async (body: object) =>
      callOffice("POST", "/message-templates/preview", { token: desk, body: { language: "de", ...OWN, ...body } });
    const previewMail = await (await preview({})).json<Mail & { subject: string }>();
    expect(previewMail.subject).toBe("Danke, Ana");
    expect(previewMail.text).not.toMatch(/[{}]/);
    expect(previewMail.html).toContain("border-bottom: 4px solid #0b6e69");
    expect(previewMail.html).toContain("/logo");
    expect((await preview({ text: "{unknown}" })).status).toBe(400);
  });

  // Proves "office.md: the vehicles of a contract": messages: a link that opens WhatsApp or the phone's messages with
  //   the text filled in
  test("returns links to WhatsApp and SMS with a template's text for a reservation", async () => {
    const { data } = await list(`?reservation_id=${await sellGermanReservation()}`);
    const thanks = data.find(({ id }) => id === "thank_you");
    const text = encodeURIComponent(thanks?.text ?? "");
    expect(thanks).toMatchObject({
      ...{ language: "de", whatsapp_url: `https://wa.me/491711234567?text=${text}` },
      sms_url: `sms:+491711234567?&body=${text}`,
    });
  });
});

// Proves "office.md: the vehicles of a contract": messages: branch signature, logo and colors of the company in every
//   mail
test("sends staff messages with the company's color and logo, signed by the branch", async () => {
  await db.prepare("UPDATE branches SET phone_number = '+34 971 000 000', name = 'Airport'").run();
  await openTestTenant(env).freshSnapshot();
  const id = await sellGermanReservation();
  await db.prepare("UPDATE mail_cursor SET last_history_id = (SELECT max(id) FROM booking_history)").run();
  await callOffice("POST", `/reservations/${id}/messages`, { token: desk, body: { subject: "Hi", text: "Hello" } });
  await runScheduledJobs({ ...env, MAIL } as Cloudflare.Env, Date.now());
  const [mail] = mails;
  expect(mail?.text).toMatch(/Hello\n\n.+: http\S+&rb-id=\w+\n\n.+ · Airport\n[\s\S]*\+34 971 000 000/);
  expect(mail?.html).toContain("border-bottom: 4px solid #0b6e69");
  const logo = /<img src="([^"]+\/logo)"/.exec(mail?.html ?? "")?.[1] ?? "";
  const answer = await exports.default.fetch(new Request(logo));
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "image/png"]);
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(50);
});
