import { createHash } from "node:crypto";
import type { PartnerKey } from "#domain/access/credentials.ts";
import { toHex } from "#domain/bytes.ts";
import type { AccountSecrets } from "./account-keys.ts";
import { tryDecryptSecret } from "./secret-encryption.ts";

/**
 * Signed data of a request: the path and query as sent, and the raw body of a POST
 * (docs/interfaces/conventions.md#signed-calls).
 */
export interface SignedRequest {
  /** Everything after the host, as the Worker receives it. */
  readonly pathAndQuery: string;
  readonly body: ArrayBuffer;
  readonly authorization: string | undefined;
}

const SIGNATURE_BYTES = 20;
const encoder = new TextEncoder();
const imported = new Map<string, CryptoKey>();
const MAX_CACHED_SECRETS = 500;
const DUMMY_SECRET = "secret of nobody";

/**
 * Returns the key that signed a request. Undefined for a missing, malformed, unknown or wrong signature, after the same
 * amount of work.
 */
export async function findSigningPartnerKey(
  request: SignedRequest,
  keys: ReadonlyMap<string, PartnerKey>,
  account: AccountSecrets,
  now: number,
): Promise<PartnerKey | undefined> {
  const { apiKey, signature } = parseAuthorization(request.authorization);
  const key = findPartnerKey(keys, apiKey);
  const own = key ? await importSecrets(key, account, now) : [];
  const secrets = own.length > 0 ? own : [await importSecret(DUMMY_SECRET, DUMMY_SECRET)];
  let isValid = false;
  for (const secret of secrets) {
    for (const text of spellingsAsSent(request.pathAndQuery)) {
      isValid = (await crypto.subtle.verify("HMAC", secret, signature, signedBytes(text, request.body))) || isValid;
    }
  }
  return isValid && own.length > 0 ? key : undefined;
}

/**
 * Returns the key in an `Authorization` header without a signature, if the account allows that
 * (docs/interfaces/conventions.md#credentials).
 */
export function findKeyOnlyPartnerKey(
  authorization: string | undefined,
  keys: ReadonlyMap<string, PartnerKey>,
): PartnerKey | undefined {
  const key = findPartnerKey(keys, authorization ?? "");
  return key?.keyOnly ? key : undefined;
}

/**
 * Returns the key with a name. Keys restored from a backup are stored by hash. Values that aren't valid names are
 * rejected, so that a hash can't be used as a key.
 */
export function findPartnerKey(keys: ReadonlyMap<string, PartnerKey>, apiKey: string): PartnerKey | undefined {
  if (!/^[A-Za-z0-9_.-]{3,64}$/.test(apiKey)) return undefined;
  return keys.get(apiKey) ?? keys.get(`sha256:${createHash("sha256").update(apiKey).digest("hex")}`);
}

function parseAuthorization(header: string | undefined): {
  readonly apiKey: string;
  readonly signature: Uint8Array<ArrayBuffer>;
} {
  const match = /^([A-Za-z0-9_.-]{3,64}):([0-9a-fA-F]{40})$/.exec(header ?? "");
  const hex = match?.[2] ?? "";
  const signature = new Uint8Array(SIGNATURE_BYTES);
  for (let byte = 0; byte < hex.length / 2; byte++)
    signature[byte] = Number.parseInt(hex.slice(2 * byte, 2 * byte + 2), 16);
  return { apiKey: match?.[1] ?? "", signature };
}

// The URL parser encodes some characters that clients may have signed unescaped: ' " < > and non-ASCII. Signatures over
// the unescaped form are valid too.
function spellingsAsSent(pathAndQuery: string): readonly string[] {
  if (!pathAndQuery.includes("%")) return [pathAndQuery];
  const unescaped = pathAndQuery
    .replace(/%27/g, "'")
    .replace(/%22/g, '"')
    .replace(/%3C/g, "<")
    .replace(/%3E/g, ">")
    .replace(/(?:%[89A-F][0-9A-F])+/g, decodedOrSame);
  return unescaped === pathAndQuery ? [pathAndQuery] : [pathAndQuery, unescaped];
}

function decodedOrSame(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}

function signedBytes(text: string, body: ArrayBuffer): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(text);
  const bytes = new Uint8Array(head.length + body.byteLength);
  bytes.set(head);
  bytes.set(new Uint8Array(body), head.length);
  return bytes;
}

function sealedSecrets(key: PartnerKey, now: number): readonly string[] {
  const isPreviousValid = key.previousValidUntil === undefined || now < key.previousValidUntil;
  return [
    key.encryptedSecret,
    ...(key.previousEncryptedSecret && isPreviousValid ? [key.previousEncryptedSecret] : []),
  ];
}

/** Returns the currently valid secrets of a key. */
export async function decryptPartnerSecrets(
  key: PartnerKey,
  account: AccountSecrets,
  now: number,
): Promise<readonly string[]> {
  const opened = await Promise.all(sealedSecrets(key, now).map((text) => tryDecryptSecret(account, text)));
  return opened.filter((secret) => secret !== undefined);
}

async function importSecrets(key: PartnerKey, account: AccountSecrets, now: number): Promise<CryptoKey[]> {
  const sealed = sealedSecrets(key, now);
  const opened = await Promise.all(sealed.map((text) => imported.get(text) ?? openAndImport(account, text)));
  return opened.filter((secret) => secret !== undefined);
}

async function openAndImport(account: AccountSecrets, text: string): Promise<CryptoKey | undefined> {
  const secret = await tryDecryptSecret(account, text);
  return secret === undefined ? undefined : importSecret(text, secret);
}

async function importSecret(name: string, secret: string): Promise<CryptoKey> {
  const known = imported.get(name);
  if (known) return known;
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-1" }, false, [
    "verify",
  ]);
  if (imported.size >= MAX_CACHED_SECRETS) imported.clear();
  imported.set(name, key);
  return key;
}

/** Signs like a partner, in lower-case hex. For examples, tests and the development page. */
export async function signPathAndQuery(secret: string, pathAndQuery: string, body = ""): Promise<string> {
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-1" }, false, [
    "sign",
  ]);
  const signature = await crypto.subtle.sign("HMAC", key, encoder.encode(pathAndQuery + body));
  return toHex(new Uint8Array(signature));
}
