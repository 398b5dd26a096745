import { describe, expect, test, vi } from "vitest";
import { COMPANY_PKCS12, LEGACY_ENCRYPTION_PKCS12 } from "#support/pkcs12.ts";
import { openPkcs12 } from "#worker/authorities/e-invoices/pkcs12.ts";
import { isCertificateValidForTaxId, openSigner } from "#worker/authorities/e-invoices/signer.ts";

const toBytes = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"));
const NOW = Date.UTC(2026, 11, 1);

describe("a file with certificate and key", () => {
  test("reads the company's certificate and key from a PKCS #12 file, and ignores the issuer's certificate", async () => {
    const pem = await openPkcs12(toBytes(COMPANY_PKCS12), "clave");
    const signer = await openSigner(String(pem));
    if (typeof signer === "string") throw new Error(signer);
    expect(isCertificateValidForTaxId(signer.certificate, "B12345674", NOW)).toBe(true);
  });

  // Proves "office.md: settings": Signing certificate: password, encryption, key and tax number are named
  test("rejects a PKCS #12 file with another password or outdated encryption, and files of other types", async () => {
    expect(await openPkcs12(toBytes(COMPANY_PKCS12), "Clave")).toEqual({ problem: "wrong_password" });
    expect(await openPkcs12(toBytes(LEGACY_ENCRYPTION_PKCS12), "clave")).toEqual({ problem: "outdated_encryption" });
    for (const other of ["", "MA==", "MIIB", "AAAAAAAA", "MAMCAQM=", "MIAwgDCAMIAwgA=="])
      expect(await openPkcs12(toBytes(other), "clave")).toEqual({ problem: "unreadable" });
  });

  test("rejects a PKCS #12 file of thousands of elements of unknown length, without copying the rest for each", async () => {
    // As many as the interface accepts.
    const elements = 24_000;
    const file = new Uint8Array(2 + 4 * elements).fill(0);
    file.set([0x30, 0x80]);
    for (let at = 2; at < file.length; at += 4) file.set([0x24, 0x80], at);
    const before = process.memoryUsage().arrayBuffers;
    expect(await openPkcs12(file, "clave")).toEqual({ problem: "unreadable" });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * file.length);
  });

  // Proves "security.md": A74
  test("rejects a PKCS #12 file that needs many keys derived from its password", async () => {
    const deriveKey = vi.spyOn(crypto.subtle, "deriveKey");
    expect(await openPkcs12(repeatContents(toBytes(COMPANY_PKCS12), 50), "clave")).toEqual({ problem: "unreadable" });
    expect(deriveKey.mock.calls.length).toBeLessThanOrEqual(10);
    deriveKey.mockRestore();
    expect(await openPkcs12(repeatContents(toBytes(COMPANY_PKCS12), 2), "clave")).toContain("PRIVATE KEY");
  });

  test("returns a problem instead of an exception for a damaged PKCS #12 file", async () => {
    const file = toBytes(COMPANY_PKCS12);
    for (let position = 0; position < 120; position += 1) {
      const damaged = file.slice();
      damaged[position] = (damaged[position] ?? 0) ^ 0xff;
      const opened = await openPkcs12(damaged, "clave");
      expect(typeof opened === "string" || typeof opened.problem === "string").toBe(true);
    }
  });
});

/** Wraps DER content into an element. */
function wrap(tag: number, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const length = content.length;
  return new Uint8Array([tag, 0x83, length >> 16, (length >> 8) & 0xff, length & 0xff, ...content]);
}

/** Builds a file with the encrypted contents of another one several times. */
function repeatContents(file: Uint8Array, times: number): Uint8Array<ArrayBuffer> {
  // The file's header, and those of the data, of its octets and of the sequence within, have lengths of two bytes.
  const version = file.subarray(4, 7);
  const type = file.subarray(11, 22);
  const octets = 22 + 4 + 4;
  const length = ((file[octets + 2] ?? 0) << 8) + (file[octets + 3] ?? 0);
  const contents = file.subarray(octets + 4, octets + 4 + length);
  const repeated = new Uint8Array(contents.length * times);
  for (let index = 0; index < times; index += 1) repeated.set(contents, index * contents.length);
  const data = wrap(0x30, new Uint8Array([...type, ...wrap(0xa0, wrap(0x04, wrap(0x30, repeated)))]));
  return wrap(0x30, new Uint8Array([...version, ...data]));
}
