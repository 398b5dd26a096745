import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { requestWorker } from "#support/worker.ts";
import { decryptSecret, encryptSecret } from "#worker/auth/secret-encryption.ts";
import { signPathAndQuery } from "#worker/auth/signature.ts";

const HOST = "http://acme.localhost:8787";
const PLACES = "/api/booking/ota/location-list";
const UNAUTHORIZED = {
  success: false,
  errors: { message: "Missing or invalid API key or signature" },
};

let company: TestCompany;

beforeAll(async () => {
  company = await setUpCompany();
});

function send(path: string, authorization: string | undefined, body?: string): Promise<Response> {
  return requestWorker(HOST + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      "Content-Type": "application/json",
      ...(authorization !== undefined && { Authorization: authorization }),
    },
    ...(body !== undefined && { body }),
  });
}

async function expectUnauthorized(response: Response) {
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual(UNAUTHORIZED);
}

// Proves "conventions.md: signed calls": The signature is HMAC-SHA1 in hex, keyed with the secret
test.each([
  ["/api/booking/ota/location-list?customer-language=es", "", "8c7fa225132b5f7f81e64a588dfa48845ac62ff4"],
  [
    "/api/booking/ota/cancel-booking",
    '{"reservation":{"agency_reservation_id":"A-1"}}',
    "7484420fed9680e120ffa2cd8741e634ae69e881",
  ],
])("calculates the published signature of %s%s with the secret s3cr3t", async (path, body, signature) => {
  expect(await signPathAndQuery("s3cr3t", path, body)).toBe(signature);
});

describe("an accepted request", () => {
  test("accepts the current secret although the previous one was encrypted for another account", async () => {
    const foreign = await encryptSecret(env.MASTER_KEY, "globex", "foreign-secret");
    const change =
      "UPDATE partner_keys SET secret_sealed = coalesce(?, secret_sealed), previous_secret_sealed = ? WHERE api_key = 'agency'";
    await company.db.prepare(change).bind(null, foreign).run();
    await openTestTenant(env).freshSnapshot();
    const storedKey = await company.db
      .prepare("SELECT secret_sealed FROM partner_keys WHERE api_key = 'agency'")
      .first();
    expect((await send(PLACES, `agency:${await signPathAndQuery("agency-secret", PLACES)}`)).status).toBe(200);
    await company.db.prepare(change).bind(foreign, null).run();
    await openTestTenant(env).freshSnapshot();
    for (const secret of ["agency-secret", "foreign-secret", "secret of nobody"]) {
      await expectUnauthorized(await send(PLACES, `agency:${await signPathAndQuery(secret, PLACES)}`));
    }
    await company.db
      .prepare(change)
      .bind(storedKey?.["secret_sealed"] ?? null, null)
      .run();
    await openTestTenant(env).freshSnapshot();
  });

  // Proves "conventions.md: signed calls": Authorization is `<API_KEY>:<signature>`
  test("accepts a signature in upper and lower case hex", async () => {
    const signature = await signPathAndQuery("agency-secret", PLACES);
    expect((await send(PLACES, `agency:${signature}`)).status).toBe(200);
    expect((await send(PLACES, `agency:${signature.toUpperCase()}`)).status).toBe(200);
  });

  // Proves "conventions.md: signed calls": GET: over path and query exactly as sent
  test.each([
    "?customer-language=es&unknown=a%20b%2Bc",
    "?unknown=%e1&customer-language=es",
    "?customer-language=es&&unknown",
    "?customer-language=es&unknown=a;b|c{d}[e]^`~",
    "?",
  ])("accepts a signature over the query %s exactly as sent", async (query) => {
    expect(
      (await send(PLACES + query, `agency:${await signPathAndQuery("agency-secret", PLACES + query)}`)).status,
    ).toBe(200);
  });

  test.each(["?unknown=O'Neill", '?unknown="a"', "?unknown=<a>", "?unknown=Mahón", "?unknown=%2FMahón'"])(
    "accepts a signature over %s although the runtime escapes it",
    async (query) => {
      expect(
        (await send(PLACES + query, `agency:${await signPathAndQuery("agency-secret", PLACES + query)}`)).status,
      ).toBe(200);
    },
  );

  test("accepts a signature with the previous secret until it expires", async () => {
    const [current, previous] = await Promise.all([
      encryptSecret(env.MASTER_KEY, "acme", "new-secret"),
      encryptSecret(env.MASTER_KEY, "acme", "old-secret"),
    ]);
    const rotating = (apiKey: string, validUntil: number) =>
      company.db
        .prepare(
          "INSERT INTO partner_keys (api_key, name, secret_sealed, previous_secret_sealed, previous_valid_until, agency_id, scope_ota, created_at) VALUES (?, '', ?, ?, ?, 1, 1, 0)",
        )
        .bind(apiKey, current, previous, validUntil);
    await company.db.batch([rotating("rotating", Date.now() + 60_000), rotating("rotated", Date.now() - 1)]);
    await clearSnapshot();
    const status = async (apiKey: string, secret: string) =>
      (await send(PLACES, `${apiKey}:${await signPathAndQuery(secret, PLACES)}`)).status;
    expect(await status("rotating", "new-secret")).toBe(200);
    expect(await status("rotating", "old-secret")).toBe(200);
    expect(await status("rotated", "new-secret")).toBe(200);
    expect(await status("rotated", "old-secret")).toBe(401);
  });
});

// A search notices a new catalogue version, including keys.
async function clearSnapshot() {
  const path =
    "/api/booking/ota/availability?date-from=2099-01-01&time-from=10:00&pickup-place=1&date-to=2099-01-02&time-to=10:00&return-place=1";
  await send(path, `agency:${await signPathAndQuery("agency-secret", path)}`);
}

// Proves "conventions.md: signed calls": Missing, malformed, unknown or wrong: 401 with one message
describe("a rejected request", () => {
  test.each([
    ["without a header", undefined],
    ["with an empty header", ""],
    ["with a key alone", "agency"],
    ["with no signature", "agency:"],
    ["with a signature that isn't hexadecimal", `agency:${"z".repeat(40)}`],
    ["with a short signature", "agency:8c7fa225"],
    ["with a long signature", `agency:${"a".repeat(41)}`],
    ["with a wrong signature", `agency:${"a".repeat(40)}`],
    ["with a bearer token", "Bearer abc"],
  ])("rejects a request whose Authorization header is wrong: %s", async (_, authorization) => {
    await expectUnauthorized(await send(PLACES, authorization));
  });

  test("returns the same authentication error for an unknown key, whatever secret signed the request", async () => {
    await expectUnauthorized(await send(PLACES, `nobody:${await signPathAndQuery("agency-secret", PLACES)}`));
    await expectUnauthorized(await send(PLACES, `nobody:${await signPathAndQuery("secret of nobody", PLACES)}`));
  });

  test("returns the same authentication error for a revoked key as for an unknown one", async () => {
    const revoked = await encryptSecret(env.MASTER_KEY, "acme", "revoked-secret");
    await company.db
      .prepare(
        "INSERT INTO partner_keys (api_key, name, secret_sealed, agency_id, scope_ota, active, created_at) VALUES ('revoked', '', ?, 1, 1, 0, 0)",
      )
      .bind(revoked)
      .run();
    await clearSnapshot();
    await expectUnauthorized(await send(PLACES, `revoked:${await signPathAndQuery("revoked-secret", PLACES)}`));
  });

  test("returns the same authentication error for another account's key as for an unknown one", async () => {
    await setUpCompany("globex");
    const response = await requestWorker(`http://globex.localhost${PLACES}`, {
      headers: { Authorization: `agency:${await signPathAndQuery("agency-secret", PLACES)}` },
    });
    expect(response.status).toBe(200);
    await env.TENANT_GLOBEX.prepare("DELETE FROM partner_keys").run();
    await env.TENANT_GLOBEX.prepare(
      "INSERT INTO partner_keys (api_key, name, secret_sealed, agency_id, scope_ota, created_at) SELECT 'agency', '', ?, 1, 1, 0",
    )
      .bind(await encryptSecret(env.MASTER_KEY, "acme", "agency-secret"))
      .run();
    const path = `${PLACES}?unknown=1`;
    const copied = await requestWorker(`http://globex.localhost${path}`, {
      headers: { Authorization: `agency:${await signPathAndQuery("agency-secret", path)}` },
    });
    expect(copied.status, "a remembered key lives for a minute").toBe(200);
  });

  // Proves "conventions.md: signed calls": POST: over the path immediately followed by the raw body
  test("rejects a request after a change of any character of path, query, parameter order or body", async () => {
    const path = `${PLACES}?customer-language=es&pickup-place-id=1`;
    const signature = await signPathAndQuery("agency-secret", path);
    const body = '{"reservation":{"agency_reservation_id":"A-1"}}';
    const cancelPath = "/api/booking/ota/cancel-booking";
    const bodySignature = await signPathAndQuery("agency-secret", cancelPath, body);
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom(..."abc019-_"), async (at, character) => {
        const query = PLACES.length + 1 + (at % (path.length - PLACES.length - 1));
        const changedPath = path.slice(0, query) + character + path.slice(query + 1);
        const place = at % body.length;
        const changedBody = body.slice(0, place) + character + body.slice(place + 1);
        fc.pre(changedPath !== path && changedBody !== body);
        await expectUnauthorized(await send(changedPath, `agency:${signature}`));
        await expectUnauthorized(await send(cancelPath, `agency:${bodySignature}`, changedBody));
      }),
      { numRuns: 60 },
    );
    await expectUnauthorized(await send(`${PLACES}?pickup-place-id=1&customer-language=es`, `agency:${signature}`));
    await expectUnauthorized(await send(cancelPath, `agency:${bodySignature}`, `${body} `));
  });
});

// Proves "conventions.md: signed calls": A valid key without the scope: 403
test("answers 403 to a valid key without the scope", async () => {
  const response = await send(PLACES, `erp:${await signPathAndQuery("erp-secret", PLACES)}`);
  expect(response.status).toBe(403);
  expect(await response.json()).toEqual({
    success: false,
    errors: { message: "This API key lacks the scope ota" },
  });
});

// Proves "conventions.md: signed calls": Secrets encrypted at rest
test("stores secrets encrypted, each for its account only", async () => {
  const { results } = await company.db.prepare("SELECT * FROM partner_keys").all();
  expect(JSON.stringify(results)).not.toContain("agency-secret");
  const sealed = String(results.find((row) => row["api_key"] === "agency")?.["secret_sealed"]);
  expect(await decryptSecret(openTestTenant(env), sealed)).toBe("agency-secret");
  await expect(decryptSecret(openTestTenant(env, "globex"), sealed)).rejects.toThrow("another key");
});
