import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, callApi, createToken, login, PASSWORD } from "#support/test-users.ts";
import { createCart, createCheckout, getAsWebsite, sendAsWebsite } from "#support/website.ts";
import { enqueueDueBookingMails } from "#worker/usecases/operations/booking-mails.ts";

const db = env.TENANT_ACME;
let address = 0;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await db.prepare("DELETE FROM development_mails").run();
});

const createIpHeaders = (ip: string) => ({ headers: { "CF-Connecting-IP": ip } });
const createStrangerHeaders = () => createIpHeaders(`203.0.113.${++address % 250}`);
const isIn = async (response: Response) => (await response.json<{ connected?: boolean }>()).connected === true;

async function mails(): Promise<{ recipient: string; subject: string; text: string }[]> {
  const { results } = await db
    .prepare("SELECT recipient, subject, text FROM development_mails ORDER BY id")
    .all<{ recipient: string; subject: string; text: string }>();
  return results;
}

describe("strangers guessing a password", () => {
  // Proves "security, privacy and operation": A stranger's wrong passwords only lock out the stranger
  // Proves "security.md": A18
  test("locks out no user after failed logins from eleven IP addresses", async () => {
    for (let time = 0; time < 11; time++) await login("boss", "Wrong-pass-1!", createStrangerHeaders());
    expect(await isIn(await login("boss", PASSWORD, createIpHeaders("192.0.2.1")))).toBe(true);
  });

  test("locks out only the guesser's IP address after failed logins from it", async () => {
    const guesserRequest = createIpHeaders("203.0.113.251");
    for (let time = 0; time < 10; time++) await login("boss", "Wrong-pass-1!", guesserRequest);
    expect((await login("boss", PASSWORD, guesserRequest)).status).toBe(429);
    expect(await isIn(await login("boss", PASSWORD, createIpHeaders("192.0.2.1")))).toBe(true);
  });

  // Proves "security, privacy and operation": Attempts of strangers don't count for networks where the user signed in
  //   before
  test("doesn't lock a user out of known networks, even if failed logins come from everywhere", async () => {
    await login("boss", PASSWORD, createIpHeaders("192.0.2.1"));
    await db
      .prepare("INSERT INTO access_attempts VALUES ('login', 'everywhere:user:3', 5000, ?)")
      .bind(Date.now() + 900_000)
      .run();
    expect((await login("boss", PASSWORD, createIpHeaders("192.0.2.9"))).status).toBe(429);
    expect(await isIn(await login("boss", PASSWORD, createIpHeaders("192.0.2.1")))).toBe(true);
    expect((await login("ana", PASSWORD, createIpHeaders("192.0.2.9"))).status).toBe(200);
  });

  // Proves "security, privacy and operation": Recovery has its own limit
  // Proves "security.md": A19
  test("lets users reset their password from a known network after strangers used up the limit of reset requests", async () => {
    const requestReset = (options: ReturnType<typeof createIpHeaders>) =>
      callApi("POST", "/web-customer/password-forgotten", { body: { username: "ana" }, ...options });
    for (let time = 0; time < 6; time++) await requestReset(createIpHeaders("203.0.113.252"));
    expect((await requestReset(createIpHeaders("203.0.113.252"))).status).toBe(429);
    expect((await requestReset(createIpHeaders("192.0.2.1"))).status).toBe(200);
    await login("ana", PASSWORD, createIpHeaders("192.0.2.1"));
    for (let time = 0; time < 20; time++) await requestReset(createStrangerHeaders());
    expect((await requestReset(createStrangerHeaders())).status).toBe(429);
    expect((await requestReset(createIpHeaders("192.0.2.1"))).status).toBe(200);
  });
});

describe("registration from one address", () => {
  const EVA = { name: "Eva", surname: "Sol", email: "eva@example.com", password: "Brand-new-1!" };
  const signUp = (changes: Readonly<Record<string, unknown>> = {}) =>
    callApi("POST", "/signup/customer?lang=en", { body: { ...EVA, ...changes } });
  const signInAsEva = async () => (await login("eva@example.com", EVA.password)).headers.get("Authorization") ?? "";

  // Proves "security, privacy and operation": A registration sends one mail, with the company's text
  // Proves "security.md": A20
  test("sends one registration mail without visitor input, and confirms the address only with the id in its link", async () => {
    await signUp({ name: "Claim your prize at evil.example now" });
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ recipient: "eva@example.com", subject: "Test Rentals: confirm your address" });
    expect(mail?.text).not.toMatch(/prize|evil/);
    // The page of the link is in the language of the mail.
    const verification = /verify-email\?id=([\w-]+)&lang=en$/m.exec(mail?.text ?? "")?.[1];
    const verify = (link: unknown) => callApi("POST", "/web-customer/verify-email", { body: { verification: link } });
    expect(await (await verify("wrong")).json()).toBe(false);
    expect(await (await verify(verification)).json()).toBe(true);
    expect(
      await db.prepare("SELECT unverified_since AS one FROM users WHERE username = 'eva@example.com'").first("one"),
    ).toBeNull();
  });

  test.each(["https://evil.example", "Eva\u202e", "Eva\u2028Sol", "visit www.evil.example", "evil.com/win"])(
    "rejects a link or invisible characters in the name of a registration or checkout: %j",
    async (name) => {
      expect((await signUp({ name })).status).toBe(400);
      expect((await signUp({ surname: name })).status).toBe(400);
      const cart = await createCart();
      const bought = await sendAsWebsite(
        "POST",
        `/shopping-cart/${cart}/checkout`,
        createCheckout({ customer_name: name }),
      );
      expect(bought.status).toBe(400);
    },
  );

  // Proves "security, privacy and operation": An account whose address is not proved sees what was booked while signed
  //   in
  test("shows an unconfirmed customer only bookings made while signed in, not others with the same email", async () => {
    await signUp();
    const token = await signInAsEva();
    const cart = await createCart();
    const headers = { Authorization: token };
    const checkoutPath = `/shopping-cart/${cart}/checkout`;
    const ownCheckout = await sendAsWebsite(
      "POST",
      checkoutPath,
      createCheckout({ customer_email: "eva@example.com" }),
      {
        headers,
      },
    );
    const { free_access_id: ownId } = await ownCheckout.json<{ free_access_id: string }>();
    await sendAsWebsite(
      "POST",
      `/shopping-cart/${await createCart("C")}/checkout`,
      createCheckout({ customer_email: "eva@example.com" }),
    );
    await db
      .prepare("UPDATE bookings SET customer_id = (SELECT customer_id FROM users WHERE username = 'eva@example.com')")
      .run();
    const rentals = async () =>
      (await (await callApi("GET", "/web-customer/renting-reservations", { token })).json<{ data: unknown[] }>()).data;
    expect(await rentals()).toMatchObject([{ free_access_id: ownId }]);
    await db.prepare("UPDATE users SET unverified_since = NULL").run();
    expect(await rentals()).toHaveLength(2);
  });

  test("shows earlier guest bookings with the same email once the address is confirmed, and no others", async () => {
    const book = async (category: string, email: string) =>
      sendAsWebsite(
        "POST",
        `/shopping-cart/${await createCart(category)}/checkout`,
        createCheckout({ customer_email: email }),
      );
    expect((await book("A", "Eva@example.com")).status).toBe(200);
    expect((await book("C", "other@example.com")).status).toBe(200);
    await signUp();
    const token = await signInAsEva();
    const list = async () =>
      (await callApi("GET", "/web-customer/renting-reservations", { token })).json<{
        data: { free_access_id: string }[];
      }>();
    expect((await list()).data).toEqual([]);
    const verification = /verify-email\?id=([\w-]+)/.exec((await mails()).at(-1)?.text ?? "")?.[1];
    await callApi("POST", "/web-customer/verify-email", { body: { verification } });
    const own = await db
      .prepare("SELECT free_access_id FROM bookings WHERE customer_email LIKE 'eva@%'")
      .first("free_access_id");
    expect((await list()).data).toMatchObject([{ free_access_id: own }]);
    await db.prepare("UPDATE bookings SET made_by_customer_id = 1").run();
    expect((await list()).data).toEqual([]);
  });

  test("sends a reservation's current state once when its customer confirms the address, also by a new password", async () => {
    await db.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)").run();
    await db.prepare("UPDATE branches SET email = 'air@example.com'").run();
    await signUp();
    const headers = { Authorization: await signInAsEva() };
    const checkout = createCheckout({ customer_email: "eva@example.com", customer_language: "en" });
    const placeBooking = async () =>
      (await sendAsWebsite("POST", `/shopping-cart/${await createCart()}/checkout`, checkout, { headers })).json<{
        readonly free_access_id: string;
      }>();
    const { free_access_id: id } = await placeBooking();
    const isUnconfirmed = async () =>
      (await (await getAsWebsite(`/booking/${id}`)).json<{ booking: { email_unconfirmed: boolean } }>()).booking
        .email_unconfirmed;
    const listSubjects = async (recipient: string) => {
      await enqueueDueBookingMails(openTestTenant(env), Date.now());
      return (await mails()).filter((mail) => mail.recipient === recipient).map(({ subject }) => subject);
    };
    expect(await isUnconfirmed()).toBe(true);
    expect(await listSubjects("eva@example.com")).toEqual(["Test Rentals: confirm your address"]);
    const atBranch = await listSubjects("air@example.com");
    const verification = /verify-email\?id=([\w-]+)/.exec((await mails()).at(0)?.text ?? "")?.[1];
    for (const link of [verification, verification])
      await callApi("POST", "/web-customer/verify-email", { body: { verification: link } });
    expect(await isUnconfirmed()).toBe(false);
    expect(await listSubjects("eva@example.com")).toEqual([
      "Test Rentals: confirm your address",
      expect.stringMatching(/^Test Rentals: we received your request/),
    ]);
    expect(await listSubjects("air@example.com")).toEqual(atBranch);
    const since = "SELECT max(created_at) FROM bookings";
    await db.prepare(`UPDATE users SET unverified_since = (${since}) WHERE username = 'eva@example.com'`).run();
    await placeBooking();
    await callApi("POST", "/web-customer/password-forgotten?lang=en", { body: { username: "eva@example.com" } });
    const reset = /change-password\?id=([\w-]+)/.exec((await mails()).at(-1)?.text ?? "")?.[1];
    const body = { password: "Brand-new-2!", password_forgotten_hash: reset };
    expect((await callApi("POST", "/web-customer/change-password", { body })).status).toBe(200);
    expect((await listSubjects("eva@example.com")).filter((subject) => subject.includes("request"))).toHaveLength(2);
  });

  test("sends a guest's mails also if the guest creates an account with the checkout", async () => {
    await db.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)").run();
    const account = { create_customer_account: true, account_password: EVA.password };
    const checkout = createCheckout({ customer_email: "eva@example.com", customer_language: "en", ...account });
    const booked = await sendAsWebsite("POST", `/shopping-cart/${await createCart()}/checkout`, checkout);
    expect(booked.status).toBe(200);
    await vi.waitFor(async () => expect(await mails()).toHaveLength(1));
    await enqueueDueBookingMails(openTestTenant(env), Date.now());
    expect((await mails()).map(({ subject }) => subject)).toEqual([
      "Test Rentals: confirm your address",
      expect.stringMatching(/^Test Rentals: we received your request/),
    ]);
  });

  // Proves "security, privacy and operation": It sends no other mail; guests who book with the address get mails
  test("sends no booking or sign-in mails to an unconfirmed address, and lets its real owner take over the account", async () => {
    await signUp({ name: "Win", surname: "now" });
    await login("eva@example.com", EVA.password, createIpHeaders("192.0.2.50"));
    await login("eva@example.com", EVA.password, createIpHeaders("192.0.2.51"));
    const headers = { Authorization: await signInAsEva() };
    await db.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)").run();
    const checkout = createCheckout({ customer_email: "eva@example.com" });
    await sendAsWebsite("POST", `/shopping-cart/${await createCart()}/checkout`, checkout, { headers });
    await enqueueDueBookingMails(openTestTenant(env), Date.now());
    const got = async () => (await mails()).filter(({ recipient }) => recipient === "eva@example.com");
    expect((await got()).map(({ subject }) => subject)).toEqual(["Test Rentals: confirm your address"]);
    // A customer who registered with another person's address gets no confirmation for that person.
    await sendAsWebsite("POST", `/shopping-cart/${await createCart("C")}/checkout`, checkout);
    await enqueueDueBookingMails(openTestTenant(env), Date.now());
    expect(await got()).toHaveLength(2);
    await callApi("POST", "/web-customer/password-forgotten?lang=en", { body: { username: "eva@example.com" } });
    const reset = (await mails()).at(-1);
    expect(reset?.text).not.toMatch(/Win/);
    const link = /change-password\?id=([\w-]+)/.exec(reset?.text ?? "")?.[1];
    await callApi("POST", "/web-customer/change-password", {
      body: { password: "Owner-pass-1!", password_forgotten_hash: link },
    });
    expect(await isIn(await login("eva@example.com", "Owner-pass-1!"))).toBe(true);
    expect(await isIn(await login("eva@example.com", EVA.password))).toBe(false);
    expect(await db.prepare("SELECT count(*) FROM users WHERE unverified_since IS NOT NULL").first("count(*)")).toBe(0);
  });

  test("sends another confirmation mail at most once an hour", async () => {
    await signUp();
    const token = await signInAsEva();
    for (let time = 0; time < 3; time++)
      expect((await callApi("POST", "/web-customer/verification", { token })).status).toBe(200);
    expect(await mails()).toHaveLength(1);
    await db.prepare("UPDATE email_verifications SET expires_at = expires_at - 3700000").run();
    await callApi("POST", "/web-customer/verification", { token });
    expect(await mails()).toHaveLength(2);
  });
});

describe("a user's sessions", () => {
  // Proves "security, privacy and operation": A sign-in from a new network and a new password are mailed
  test("notifies the user of a sign-in from a new place and of a new password", async () => {
    await login("ana", PASSWORD, createIpHeaders("192.0.2.1"));
    expect(await mails()).toEqual([]);
    await login("ana", PASSWORD, createIpHeaders("192.0.2.1"));
    await login("ana", PASSWORD, createIpHeaders("192.0.2.2"));
    const sent = await mails();
    expect(sent.map(({ subject }) => subject)).toEqual(["Test Rentals: new sign-in"]);
    expect(sent[0]?.text).toMatch(/\(\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d\)/);
    expect(sent[0]?.text).toContain("/?lang=en#contact");
    await callApi("POST", "/web-customer/password-forgotten?lang=en", { body: { username: "ana" } });
    const link = /change-password\?id=([\w-]+)/.exec((await mails()).at(-1)?.text ?? "")?.[1];
    await callApi("POST", "/web-customer/change-password", {
      body: { password: "Other-pass-1!", password_forgotten_hash: link },
    });
    expect((await mails()).at(-1)?.subject).toBe("Test Rentals: password changed");
  });

  // Proves "security, privacy and operation": GET and DELETE /sessions list and end one's own
  // Proves "security.md": V11
  test("lists a user's sessions with their devices, and ends one or all of them, never another user's", async () => {
    const options = { headers: { "CF-Connecting-IP": "192.0.2.1", "User-Agent": "Phone\u00e9 1" } };
    const tokens = [];
    for (let time = 0; time < 3; time++)
      tokens.push((await login("ana", PASSWORD, options)).headers.get("Authorization") ?? "");
    const [first = "", second = "", third = ""] = tokens;
    const list = async (token: string) =>
      (await callApi("GET", "/sessions", { token })).json<{
        data: { id: string; device: string; is_current: boolean }[];
        total: number;
      }>();
    const listed = await list(first);
    expect([listed.total, listed.data[0]?.device]).toEqual([3, "Phone 1"]);
    const other = listed.data.find(({ is_current }) => !is_current)?.id ?? "";
    const desk = await createToken("desk");
    expect(await (await callApi("DELETE", `/sessions/${other}`, { token: desk })).json()).toEqual({ ended: 0 });
    expect(await (await callApi("DELETE", `/sessions/${other}`, { token: first })).json()).toEqual({ ended: 1 });
    expect((await list(first)).total).toBe(2);
    expect(await (await callApi("DELETE", "/sessions", { token: first })).json()).toEqual({ ended: 2 });
    for (const token of [first, second, third]) expect((await callApi("GET", "/sessions", { token })).status).toBe(401);
    expect((await callApi("GET", "/sessions", { token: desk })).status).toBe(200);
  });

  // Proves "security, privacy and operation": A lost device must delete its data, even after its token has expired
  // Proves "security.md": A48
  test("lets an administrator end a lost device's sessions, and clears its data even with an expired token", async () => {
    const phone = await createToken("desk");
    const token = await createToken("boss");
    const listed = await (await callOffice("GET", "/sessions", { token })).json<{
      data: { id: string; user_id: number }[];
    }>();
    const id = listed.data.find(({ user_id }) => user_id === 2)?.id ?? "";
    expect((await callOffice("GET", "/sessions", { token: phone })).status).toBe(403);
    expect((await callOffice("POST", `/sessions/${id}/end`, { token: phone, body: { forget: true } })).status).toBe(
      403,
    );
    expect((await callOffice("POST", `/sessions/${id}/end`, { token, body: { forget: true } })).status).toBe(200);
    const day = () => callApi("GET", "/booking/deliveries-collections?date=2030-01-01", { token: phone });
    const refused = await day();
    expect([refused.status, await refused.json()]).toMatchObject([401, { code: "device_revoked" }]);
    await db.prepare("UPDATE user_sessions SET expires_at = 0").run();
    expect(await (await day()).json()).toMatchObject({ code: "device_revoked" });
    const own = await callApi("GET", "/sessions", { token: phone });
    expect(await own.json()).toMatchObject({ code: "device_revoked" });
    expect(await (await callOffice("GET", "/sessions", { token: "nonsense" })).json()).toMatchObject({
      code: "not_signed_in",
    });
  });
});
