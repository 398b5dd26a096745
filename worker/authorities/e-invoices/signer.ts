import { type Certificate, readCertificate } from "./certificate.ts";

/** Certificate of a company with its private key. */
export interface Signer {
  readonly certificate: Certificate;
  sign(text: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** Reason why a file can't sign. */
export type SignerProblem = "no_certificate" | "no_key" | "key_encrypted" | "key_not_rsa" | "key_of_another";

const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" } as const;

/** Reads a PEM file with a certificate and its unencrypted RSA key (PKCS #8). Certificates of issuers are ignored. */
export async function openSigner(pem: string): Promise<Signer | SignerProblem> {
  const certificates = readBlocks(pem, "CERTIFICATE").flatMap((der) => tryCertificate(der) ?? []);
  if (certificates.length === 0) return "no_certificate";
  if (/ENCRYPTED/.test(pem)) return "key_encrypted";
  const [pkcs8] = readBlocks(pem, "PRIVATE KEY");
  if (!pkcs8) return "no_key";
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, RSA, false, ["sign"]).catch(() => undefined);
  if (!key) return "key_not_rsa";
  const sign = async (text: string) =>
    new Uint8Array(await crypto.subtle.sign(RSA.name, key, new TextEncoder().encode(text)));
  const signature = await sign(TRIAL);
  for (const certificate of certificates) if (await fits(certificate, signature)) return { certificate, sign };
  return "key_of_another";
}

/** Whether a certificate is valid and names a company's tax number. */
export function isCertificateValidForTaxId(
  { subject, notBefore, notAfter }: Certificate,
  taxId: string,
  now: number,
): boolean {
  const plain = taxId.toUpperCase().replace(/^ES(?=[A-Z0-9]{9}$)/, "");
  const names = subject.flatMap((text) => text.toUpperCase().match(/[A-Z0-9]+/g) ?? []);
  return notBefore <= now && now <= notAfter && plain !== "" && names.includes(plain);
}

const TRIAL = "trial";

async function fits({ spki }: Certificate, signature: Uint8Array<ArrayBuffer>): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey("spki", spki, RSA, false, ["verify"]);
    return await crypto.subtle.verify(RSA.name, key, signature, new TextEncoder().encode(TRIAL));
  } catch {
    return false;
  }
}

function readBlocks(pem: string, label: string): readonly Uint8Array<ArrayBuffer>[] {
  const blocks = pem.matchAll(new RegExp(`-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----`, "g"));
  return [...blocks].map(([, text = ""]) => new Uint8Array(Buffer.from(text, "base64")));
}

function tryCertificate(der: Uint8Array<ArrayBuffer>): Certificate | undefined {
  try {
    return readCertificate(der);
  } catch {
    return undefined;
  }
}
