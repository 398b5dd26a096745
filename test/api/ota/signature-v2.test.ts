import { env } from "cloudflare:workers";
import { createHash, createHmac, generateKeyPairSync, sign as signBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { createAgencyReservationBody } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { signPathAndQuery } from "#worker/auth/signature.ts";

const PATH = "/api/booking/ota/location-list?customer-language=es";
let nonces = 0;

beforeEach(async () => {
  await setUpCompany();
});

async function keyTakes(signatures: string, networks: readonly string[] = []): Promise<void> {
  await env.TENANT_ACME.prepare("UPDATE partner_keys SET signatures = ?, networks = ? WHERE api_key = 'agency'")
    .bind(signatures, JSON.stringify(networks))
    .run();
  await openTestTenant(env).freshSnapshot();
}

const createNonce = () => `nonce-of-a-test-${nonces++}`;

const bySecret = (base: string) => createHmac("sha256", "agency-secret").update(base).digest("base64");

function second(
  nonce = createNonce(),
  created = Math.floor(Date.now() / 1000),
  createSignature = bySecret,
): Record<string, string> {
  const params = `("@method" "@authority" "@path" "@query");created=${created};keyid="agency";nonce="${nonce}"`;
  const [path, query] = PATH.split("?");
  const base = `"@method": GET\n"@authority": acme.localhost:8787\n"@path": ${path}\n"@query": ?${query}\n"@signature-params": ${params}`;
  return { "Signature-Input": `sig=${params}`, Signature: `sig=:${createSignature(base)}:` };
}

const first = async () => ({ Authorization: `agency:${await signPathAndQuery("agency-secret", PATH)}` });
const ask = async (headers: Record<string, string>, address?: string) =>
  (
    await requestWorker(`http://acme.localhost:8787${PATH}`, {
      headers: { ...headers, ...(address && { "CF-Connecting-IP": address }) },
    })
  ).status;

// Proves "security, privacy and operation": Signatures of version 2: which a key takes
test("accepts the signature versions that the partner key allows", async () => {
  expect([await ask(await first()), await ask(second())]).toEqual([200, 401]);
  await keyTakes("both");
  expect([await ask(await first()), await ask(second())]).toEqual([200, 200]);
  await keyTakes("v2");
  expect([await ask(await first()), await ask(second())]).toEqual([401, 200]);
});

// Proves "security, privacy and operation": The account sets which signatures and networks a key accepts
test("lets an administrator set a key's signature versions, public key and networks", async () => {
  await addTestUsers();
  const token = await createToken("boss");
  const path = "/partner-keys/agency";
  const change = async (expected_version: number, body: object) => {
    const changed = await callOffice("PATCH", path, { token, body: { expected_version, ...body } });
    await openTestTenant(env).freshSnapshot();
    return (await changed.json<{ partner_key: Record<string, unknown> }>()).partner_key;
  };
  const before = await (await callOffice("GET", path, { token })).json<{ partner_key: { version: number } }>();
  expect(before.partner_key).toMatchObject({ signatures: "v1", public_key: null, networks: [] });
  const { version } = before.partner_key;
  const networks = ["203.0.113.0/24", "2001:db8::/32"];
  expect(await change(version, { signatures: "v2", networks })).toMatchObject({ signatures: "v2", networks });
  expect([await ask(await first(), "203.0.113.7"), await ask(second(), "203.0.113.7")]).toEqual([401, 200]);
  expect(await ask(second(), "198.51.100.7")).toBe(401);

  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const public_key = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  expect(await change(version + 1, { public_key, networks: [] })).toMatchObject({ public_key, networks: [] });
  const own = second(createNonce(), undefined, (base) =>
    signBytes(null, Buffer.from(base), privateKey).toString("base64"),
  );
  expect([await ask(own), await ask(second())]).toEqual([200, 401]);
});

/** Creates a signed call that books. */
function signBooking() {
  const path = "/api/booking/ota/booking";
  const body = JSON.stringify(createAgencyReservationBody());
  const digest = `sha-256=:${createHash("sha256").update(body).digest("base64")}:`;
  const created = Math.floor(Date.now() / 1000);
  const params = `("@method" "@authority" "@path" "@query" "content-digest");created=${created};keyid="agency";nonce="${createNonce()}"`;
  const base = `"@method": POST\n"@authority": acme.localhost:8787\n"@path": ${path}\n"@query": ?\n"content-digest": ${digest}\n"@signature-params": ${params}`;
  const headers = {
    "Content-Type": "application/json",
    "Content-Digest": digest,
    "Signature-Input": `sig=${params}`,
    Signature: `sig=:${bySecret(base)}:`,
  };
  return async () =>
    (await requestWorker(`http://acme.localhost:8787${path}`, { method: "POST", headers, body })).status;
}

const NONCES = "SELECT count(*) AS n FROM signature_nonces";

// Proves "security, privacy and operation": Signatures of version 2: a nonce is good once
// Proves "security.md": A49
test("accepts a version 2 signature once, even if many identical requests arrive at the same time", async () => {
  await keyTakes("both");
  const book = signBooking();
  const answers = await Promise.all(Array.from({ length: 6 }, book));
  expect(answers.sort()).toEqual([200, 401, 401, 401, 401, 401]);
  expect(await book()).toBe(401);
  expect(await env.TENANT_ACME.prepare(NONCES).first("n")).toBe(1);
  await env.TENANT_ACME.prepare("UPDATE signature_nonces SET expires_at = 0").run();
  expect(await signBooking()()).toBe(200);
  expect(await env.TENANT_ACME.prepare(NONCES).first("n")).toBe(1);
});

test("accepts a repeated read request with a recent version 2 signature, and stores no nonce for it", async () => {
  await keyTakes("v2");
  const headers = second();
  expect([await ask(headers), await ask(headers)]).toEqual([200, 200]);
  expect(await env.TENANT_ACME.prepare(NONCES).first("n")).toBe(0);
  expect(await ask(second(createNonce(), Math.floor(Date.now() / 1000) - 400))).toBe(401);
});

// Proves "security.md": A50
test("doesn't use up a nonce by a wrong version 2 signature", async () => {
  await keyTakes("v2");
  const headers = second();
  expect(
    await ask({
      ...headers,
      Signature: headers["Signature"]?.replace(/=:(.)/, (_, letter) => `=:${letter === "A" ? "B" : "A"}`) ?? "",
    }),
  ).toBe(401);
  expect(await ask(headers)).toBe(200);
});

test("rejects signatures with the secret, and invalid ones, once a public key is stored for the partner", async () => {
  await keyTakes("v2");
  const publicKey = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "der" }).toString("base64");
  const spki = env.TENANT_ACME.prepare("UPDATE partner_keys SET public_key = ? WHERE api_key = 'agency'");
  // The second key has the right format but isn't a point on the curve.
  for (const key of [publicKey, `MCowBQYDK2VwAyEA${"/".repeat(42)}8=`]) {
    await spki.bind(key).run();
    await openTestTenant(env).freshSnapshot();
    const secretSignature = second();
    const sameLengthSignature = { ...second(), Signature: `sig=:${Buffer.alloc(64, 1).toString("base64")}:` };
    expect([await ask(secretSignature), await ask(sameLengthSignature)]).toEqual([401, 401]);
  }
});

// Proves "security, privacy and operation": A key that is bound to networks
// Proves "security.md": A53
test("rejects requests from other networks by a key that is limited to networks, with any signature", async () => {
  await keyTakes("both", ["203.0.113.0/24", "2001:db8::/32"]);
  expect([await ask(await first(), "203.0.113.7"), await ask(second(), "2001:db8::7")]).toEqual([200, 200]);
  expect([
    await ask(await first(), "198.51.100.7"),
    await ask(second(), "198.51.100.7"),
    await ask(await first()),
  ]).toEqual([401, 401, 401]);
});
