import { describe, expect, test } from "vitest";
import { COMPANY_PKCS12, OUTDATED_PKCS12 } from "#support/pkcs12.ts";
import { openPkcs12 } from "#worker/authorities/e-invoices/pkcs12.ts";
import { canSignFor, openSigner } from "#worker/authorities/e-invoices/signer.ts";

const toBytes = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"));
const NOW = Date.UTC(2026, 11, 1);

describe("a file with certificate and key", () => {
  test("contains the signer of the company, with the certificate of the issuer ignored", async () => {
    const pem = await openPkcs12(toBytes(COMPANY_PKCS12), "clave");
    const signer = await openSigner(String(pem));
    if (typeof signer === "string") throw new Error(signer);
    expect(canSignFor(signer.certificate, "B12345674", NOW)).toBe(true);
  });

  test("refuses another password, outdated encryption and other files", async () => {
    expect(await openPkcs12(toBytes(COMPANY_PKCS12), "Clave")).toEqual({ problem: "wrong_password" });
    expect(await openPkcs12(toBytes(OUTDATED_PKCS12), "clave")).toEqual({ problem: "outdated_encryption" });
    for (const other of ["", "MA==", "MIIB", "AAAAAAAA", "MAMCAQM=", "MIAwgDCAMIAwgA=="])
      expect(await openPkcs12(toBytes(other), "clave")).toEqual({ problem: "unreadable" });
  });

  test("never throws for a damaged file", async () => {
    const file = toBytes(COMPANY_PKCS12);
    for (let position = 0; position < 120; position += 1) {
      const damaged = file.slice();
      damaged[position] = (damaged[position] ?? 0) ^ 0xff;
      const opened = await openPkcs12(damaged, "clave");
      expect(typeof opened === "string" || typeof opened.problem === "string").toBe(true);
    }
  });
});
