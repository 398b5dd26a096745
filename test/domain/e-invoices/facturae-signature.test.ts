import { createHash, createPublicKey, generateKeyPairSync, verify, X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { toEInvoice } from "#domain/e-invoices/e-invoice.ts";
import { createDocumentForEInvoice } from "#support/e-invoices.ts";
import { COMPANY_CERTIFICATE, COMPANY_KEY, COMPANY_PEM } from "#support/signing-certificate.ts";
import { signFacturae } from "#worker/authorities/e-invoices/facturae-signature.ts";
import { isCertificateValidForTaxId, openSigner, type Signer } from "#worker/authorities/e-invoices/signer.ts";
import { writeEInvoice } from "#worker/authorities/e-invoices/write.ts";

const NOW = Date.UTC(2026, 11, 1, 10);
const DS = 'xmlns:ds="http://www.w3.org/2000/09/xmldsig#"';
const FE = 'xmlns:fe="http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml"';
const XADES = 'xmlns:xades="http://uri.etsi.org/01903/v1.3.2#"';
const facturae = (changes: Parameters<typeof createDocumentForEInvoice>[0] = {}) =>
  writeEInvoice("facturae", toEInvoice(createDocumentForEInvoice(changes)));

async function open(pem = COMPANY_PEM): Promise<Signer> {
  const signer = await openSigner(pem);
  if (typeof signer === "string") throw new Error(signer);
  return signer;
}

const sign = async (xml = facturae()) => signFacturae(xml, await open(), { now: NOW, id: "Signature-7" });

/** Returns an element with its tags. */
function extractElement(xml: string, name: string): string {
  const [element] = new RegExp(`<${name}[ >].*</${name}>`, "s").exec(xml) ?? [""];
  return element;
}
const read = (xml: string, name: string) => extractElement(xml, name).replace(/^<[^>]*>|<[^>]*>$/g, "");
const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("base64");
/** Adds the namespaces that an element inherits, in the order of canonical XML. */
const inherit = (element: string, ...namespaces: readonly string[]) =>
  element.replace(/^<[\w:]+/, (start) => [start, ...namespaces].join(" "));

/** Lists what a reader of the signature finds wrong. Computes every digest again. */
function findFaults(signed: string): readonly string[] {
  const signature = extractElement(signed, "ds:Signature");
  const signedInfo = extractElement(signature, "ds:SignedInfo");
  const document = signed.replace(signature, "").replace(/^<\?xml[^>]*\?>/, "");
  const digests = [...signedInfo.matchAll(/<ds:DigestValue>([^<]*)</g)].map(([, value]) => value);
  const certificate = Buffer.from(read(signature, "ds:X509Certificate"), "base64");
  const properties = extractElement(signature, "xades:SignedProperties");
  const value = Buffer.from(read(signature, "ds:SignatureValue"), "base64");
  const isSigned = verify(
    "sha256",
    Buffer.from(inherit(signedInfo, DS, FE)),
    new X509Certificate(certificate).publicKey,
    value,
  );
  return [
    ...(digests[0] === sha256(document) ? [] : ["document"]),
    ...(digests[1] === sha256(inherit(properties, DS, FE, XADES)) ? [] : ["properties"]),
    ...(digests[2] === sha256(inherit(extractElement(signature, "ds:KeyInfo"), DS, FE)) ? [] : ["key"]),
    ...(read(read(properties, "xades:CertDigest"), "ds:DigestValue") === sha256(certificate) ? [] : ["certificate"]),
    ...(isSigned ? [] : ["signature"]),
  ];
}

describe("the signature of a Facturae", () => {
  // Proves "office.md: the vehicles of a contract": Facturae: XAdES-EPES, digests and signature computed again
  test("signs a Facturae with a signature valid for document, properties, key and certificate", async () => {
    expect(findFaults(await sign())).toEqual([]);
  });

  test.each([
    ["document", ">Fiat 500<", ">Fiat 501<"],
    ["properties", "2026-12-01T10:00:00Z", "2026-12-02T10:00:00Z"],
    ["signature", "#Signature-7-key", "#Signature-8-key"],
  ])("detects a change after signing a Facturae: %s", async (fault, before, after) => {
    const changed = (await sign()).replace(before, after);
    expect(findFaults(changed)).toEqual([fault]);
  });

  test("signs special letters and line breaks of a Facturae as XML readers see them", async () => {
    const signed = await sign(facturae({ concept: 'Vehículo & <"remolque">\r\nsegundo' }));
    expect(signed).toContain('Vehículo &amp; &lt;"remolque"&gt;\nsegundo');
    expect(findFaults(signed)).toEqual([]);
  });

  test("names Facturae's signature policy 3.1, the time, the role and the certificate", async () => {
    const signed = await sign();
    expect(read(signed, "xades:SigPolicyId")).toContain("politica_de_firma_formato_facturae_v3_1.pdf<");
    expect(read(signed, "xades:SigPolicyHash")).toContain("<ds:DigestValue>Ohixl6upD6av8N7pEvDABhEL6hM=<");
    expect(read(signed, "xades:SigningTime")).toBe("2026-12-01T10:00:00Z");
    expect(read(signed, "xades:ClaimedRole")).toBe("supplier");
    expect(read(signed, "ds:X509SerialNumber")).toBe(
      String(BigInt(`0x${new X509Certificate(COMPANY_CERTIFICATE).serialNumber}`)),
    );
    // Types without a short name of RFC 4514 are numbers with their DER.
    expect(read(signed, "ds:X509IssuerName")).toBe(
      "CN=AC Prueba Ñ,2.5.4.97=#0c0f56415445532d423837363534333231,O=Certificados de Prueba\\, S.L.,C=ES",
    );
  });

  test("adds the signature as the last element of an otherwise unchanged document", async () => {
    const xml = facturae();
    const signed = await sign(xml);
    expect(signed.replace(extractElement(signed, "ds:Signature"), "")).toBe(xml);
    expect(signed.endsWith("</ds:Signature></fe:Facturae>")).toBe(true);
  });
});

describe("a certificate", () => {
  test("reads the company's certificate from a file that also contains its authorities' certificates", async () => {
    const { certificate } = await open();
    const expected = new X509Certificate(COMPANY_CERTIFICATE);
    expect([certificate.notBefore, certificate.notAfter]).toEqual([
      Date.parse(expected.validFrom),
      Date.parse(expected.validTo),
    ]);
    const publicKey = createPublicKey({ key: Buffer.from(certificate.spki), format: "der", type: "spki" });
    expect(publicKey.equals(expected.publicKey)).toBe(true);
  });

  test.each([
    ["B12345674", NOW, true],
    ["ESB12345674", NOW, true],
    ["b12345674", NOW, true],
    ["B1234567", NOW, false],
    ["A58818501", NOW, false],
    ["", NOW, false],
    ["B12345674", Date.UTC(2019, 11, 31), false],
    ["B12345674", Date.UTC(2127, 0, 1), false],
  ])("decides whether a certificate may sign for a tax number while it is valid: %s", async (taxId, now, isRight) => {
    expect(isCertificateValidForTaxId((await open()).certificate, taxId, now)).toBe(isRight);
  });

  test.each([
    ["no_certificate", "a letter"],
    ["no_certificate", COMPANY_KEY],
    ["no_certificate", `-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n${COMPANY_KEY}`],
    ["no_key", COMPANY_CERTIFICATE],
    ["key_encrypted", `${COMPANY_CERTIFICATE}${COMPANY_KEY.replaceAll("PRIVATE", "ENCRYPTED PRIVATE")}`],
    ["key_not_rsa", `${COMPANY_CERTIFICATE}${newKey("ec")}`],
    ["key_of_another", `${COMPANY_CERTIFICATE}${newKey("rsa")}`],
  ])("rejects a certificate file without its own RSA key: %s", async (problem, pem) => {
    expect(await openSigner(pem)).toBe(problem);
  });

  test("reads a certificate with spaces instead of line breaks, as a form stores it", async () => {
    expect(typeof (await openSigner(COMPANY_PEM.replaceAll("\n", " ")))).toBe("object");
  });
});

function newKey(kind: "ec" | "rsa"): string {
  const format = { type: "pkcs8", format: "pem" } as const;
  const { privateKey } =
    kind === "ec"
      ? generateKeyPairSync("ec", { namedCurve: "P-256" })
      : generateKeyPairSync("rsa", { modulusLength: 2048 });
  return String(privateKey.export(format));
}
