import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign as signWith } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { PartnerKey } from "#domain/access/credentials.ts";
import { isInIpNetworks, isIpNetwork } from "#domain/access/networks.ts";
import {
  isMessageSignedBy,
  listSignatureBases,
  readSignatureInput,
  type SignedHttpMessage,
} from "#worker/auth/message-signature.ts";
import { encryptSecret } from "#worker/auth/secret-encryption.ts";
import { account, masterKey } from "./account.ts";

const NOW = Date.UTC(2026, 5, 1);
const SECONDS = NOW / 1000;
const SIGNED_URL = "https://acme.example.com/api/booking/ota/availability?date_from=2026-06-01&pickup=a%20b";

function createMessage(
  changes: Partial<SignedHttpMessage> & {
    readonly headers?: Readonly<Record<string, string>>;
    readonly text?: string;
  } = {},
): SignedHttpMessage {
  const { headers = {}, text = "", ...rest } = changes;
  const known = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    method: "GET",
    url: SIGNED_URL,
    body: Uint8Array.from(Buffer.from(text)).buffer,
    header: (name) => known.get(name.toLowerCase()),
    ...rest,
  };
}

async function createPartnerKey(changes: Partial<PartnerKey> = {}): Promise<PartnerKey> {
  return {
    apiKey: "agency",
    encryptedSecret: await encryptSecret(masterKey, account.name, "s3cr3t"),
    previousEncryptedSecret: undefined,
    previousValidUntil: undefined,
    agency: undefined,
    scopes: { ota: true, integration: false, analytics: false },
    keyOnly: false,
    signatures: "both",
    publicKey: undefined,
    networks: [],
    ...changes,
  };
}

const LIST = '("@method" "@authority" "@path" "@query" "content-digest")';
const createDigest = (text: string) => `sha-256=:${createHash("sha256").update(text).digest("base64")}:`;

/** Creates the headers of a signed message as sent by a partner. */
function signMessage(
  { text = "", method = "GET", url = SIGNED_URL, list = LIST, created = SECONDS, more = "" },
  signer: (base: string) => Buffer = (base) => createHmac("sha256", "s3cr3t").update(base).digest(),
) {
  const params = `${list};created=${created};keyid="agency";nonce="0123456789abcdef"${more}`;
  const { host, pathname, search } = new URL(url);
  const values: Readonly<Record<string, string>> = {
    "@method": method,
    "@authority": host,
    "@path": pathname,
    "@query": search || "?",
    "content-digest": createDigest(text),
  };
  const lines = [...list.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => `"${name}": ${values[name]}`);
  const signature = signer([...lines, `"@signature-params": ${params}`].join("\n")).toString("base64");
  return { "Content-Digest": createDigest(text), "Signature-Input": `sig=${params}`, Signature: `sig=:${signature}:` };
}

async function isGood(message: SignedHttpMessage, key?: PartnerKey, now = NOW): Promise<boolean> {
  const input = readSignatureInput(message, now);
  return input !== undefined && isMessageSignedBy(key ?? (await createPartnerKey()), { input, message }, account, now);
}

describe("a signature of version 2", () => {
  // Proves "security.md": V6
  test("matches RFC 9421's own examples with a shared secret and with Ed25519", async () => {
    const date = "Tue, 20 Apr 2021 02:07:55 GMT";
    const message = createMessage({
      method: "POST",
      url: "https://example.com/foo?param=Value&Pet=dog",
      headers: { date, "content-type": "application/json", "content-length": "18" },
    });
    const [shared] = listSignatureBases(message, {
      components: ["date", "@authority", "content-type"],
      params: '("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
    });
    const secret = Buffer.from(
      "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==",
      "base64",
    );
    expect(
      createHmac("sha256", secret)
        .update(shared ?? "")
        .digest("base64"),
    ).toBe("pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=");
    const [asymmetric] = listSignatureBases(message, {
      components: ["date", "@method", "@path", "@authority", "content-type", "content-length"],
      params:
        '("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
    });
    const spki = Buffer.from("MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=", "base64");
    const key = await crypto.subtle.importKey("spki", spki, { name: "Ed25519" }, false, ["verify"]);
    const signature = Buffer.from(
      "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==",
      "base64",
    );
    expect(await crypto.subtle.verify("Ed25519", key, signature, asymmetric ?? new Uint8Array())).toBe(true);
  });

  // Proves "security, privacy and operation": Signatures of version 2: the covered parts
  test("verifies a version 2 signature of a message, with and without a body", async () => {
    expect(await isGood(createMessage({ headers: signMessage({}) }))).toBe(true);
    const post = { method: "POST", text: '{"a":1}' };
    expect(await isGood(createMessage({ ...post, headers: signMessage(post) }))).toBe(true);
    const withoutDigest = signMessage({ list: '("@method" "@authority" "@path" "@query")' });
    expect(await isGood(createMessage({ headers: withoutDigest }))).toBe(true);
  });

  // Proves "security.md": A52
  test("verifies a private key's signature if the account stores the public key, and then rejects the secret", async () => {
    const { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync("ed25519");
    const key = await createPartnerKey({
      publicKey: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
    });
    const headers = signMessage({ more: ';alg="ed25519"' }, (base) => signWith(null, Buffer.from(base), privateKey));
    expect(await isGood(createMessage({ headers }), key)).toBe(true);
    expect(await isGood(createMessage({ headers: signMessage({}) }), key)).toBe(false);
    expect(await isGood(createMessage({ headers: signMessage({ more: ';alg="hmac-sha256"' }) }), key)).toBe(false);
  });

  test.each<[string, Parameters<typeof createMessage>[0]]>([
    ["another method", { method: "POST" }],
    ["another account", { url: SIGNED_URL.replace("acme", "globex") }],
    ["another path", { url: SIGNED_URL.replace("availability", "booking") }],
    ["another query", { url: SIGNED_URL.replace("06-01", "06-02") }],
    ["no query", { url: SIGNED_URL.replace(/\?.*/, "") }],
    ["another body", { text: "{}" }],
  ])("rejects a version 2 signature for %s", async (_name, changes) => {
    expect(await isGood(createMessage({ headers: signMessage({}), ...changes }))).toBe(false);
  });

  test.each([
    ["is older than five minutes", signMessage({ created: SECONDS - 301 })],
    ["is from the future", signMessage({ created: SECONDS + 301 })],
    ["has expired", signMessage({ more: `;expires=${SECONDS - 1}` })],
    ["does not cover the method", signMessage({ list: '("@authority" "@path" "@query")' })],
    ["does not cover the account", signMessage({ list: '("@method" "@path" "@query")' })],
    ["does not cover the query", signMessage({ list: '("@method" "@authority" "@path")' })],
    ["covers a component twice", signMessage({ list: '("@method" "@method" "@authority" "@path" "@query")' })],
    ["uses another algorithm", signMessage({ more: ';alg="rsa-v1_5-sha256"' })],
    ["consists of two signatures", { ...signMessage({}), Signature: `${signMessage({}).Signature}, b=:AAAA:` }],
    ["has another name", { ...signMessage({}), Signature: signMessage({}).Signature.replace("sig=", "gis=") }],
    ["isn't a signature", { ...signMessage({}), Signature: "" }],
    [
      "has a nonce that could be guessed",
      {
        ...signMessage({}),
        "Signature-Input": 'sig=("@method" "@authority" "@path" "@query");created=1;keyid="agency";nonce="1"',
      },
    ],
  ])("rejects a version 2 signature that %s", async (_name, headers) => {
    expect(await isGood(createMessage({ headers }))).toBe(false);
  });

  // Proves "security.md": A51
  test("requires a version 2 signature to cover the digest of a body, and the digest to match the body", async () => {
    const post = { method: "POST", text: '{"a":1}' };
    const uncovered = signMessage({ ...post, list: '("@method" "@authority" "@path" "@query")' });
    expect(await isGood(createMessage({ ...post, headers: uncovered }))).toBe(false);
    const other = { ...signMessage(post), "Content-Digest": createDigest('{"a":2}') };
    expect(await isGood(createMessage({ ...post, headers: other }))).toBe(false);
  });
});

describe("IP networks", () => {
  test.each([
    ["203.0.113.9", ["203.0.113.0/24"], true],
    ["203.0.114.9", ["203.0.113.0/24"], false],
    ["203.0.113.9", ["203.0.113.9"], true],
    ["::ffff:203.0.113.9", ["203.0.113.0/24"], true],
    ["2001:db8:1::5", ["2001:db8::/32"], true],
    ["2001:db9::5", ["2001:db8::/32", "10.0.0.0/8"], false],
    ["not an address", ["0.0.0.0/0"], false],
    ["10.0.0.1", ["nonsense", "10.0.0.0/8"], true],
  ])("reports whether %s is in the networks %j: %s", (address, networks, expected) => {
    expect(isInIpNetworks(address, networks)).toBe(expected);
  });

  test.each([
    ["10.0.0.0/8", true],
    ["10.0.0.0/33", false],
    ["2001:db8::/129", false],
    ["10.0.0", false],
    ["::/0", true],
  ])("reports whether %s is a valid IP network: %s", (text, expected) => expect(isIpNetwork(text)).toBe(expected));
});
