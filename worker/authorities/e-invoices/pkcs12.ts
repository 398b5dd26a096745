import { concatenateBytes, toHex } from "#domain/bytes.ts";

// Reads PKCS #12 (RFC 7292) with the encryption of current systems: PBES2 with PBKDF2 and AES-CBC (RFC 8018).

/** Reason why a file can't be opened. */
export type Pkcs12Problem = "unreadable" | "wrong_password" | "outdated_encryption";

/** Element of BER. Some programs write lengths that are only known at the end. */
interface Element {
  readonly tag: number;
  readonly raw: Bytes;
  readonly content: Bytes;
  readonly children: readonly Element[];
  readonly end: number;
}

type Bytes = Uint8Array<ArrayBuffer>;

const OIDS = {
  data: "2a864886f70d010701",
  encryptedData: "2a864886f70d010706",
  keyBag: "2a864886f70d010c0a0101",
  shroudedKeyBag: "2a864886f70d010c0a0102",
  certificateBag: "2a864886f70d010c0a0103",
  pbes2: "2a864886f70d01050d",
  pbkdf2: "2a864886f70d01050c",
} as const;

const HASHES: Readonly<Record<string, string>> = {
  "2a864886f70d0207": "SHA-1",
  "2a864886f70d0209": "SHA-256",
  "2a864886f70d020a": "SHA-384",
  "2a864886f70d020b": "SHA-512",
};

const KEY_BITS: Readonly<Record<string, number>> = {
  "608648016503040102": 128,
  "608648016503040116": 192,
  "60864801650304012a": 256,
};

const MAX_DEPTH = 20;
const CONSTRUCTED = 0x20;
const INDEFINITE = 0x80;

/** Maximum number of PBKDF2 iterations that the Workers' WebCrypto allows. */
const MAX_ITERATIONS = 100_000;
/** A company's file has one encryption for its certificates and one for each key. Each takes up to 50 ms. */
const MAX_DERIVATIONS = 10;
/** A file with a chain of certificates has a few hundred. */
const MAX_ELEMENTS = 5_000;

class Refused extends Error {
  readonly problem: Pkcs12Problem;

  constructor(problem: Pkcs12Problem) {
    super(problem);
    this.problem = problem;
  }
}

/** Returns the certificates and the private key of a file as PEM, or why it can't be opened. */
export async function openPkcs12(file: Bytes, password: string): Promise<string | { readonly problem: Pkcs12Problem }> {
  try {
    const [, content] = readElement(file).children;
    const authenticated = readElement(octets(at(content, 1, 0)));
    const parts: string[] = [];
    const key: Password = { text: password, derivations: 0 };
    for (const info of authenticated.children) parts.push(...(await readContent(info, key)));
    return parts.join("");
  } catch (error) {
    return { problem: error instanceof Refused ? error.problem : "unreadable" };
  }
}

/** Password of a file, and how many keys were derived from it. */
interface Password {
  readonly text: string;
  derivations: number;
}

async function readContent(info: Element, password: Password): Promise<readonly string[]> {
  const type = toHex(at(info, 0).content);
  if (type === OIDS.data) return readBags(octets(at(info, 1, 0)), password);
  if (type !== OIDS.encryptedData) throw new Refused("unreadable");
  const encrypted = at(info, 1, 0, 1);
  return readBags(await decrypt(at(encrypted, 1), octets(at(encrypted, 2)), password), password);
}

async function readBags(contents: Bytes, password: Password): Promise<readonly string[]> {
  const parts: string[] = [];
  for (const bag of readElement(contents).children) {
    const value = at(bag, 1, 0);
    switch (toHex(at(bag, 0).content)) {
      case OIDS.keyBag:
        parts.push(toPem("PRIVATE KEY", value.raw));
        break;
      case OIDS.shroudedKeyBag:
        parts.push(toPem("PRIVATE KEY", await decrypt(at(value, 0), octets(at(value, 1)), password)));
        break;
      case OIDS.certificateBag:
        parts.push(toPem("CERTIFICATE", octets(at(value, 1, 0))));
        break;
    }
  }
  return parts;
}

async function decrypt(algorithm: Element, encrypted: Bytes, password: Password): Promise<Bytes> {
  if (toHex(at(algorithm, 0).content) !== OIDS.pbes2) throw new Refused("outdated_encryption");
  const [derivation, cipher] = at(algorithm, 1).children;
  const bits = KEY_BITS[toHex(at(cipher, 0).content)];
  const [salt, iterations, ...options] = at(derivation, 1).children;
  const hash = options.find(({ tag }) => tag === 0x30);
  const hashName = hash ? HASHES[toHex(at(hash, 0).content)] : "SHA-1";
  const count = Number(`0x${toHex(at(iterations).content)}`);
  const isKnown = toHex(at(derivation, 0).content) === OIDS.pbkdf2 && bits && hashName && count <= MAX_ITERATIONS;
  if (!isKnown) throw new Refused("outdated_encryption");
  password.derivations += 1;
  if (password.derivations > MAX_DERIVATIONS) throw new Refused("unreadable");
  const secret = await crypto.subtle.importKey("raw", new TextEncoder().encode(password.text), "PBKDF2", false, [
    "deriveKey",
  ]);
  const key = await crypto.subtle.deriveKey(
    { name: "PBKDF2", salt: octets(at(salt)), iterations: count, hash: hashName },
    secret,
    { name: "AES-CBC", length: bits },
    false,
    ["decrypt"],
  );
  const plain = await crypto.subtle
    .decrypt({ name: "AES-CBC", iv: octets(at(cipher, 1)) }, key, encrypted)
    .catch(() => undefined);
  // Decryption with a wrong password usually fails. If it succeeds by chance, the result isn't a valid
  // structure.
  if (!plain || !isSequence(new Uint8Array(plain))) throw new Refused("wrong_password");
  return new Uint8Array(plain);
}

function isSequence(bytes: Bytes): boolean {
  try {
    return readElement(bytes).tag === 0x30;
  } catch {
    return false;
  }
}

function at(element: Element | undefined, ...path: readonly number[]): Element {
  const descendant = path.reduce<Element | undefined>((parent, index) => parent?.children[index], element);
  if (!descendant) throw new Refused("unreadable");
  return descendant;
}

// Octets may be in parts.
const octets = ({ content, children }: Element): Bytes =>
  children.length === 0 ? content : concatenateBytes(children.map(octets));

function readElement(bytes: Bytes): Element {
  return readElementAt(bytes, { start: 0, depth: 0, count: { elements: 0 } });
}

interface ElementPosition {
  readonly start: number;
  readonly depth: number;
  /** Elements read so far. */
  readonly count: { elements: number };
}

// Elements share the file's bytes: copies of all levels would need many times its size.
function readElementAt(bytes: Bytes, { start, depth, count }: ElementPosition): Element {
  const [tag = 0, first = 0] = bytes.subarray(start, start + 2);
  count.elements += 1;
  if (start + 2 > bytes.length || depth > MAX_DEPTH || count.elements > MAX_ELEMENTS) throw new Refused("unreadable");
  const isIndefinite = first === INDEFINITE;
  const lengthBytes = first > INDEFINITE ? first & 0x7f : 0;
  const contentStart = start + 2 + lengthBytes;
  const length = lengthBytes === 0 ? first : Number(`0x${toHex(bytes.subarray(start + 2, contentStart))}`);
  const contentEnd = isIndefinite ? bytes.length : contentStart + length;
  if (!(contentEnd <= bytes.length)) throw new Refused("unreadable");
  const children: Element[] = [];
  let position = contentStart;
  while ((tag & CONSTRUCTED) !== 0 && position < contentEnd && !(isIndefinite && bytes[position] === 0)) {
    const child = readElementAt(bytes, { start: position, depth: depth + 1, count });
    children.push(child);
    position = child.end;
  }
  const end = isIndefinite ? position + 2 : contentEnd;
  const content = bytes.subarray(contentStart, isIndefinite ? position : contentEnd);
  return { tag, children, end, raw: bytes.subarray(start, end), content };
}

const toPem = (label: string, der: Uint8Array) =>
  `-----BEGIN ${label}-----\n${Buffer.from(der).toString("base64")}\n-----END ${label}-----\n`;
