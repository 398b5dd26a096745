import { env } from "cloudflare:workers";
import fc from "fast-check";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { beforeEach, describe, expect, inject, test, vi } from "vitest";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { getBookableDay } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { sendExample } from "#support/examples.ts";
import { IdsFromResponses } from "#support/learned-values.ts";
import { blockWrites } from "#support/observed-writes.ts";
import { addTestUsers, callApi, createToken, login, PASSWORD } from "#support/test-users.ts";
import { bookTransfer, insertTransferCatalogue } from "#support/transfers.ts";
import { toFormDate } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";
import { listOperations } from "#tools/fuzz/operations.ts";
import { hashPassword } from "#worker/auth/passwords.ts";

let db: D1Database;

beforeEach(async () => {
  await setUpCompany();
  db = await addTestUsers();
  await openTestTenant(env).freshSnapshot();
});

const CONNECTED = { connected: true, user: { full_name: "Ana Ruiz", role: "customer" } };

describe("a login", () => {
  // Proves "customer-access.md: operations": POST login: username is the user id or the e-mail; query, JSON or form;
  //   the JWT is in the Authorization header
  test("signs in by query, JSON or form, and returns the user with the token in the Authorization header", async () => {
    const query = `?username=ana&password=${encodeURIComponent(PASSWORD)}`;
    const form = { "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8" };
    const multipart = ["username", "password"]
      .map(
        (name) =>
          `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${name === "username" ? "ana" : PASSWORD}\r\n`,
      )
      .join("");
    const ways = [
      await callApi("POST", `/login${query}`),
      await callApi("POST", `/login${query}`, { headers: form }),
      await callApi("POST", `/login${query}`, { headers: { "Content-Type": "application/json" } }),
      await login("ana@example.com"),
      await login("ANA"),
      await callApi("POST", "/login", { headers: form, body: query.slice(1) }),
      await callApi("POST", "/login", {
        headers: { "Content-Type": "multipart/form-data; boundary=part" },
        body: `${multipart}--part--\r\n`,
      }),
    ];
    for (const response of ways) {
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual(CONNECTED);
      expect(response.headers.get("Authorization")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      expect(response.headers.get("Referrer-Policy")).toBe("no-referrer");
    }
  });

  // Proves "customer-access.md: operations": POST login: a failure is 200 and connected false in all cases
  test("returns the same error for a wrong password, an unknown user and a disabled user", async () => {
    await db.prepare("UPDATE users SET active = 0 WHERE id = 3").run();
    const refused = [await login("ana", "Wrong-pass-1!"), await login("nobody"), await login("boss")];
    for (const response of refused) {
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ connected: false });
      expect(response.headers.has("Authorization")).toBe(false);
    }
  });

  // Proves "customer-access.md: tokens and limits": HS256, iss and aud the account, sub, role, jti; customers 30 days,
  //   staff 14 h
  test("issues tokens for one shift to staff, with role and branches, and for 30 days to customers", async () => {
    const desk = decodeJwt(await createToken("desk"));
    expect(desk).toMatchObject({ iss: "acme", aud: "acme", sub: "2", role: "operator", branches: ["AIR"] });
    expect((desk.exp ?? 0) - (desk.iat ?? 0)).toBe(14 * 3600);
    expect(decodeJwt(await createToken("boss"))).toMatchObject({ role: "administrator", branches: "all" });
    const token = await createToken("ana");
    const ana = decodeJwt(token);
    expect(ana).toMatchObject({ iss: "acme", aud: "acme", sub: "1", role: "customer", jti: expect.any(String) });
    expect(ana).not.toHaveProperty("branches");
    expect((ana.exp ?? 0) - (ana.iat ?? 0)).toBe(30 * 24 * 3600);
    expect(decodeProtectedHeader(token)).toEqual({ alg: "HS256", typ: "session+jwt", kid: "1" });
  });

  // Proves "customer-access.md: tokens and limits": Rehashed on login when parameters rise
  test("rehashes the password if it was hashed with other parameters", async () => {
    const today = await hashPassword(PASSWORD);
    const former = await formerHash();
    await db.prepare("UPDATE users SET password_hash = ? WHERE id = 1").bind(former).run();
    expect((await login("ana")).headers.has("Authorization")).toBe(true);
    const row = await db.prepare("SELECT password_hash FROM users WHERE id = 1").first<{ password_hash: string }>();
    expect(getHashParameters(row?.password_hash)).toBe(getHashParameters(today));
    expect(getHashParameters(former)).not.toBe(getHashParameters(today));
    expect((await login("ana")).headers.has("Authorization")).toBe(true);
    expect((await login("ana", "Wrong-pass-1!")).headers.has("Authorization")).toBe(false);
  });

  // Proves "customer-access.md: operations": POST login: missing, empty, too long, of a wrong type, of an unknown
  //   language
  test.each([
    ["without a password", { username: "ana" }, "password: is required"],
    ["with an empty user name", { username: " ", password: PASSWORD }, "username: must not be empty"],
    ["with a number as password", { username: "ana", password: 12345678 }, "password: must be given, as text"],
    ["with a list as user name", { username: ["ana"], password: PASSWORD }, "username: must be given, as text"],
    [
      "with a password of 201 characters",
      { username: "ana", password: "a".repeat(201) },
      "password: must have at most 200 characters",
    ],
    [
      "with a user name of 255 characters",
      { username: "a".repeat(255), password: PASSWORD },
      "username: must have at most 254 characters",
    ],
    ["that isn't an object", [], "must be an object"],
    ["that isn't JSON", "{", "must be valid JSON"],
    ["with a repeated field", '{"username":"ana","username":"boss","password":"x"}', "username: must not be repeated"],
  ])("rejects a login with %s, naming the field", async (_, body, message) => {
    const response = await callApi("POST", "/login", { body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid_input", error: expect.stringContaining(message) });
  });

  test("rejects a login with an unknown language, a duplicate parameter or another body type", async () => {
    const credentials = `username=ana&password=${encodeURIComponent(PASSWORD)}`;
    expect((await callApi("POST", `/login?${credentials}&lang=xx`)).status).toBe(400);
    expect((await callApi("POST", `/login?${credentials}&username=boss`)).status).toBe(400);
    const text = await callApi("POST", "/login", { headers: { "Content-Type": "text/plain" }, body: credentials });
    expect(text.status).toBe(415);
    const big = await callApi("POST", "/login", { body: { username: "a".repeat(1024 * 1024), password: PASSWORD } });
    expect(big.status).toBe(413);
    expect((await callApi("GET", "/login")).status).toBe(405);
  });
});

/** Creates a hash of PASSWORD in the format of an earlier version. */
async function formerHash(): Promise<string> {
  const { scryptSync } = await import("node:crypto");
  const salt = Buffer.alloc(16, 7);
  const key = scryptSync(PASSWORD, salt, 32, { N: 2 ** 14, r: 8, p: 5, maxmem: 2 ** 26 });
  return `scrypt$ln=14,r=8,p=5$${salt.toString("base64")}$${key.toString("base64")}`;
}

const getHashParameters = (hash: string | undefined) => hash?.split("$")[1];

describe("a registration", () => {
  const eva = { username: "eva", email: "eva@example.com", password: "Brand-new-1!", name: "Eva", surname: "Gil" };

  // Proves "customer-access.md: operations": POST signup/customer: JSON body with customer attributes; true on success
  test("registers a customer and allows signing in by user name or email", async () => {
    const response = await callApi("POST", "/signup/customer", { body: eva });
    expect(response.status).toBe(200);
    expect(await response.json()).toBe(true);
    for (const name of ["eva", "EVA@example.com"]) {
      expect(await (await login(name, eva.password)).json()).toEqual({
        connected: true,
        user: { full_name: "Eva Gil", role: "customer" },
      });
    }
    const customer = await db
      .prepare(
        "SELECT c.name, c.surname, c.email FROM customers c JOIN users u ON u.customer_id = c.id WHERE u.username = 'eva'",
      )
      .first();
    expect(customer).toEqual({ name: "Eva", surname: "Gil", email: "eva@example.com" });
  });

  test("accepts both forms of an email's international domain at sign-in, and neither for a second registration", async () => {
    const idn = { ...eva, username: "", email: "eva@xn--espaa-rta.es" };
    expect((await callApi("POST", "/signup/customer", { body: idn })).status).toBe(200);
    for (const name of ["eva@españa.es", "Eva@xn--espaa-rta.es"])
      expect(await (await login(name, eva.password)).json()).toMatchObject({ connected: true });
    const again = await callApi("POST", "/signup/customer", {
      body: { ...idn, username: "eva2", email: "eva@ESPAÑA.es" },
    });
    expect(again.status).toBe(409);
  });

  test("doesn't link a registration to an existing customer with the same email", async () => {
    await db
      .prepare(
        "INSERT INTO customers (id, name, email, created_at, last_update) VALUES (9, 'Eva', 'eva@example.com', 1, 1)",
      )
      .run();
    expect((await callApi("POST", "/signup/customer", { body: eva })).status).toBe(200);
    const user = await db
      .prepare(
        "SELECT c.id, c.name FROM customers AS c JOIN users ON users.customer_id = c.id WHERE users.username = 'eva'",
      )
      .first<{ id: number; name: string }>();
    expect(user).toEqual({ id: expect.any(Number), name: "Eva" });
    expect(user?.id).not.toBe(9);
  });

  // Proves "customer-access.md: operations": POST signup/customer: a name that is taken
  test.each([
    ["user name", { username: "ANA" }],
    ["e-mail", { email: "Ana@Example.com", username: "" }],
  ])("rejects a registration with a %s that is in use, and changes nothing", async (_, changes) => {
    const readAll = async () =>
      (await db.batch(["users", "customers"].map((table) => db.prepare(`SELECT * FROM ${table}`)))).map(
        ({ results }) => results,
      );
    const before = await readAll();
    const response = await callApi("POST", "/signup/customer?lang=de", { body: { ...eva, ...changes } });
    expect(response.status).toBe(409);
    const sentence = "Es gibt schon ein Konto mit diesem Benutzernamen oder dieser E-Mail-Adresse.";
    expect(await response.json()).toEqual({ error: sentence, code: "taken", detail: [sentence] });
    expect(await readAll()).toEqual(before);
  });

  test("creates one customer for many simultaneous registrations", async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => callApi("POST", "/signup/customer", { body: eva })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await db.prepare("SELECT count(*) AS n FROM customers").first()).toEqual({ n: 2 });
  });

  // Proves "customer-access.md: operations": POST signup/customer: a refusal has error and detail, a list of sentences
  test("returns each rule that a registration breaks, in the user's language", async () => {
    const body = { ...eva, name: "", password: "short" };
    const response = await callApi("POST", "/signup/customer?lang=ca", { body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: expect.stringContaining("La contrasenya"),
      detail: ["Nom: és obligatori.", "La contrasenya ha de tenir 8 caràcters com a mínim."],
      problems: [
        { field: "name", code: "missing" },
        { field: "password", code: "too_short" },
      ],
    });
  });

  test.each([
    ["a wrong type", { name: 5 }],
    ["a name over 80 characters", { name: "a".repeat(81) }],
    ["an invalid e-mail", { email: "eva" }],
    ["another user's e-mail as user name", { username: "ana@example.org" }],
    ["an emoji in the name", { name: "Eva 🚗" }],
    ["a password of 129 characters", { password: `Aa1!${"a".repeat(125)}` }],
    ["no password", { password: undefined }],
  ])("rejects a registration with %s, with an explanation", async (_, changes) => {
    const response = await callApi("POST", "/signup/customer", { body: { ...eva, ...changes } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: expect.any(String), detail: [expect.any(String)] });
  });

  test("ignores unknown fields of a registration, such as a role or another customer", async () => {
    const body = { ...eva, role: "administrator", kind: "staff", customer_id: 1, active: false };
    expect(await (await callApi("POST", "/signup/customer", { body })).json()).toBe(true);
    const user = await db.prepare("SELECT role, kind, customer_id FROM users WHERE username = 'eva'").first();
    expect(user).toMatchObject({ role: "customer", kind: "customer" });
    expect(user?.["customer_id"]).not.toBe(1);
  });
});

// Proves "customer-access.md: operations": POST check-user-email: whether the user or e-mail is registered
describe("whether an email is registered", () => {
  test.each([
    [{ email: "ana@example.com" }, true],
    [{ username: "ANA" }, true],
    [{ username: "", email: "ana@example.com" }, true],
    [{ email: "nobody@example.com" }, false],
  ])("reports whether %j belongs to a registered customer: %s", async (body, answer) => {
    const response = await callApi("POST", "/web-customer/check-user-email", { body });
    expect(response.status).toBe(200);
    expect(await response.json()).toBe(answer);
  });

  test.each([{}, { email: "" }, { email: 5 }, { username: "a".repeat(255) }])(
    "rejects a request with the invalid data %j that asks whether a customer is registered",
    async (body) => {
      expect((await callApi("POST", "/web-customer/check-user-email", { body })).status).toBe(400);
    },
  );
});

describe("signing out", () => {
  // Proves "customer-access.md: operations": DELETE logout ends the session
  test("signs out only the session of the token, not the user's other session", async () => {
    const [token, other] = [await createToken("ana"), await createToken("ana")];
    const response = await callApi("DELETE", "/logout", { token });
    expect(response.status).toBe(200);
    expect(await response.json()).toBe(true);
    expect((await callApi("DELETE", "/logout", { token })).status).toBe(401);
    expect((await callApi("GET", "/web-customer/renting-reservations", { token: other })).status).toBe(200);
  });
});

// Proves "customer-access.md: operations": The token can be read by websites of other origins
test("lets an allowed website on another origin read the token, and no other website", async () => {
  const credentials = `/login?username=ana&password=${encodeURIComponent(PASSWORD)}`;
  const allowed = await callApi("POST", credentials, { headers: { Origin: "https://shop.example" } });
  expect(allowed.headers.get("Access-Control-Allow-Origin")).toBe("https://shop.example");
  expect(allowed.headers.get("Access-Control-Expose-Headers")).toContain("Authorization");
  expect(allowed.headers.has("Access-Control-Allow-Credentials")).toBe(false);
  const other = await callApi("POST", credentials, { headers: { Origin: "https://evil.example" } });
  expect(other.headers.has("Access-Control-Allow-Origin")).toBe(false);
  const preflight = await callApi("OPTIONS", "/web-customer/renting-reservations", {
    headers: { Origin: "https://shop.example", "Access-Control-Request-Method": "GET" },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("Access-Control-Allow-Headers")).toContain("Authorization");
});

// Proves "customer-access.md: operations": Other origins can't read answers to staff
// Proves "security.md": A63
test("lets no other origin read the token of staff, not even an allowed one", async () => {
  const headers = { Origin: "https://shop.example" };
  const signIn = (username: string) =>
    callApi("POST", `/login?username=${username}&password=${encodeURIComponent(PASSWORD)}`, { headers });
  const isReadable = (response: Response) => response.headers.has("Access-Control-Allow-Origin");
  expect(isReadable(await signIn("ana"))).toBe(true);
  expect(isReadable(await signIn("boss"))).toBe(false);
  const [customer, staff] = [await createToken("ana"), await createToken("boss")];
  expect(isReadable(await callApi("GET", "/sessions", { token: customer, headers }))).toBe(true);
  expect(isReadable(await callApi("GET", "/sessions", { token: staff, headers }))).toBe(false);
  expect(isReadable(await callApi("POST", "/second-factor", { headers }))).toBe(false);
  const preflight = { ...headers, "Access-Control-Request-Method": "POST" };
  expect(isReadable(await callApi("OPTIONS", "/second-factor/prove", { headers: preflight }))).toBe(false);
});

describe("a customer's own bookings", () => {
  async function withBooking(customerId: number, reference: string) {
    await db
      .prepare(`INSERT INTO bookings (free_access_id, status, created_by, date_from, time_from, date_to, time_to, days, pickup_place, return_place,
        branch_code, return_branch_code, branch_group_id, customer_id, customer_name, customer_language, item_cents, total_cents, created_at, last_update)
        VALUES (?, 'confirmed', 'engine', '2030-05-01', '10:00', '2030-05-04', '10:00', 3, 'Aeropuerto', 'Oficina', 'AIR', 'TOWN', 1, ?, 'Ana', 'es', 9000, 9000, 1, 1)`)
      .bind(reference, customerId)
      .run();
    await db
      .prepare(`INSERT INTO booking_lines (booking_id, category_code, item_description, quantity, item_unit_base_cents, item_unit_cents, item_cents, vat_basis_points)
        VALUES ((SELECT id FROM bookings WHERE free_access_id = ?), 'A', 'Coche pequeño', 1, 9000, 9000, 9000, 2100)`)
      .bind(reference)
      .run();
  }

  // Proves "customer-access.md: operations": GET renting-reservations: the customer's own bookings
  test("lists only the customer's own bookings with one database call besides the session's", async () => {
    await db.prepare("INSERT INTO customers (id, name, created_at, last_update) VALUES (5, 'Otro', 1, 1)").run();
    await withBooking(1, "mine");
    await withBooking(5, "others");
    const response = await callApi("GET", "/web-customer/renting-reservations", { token: await createToken("ana") });
    expect(await response.json()).toEqual({
      data: [
        {
          id: expect.any(Number),
          free_access_id: "mine",
          status: "confirmed",
          date_from: "2030-05-01",
          time_from: "10:00",
          date_to: "2030-05-04",
          time_to: "10:00",
          item_description: "Small car",
          pickup_place: "Aeropuerto",
          return_place: "Oficina",
          total_cost: "90.00",
        },
      ],
    });
    expect(response.headers.get("Server-Timing")).toContain("calls=2");
  });

  // Proves "customer-access.md: operations": GET transfer-reservations: the customer's own transfers
  test("lists a customer's transfers separately from the rentals", async () => {
    await insertTransferCatalogue({ db, account: "acme" });
    await bookTransfer();
    await db.prepare("UPDATE bookings SET customer_id = 1, free_access_id = 'mine' WHERE kind = 'transfer'").run();
    await db.prepare("UPDATE customers SET email = 'other@example.com' WHERE id = 1").run();
    await bookTransfer({ date: toFormDate(1) });
    await db.prepare("UPDATE bookings SET customer_email = 'other@example.com' WHERE customer_id <> 1").run();
    const token = await createToken("ana");
    const rentals = await callApi("GET", "/web-customer/renting-reservations", { token });
    expect(await rentals.json()).toEqual({ data: [] });
    const transfers = await callApi("GET", "/web-customer/transfer-reservations?lang=en", { token });
    expect(await transfers.json()).toEqual({
      data: [
        {
          ...{ id: expect.any(Number), free_access_id: "mine", status: "pending_confirmation" },
          ...{ date_from: getBookableDay(0), time_from: "09:00", date_to: getBookableDay(0), time_to: "09:40" },
          ...{ item_description: "Saloon", pickup_place: "Airport", return_place: "Sea hotel", total_cost: "40.00" },
        },
      ],
    });
    expect((await callApi("GET", "/web-customer/transfer-reservations")).status).toBe(401);
  });
});

test("serves the OpenAPI document next to the routes", async () => {
  const { paths } = await (await callApi("GET", "/openapi.json")).json<{ paths: Record<string, object> }>();
  expect(
    Object.entries(paths)
      .map(([path, methods]) => `${Object.keys(methods).join()} ${path}`)
      .sort(),
  ).toEqual([
    "delete /logout",
    "delete /second-factor/passkeys/{id}",
    "delete /sessions/{id}",
    "get /web-customer/renting-reservations",
    "get /web-customer/reservations/{free_access_id}/calendar.ics",
    "get /web-customer/reservations/{free_access_id}/charges/{id}.pdf",
    "get /web-customer/reservations/{free_access_id}/contract.pdf",
    "get /web-customer/reservations/{free_access_id}/documents/{id}.pdf",
    "get /web-customer/reservations/{free_access_id}/downloads",
    "get /web-customer/transfer-reservations",
    "get,delete /sessions",
    "post /login",
    "post /second-factor",
    "post /second-factor/confirm",
    "post /second-factor/passkeys/challenge",
    "post /second-factor/prove",
    "post /second-factor/recovery-codes",
    "post /second-factor/remove",
    "post /signup/customer",
    "post /web-customer/change-password",
    "post /web-customer/check-user-email",
    "post /web-customer/find-booking",
    "post /web-customer/password-forgotten",
    "post /web-customer/reservations/{free_access_id}/cancel",
    "post /web-customer/reservations/{free_access_id}/change",
    "post /web-customer/reservations/{free_access_id}/quote",
    "post /web-customer/verification",
    "post /web-customer/verify-email",
    "post,get /second-factor/passkeys",
  ]);
});

test.each([
  ["/signup/customer", ["username", "email", "password", "name", "surname", "phone_number", "document_id"]],
  ["/web-customer/check-user-email", ["username", "email"]],
  ["/web-customer/password-forgotten", ["username", "email"]],
  ["/web-customer/find-booking", ["number", "email"]],
  ["/web-customer/change-password", ["password", "password_forgotten_hash"]],
])("answers any input to %s without a server error", async (path, names) => {
  const value = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("", " ", "%", "'; --", "a".repeat(5000), "ana", "Right-pass-1!"),
    fc.jsonValue({ maxDepth: 1 }),
  );
  const bodies = fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const response = await callApi("POST", path, { body });
      expect([200, 400, 409, 429]).toContain(response.status);
      expect(await response.json()).toBeDefined();
    }),
    { numRuns: inject("isThorough") ? 60 : 15 },
  );
});

test("separates the users of different accounts", async () => {
  await setUpCompany("globex");
  await env.TENANT_GLOBEX.prepare("DELETE FROM users").run();
  expect(await (await login("ana", PASSWORD, { account: "globex" })).json()).toEqual({ connected: false });
});

// Proves "security.md": A63
test("sends no CORS headers in responses to staff, or for preflights of staff-only operations", async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  const token = await createToken("boss");
  const origin = { Origin: "https://shop.example" };
  const staffOperations = Object.entries(openApiDocuments)
    .flatMap(([family, describe]) => listOperations(family, describe()))
    .filter(({ credential, path }) => credential === "token" && !path.includes("/web-customer/"));
  expect(staffOperations.length).toBeGreaterThan(480);
  const readable = new Set<string>();
  const values = new IdsFromResponses();
  values.freeAccessId = "9f0c2d1e4b5a69788796a5b4c3d2e1f0";
  const { bindings } = blockWrites(env);
  for (const operation of staffOperations.filter((_, index) => index % SAMPLE === 0)) {
    const answer = await sendExample(operation, values, bindings, token, origin);
    const headers = { ...origin, "Access-Control-Request-Method": operation.method };
    const url = `http://acme.localhost:8787${operation.path.replaceAll(/\{\w+\}/g, "1")}`;
    const preflight = await requestWorker(url, { method: "OPTIONS", headers });
    if (answer.headers.has("Access-Control-Allow-Origin")) readable.add(operation.name);
    if (preflight.headers.has("Access-Control-Allow-Origin") && !FOR_CUSTOMERS_TOO.test(operation.path))
      readable.add(`OPTIONS ${operation.name}`);
  }
  expect([...readable]).toEqual([]);
});

/** The gate sends one in this many operations with its preflight, a release all. */
const SAMPLE = inject("isThorough") ? 1 : 8;

/** Paths that customers call from websites, so that their preflight is answered before the user is known. */
const FOR_CUSTOMERS_TOO = /^\/api\/v1\/(logout|sessions)/;
