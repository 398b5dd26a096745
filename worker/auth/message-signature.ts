import { createHash } from "node:crypto";
import type { PartnerKey } from "#domain/access/credentials.ts";
import type { AccountSecrets } from "./account-keys.ts";
import { decodeBase64 } from "./bytes.ts";
import { decryptPartnerSecrets } from "./signature.ts";

// Signatures of version 2: RFC 9421 with Content-Digest of RFC 9530
// (docs/interfaces/conventions.md#signatures-of-version-2).

/** Message that a signature of version 2 covers. */
export interface SignedHttpMessage {
  readonly method: string;
  /** URL with path and query as the Worker receives them. */
  readonly url: string;
  readonly body: ArrayBuffer;
  header(name: string): string | undefined;
}

/** Parameters of a signature. */
export interface SignatureInput {
  readonly keyId: string;
  readonly nonce: string;
  /** Covered components in order. */
  readonly components: readonly string[];
  /** Parameters as sent, because they are signed too. */
  readonly params: string;
  readonly algorithm: string | undefined;
  readonly signature: Uint8Array<ArrayBuffer>;
}

/**
 * Maximum clock difference between a partner and the Worker, in either direction. Nonces are remembered for the same
 * time.
 */
export const MESSAGE_SIGNATURE_TOLERANCE_SECONDS = 300;
const REQUIRED = ["@method", "@authority", "@path", "@query"];
const MAX_COMPONENTS = 16;
const ED25519_BYTES = 64;
const INPUT =
  /^([a-z*][a-z0-9_.*-]{0,63})=(\(("[a-z0-9@-]+"(?: "[a-z0-9@-]+")*)\)((?:;[a-z]+=(?:\d{1,15}|"[\x20-\x21\x23-\x5b\x5d-\x7e]{0,255}"))+))$/;

/**
 * Reads the parameters of a single signature, not a list. Returns undefined unless it covers all required components,
 * is recent, and names a key and a nonce.
 */
export function readSignatureInput(message: SignedHttpMessage, now: number): SignatureInput | undefined {
  const input = INPUT.exec(message.header("Signature-Input") ?? "");
  const value = /^([a-z*][a-z0-9_.*-]{0,63})=:([A-Za-z0-9+/]{43,88}={0,2}):$/.exec(message.header("Signature") ?? "");
  if (!input || !value || input[1] !== value[1]) return undefined;
  const [, , params = "", list = "", settings = ""] = input;
  const components = list.split(" ").map((quoted) => quoted.slice(1, -1));
  const componentValues = new Map(
    [...settings.matchAll(/;([a-z]+)=(?:(\d+)|"([^"]*)")/g)].map(([, name, number, text]) => [
      name,
      number ?? text ?? "",
    ]),
  );
  if (!coversAll(components, message) || !isAboutNow(componentValues, now)) return undefined;
  const [keyId = "", nonce = ""] = [componentValues.get("keyid"), componentValues.get("nonce")];
  if (!/^[\x21-\x7e]{16,128}$/.test(nonce)) return undefined;
  return {
    keyId,
    nonce,
    components,
    params,
    algorithm: componentValues.get("alg"),
    signature: decodeBase64(value[2] ?? ""),
  };
}

function coversAll(components: readonly string[], { body }: SignedHttpMessage): boolean {
  const required = body.byteLength > 0 ? [...REQUIRED, "content-digest"] : REQUIRED;
  const areComponentsUnique = new Set(components).size === components.length;
  return (
    areComponentsUnique && components.length <= MAX_COMPONENTS && required.every((text) => components.includes(text))
  );
}

function isAboutNow(componentValues: ReadonlyMap<string | undefined, string>, now: number): boolean {
  const created = Number(componentValues.get("created") ?? Number.NaN);
  const expires = Number(componentValues.get("expires") ?? Number.POSITIVE_INFINITY);
  const seconds = Math.floor(now / 1000);
  return Math.abs(seconds - created) <= MESSAGE_SIGNATURE_TOLERANCE_SECONDS && seconds <= expires;
}

/** Whether a key signed the message with these parameters. */
export async function isMessageSignedBy(
  key: PartnerKey,
  { input, message }: { readonly input: SignatureInput; readonly message: SignedHttpMessage },
  account: AccountSecrets,
  now: number,
): Promise<boolean> {
  if (!hasItsDigest(message)) return false;
  const bases = listSignatureBases(message, input);
  if (!usesKeyAlgorithm(key, input)) return false;
  const verifiers = key.publicKey ? [await importPublicKey(key.publicKey)] : await importHmacKeys(key, account, now);
  for (const verifier of verifiers)
    for (const base of bases)
      if (await crypto.subtle.verify(verifier.algorithm.name, verifier, input.signature, base)) return true;
  return false;
}

// The runtime throws if an Ed25519 signature has another length.
function usesKeyAlgorithm({ publicKey }: PartnerKey, { algorithm, signature }: SignatureInput): boolean {
  if (algorithm !== undefined && algorithm !== (publicKey ? "ed25519" : "hmac-sha256")) return false;
  return publicKey === undefined || signature.byteLength === ED25519_BYTES;
}

// Checks the body's digest. If the header is present, the digest must match, even if the signature doesn't cover it.
function hasItsDigest({ body, header }: SignedHttpMessage): boolean {
  const componentValues = header("Content-Digest");
  if (componentValues === undefined) return body.byteLength === 0;
  const sha256 = /(?:^|,\s*)sha-256=:([A-Za-z0-9+/]{43}=):/.exec(componentValues)?.[1];
  return sha256 === createHash("sha256").update(new Uint8Array(body)).digest("base64");
}

/**
 * Returns the text to verify. Returns several variants if the Worker may see the address differently than it was sent.
 */
export function listSignatureBases(
  message: SignedHttpMessage,
  { components, params }: Pick<SignatureInput, "components" | "params">,
): readonly Uint8Array<ArrayBuffer>[] {
  const { url } = message;
  const pathAndQuery = url.slice(url.indexOf("/", url.indexOf("//") + 2));
  return listPathSpellings(pathAndQuery).flatMap((spelling) => {
    const values = components.map((name) => [name, getComponent(name, message, spelling)] as const);
    if (values.some(([, value]) => value === undefined)) return [];
    const lines = values.map(([name, value]) => `"${name}": ${value}`);
    return [Uint8Array.from(Buffer.from([...lines, `"@signature-params": ${params}`].join("\n")))];
  });
}

function getComponent(name: string, message: SignedHttpMessage, pathAndQuery: string): string | undefined {
  const [path = "", ...query] = pathAndQuery.split("?");
  switch (name) {
    case "@method":
      return message.method;
    case "@authority":
      return new URL(message.url).host;
    case "@path":
      return path;
    case "@query":
      return `?${query.join("?")}`;
    default:
      return name.startsWith("@")
        ? undefined
        : message
            .header(name)
            ?.split("\n")
            .map((line) => line.trim())
            .join(" ")
            .trim();
  }
}

// As in version 1, the URL parser escapes some characters that a client may have sent and signed unescaped.
function listPathSpellings(pathAndQuery: string): readonly string[] {
  const unescaped = pathAndQuery.replace(/%27/g, "'").replace(/%22/g, '"').replace(/%3C/g, "<").replace(/%3E/g, ">");
  return unescaped === pathAndQuery ? [pathAndQuery] : [pathAndQuery, unescaped];
}

async function importPublicKey(spki: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("spki", decodeBase64(spki), { name: "Ed25519" }, false, ["verify"]);
}

async function importHmacKeys(key: PartnerKey, account: AccountSecrets, now: number): Promise<readonly CryptoKey[]> {
  const secrets = await decryptPartnerSecrets(key, account, now);
  return Promise.all(
    secrets.map((secret) =>
      crypto.subtle.importKey("raw", new TextEncoder().encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
        "verify",
      ]),
    ),
  );
}

/** Returns the hash that identifies a nonce. It includes the key, so that partners can't use up each other's nonces. */
export function hashNonce({ apiKey }: PartnerKey, nonce: string): string {
  return createHash("sha256").update(`${apiKey}\n${nonce}`).digest("base64url");
}
