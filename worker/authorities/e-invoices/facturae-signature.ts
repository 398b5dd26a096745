import { writeElement, writeTextElement } from "#worker/authorities/xml.ts";
import type { Signer } from "./signer.ts";

// XAdES-EPES (ETSI TS 101 903) with the signature policy 3.1 of Facturae. The signature is enveloped. It covers the
// document, the certificate and the signed properties.

const C14N = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";
const SHA_256 = "http://www.w3.org/2001/04/xmlenc#sha256";
const XADES = ' xmlns:xades="http://uri.etsi.org/01903/v1.3.2#"';
const SIGNATURE_POLICY = {
  url: "http://www.facturae.es/politica_de_firma_formato_facturae/politica_de_firma_formato_facturae_v3_1.pdf",
  name: "Política de Firma FacturaE v3.1",
  sha1: "Ohixl6upD6av8N7pEvDABhEL6hM=",
} as const;

/** Signing moment, and the id of the signature within its document. */
export interface FacturaeSigning {
  readonly now: number;
  readonly id: string;
}

/** Signs a Facturae document of `writeFacturaeXml`, which is canonical XML (C14N 1.0) after its declaration. */
export async function signFacturae(xml: string, signer: Signer, { now, id }: FacturaeSigning): Promise<string> {
  const [, declaration = "", root = "", namespaces = ""] =
    /^(<\?xml[^>]*\?>)?(<fe:Facturae( [^>]*)>.*<\/fe:Facturae>)$/s.exec(normalizeLines(xml)) ?? [];
  const properties = propertiesXml(signer, await digest(signer.certificate.der), { now, id });
  const keyInfo = keyInfoXml(signer, id);
  const signedInfo = writeElement(
    "ds:SignedInfo",
    empty("ds:CanonicalizationMethod", C14N),
    empty("ds:SignatureMethod", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"),
    referenceXml(`Id="${id}-document" URI=""`, await digest(root), [ENVELOPED]),
    referenceXml(
      `Type="http://uri.etsi.org/01903#SignedProperties" URI="#${id}-properties"`,
      await digest(asApex(properties, namespaces + XADES)),
    ),
    referenceXml(`URI="#${id}-key"`, await digest(asApex(keyInfo, namespaces))),
  );
  const signature = writeElement(
    `ds:Signature Id="${id}"`,
    signedInfo,
    writeTextElement("ds:SignatureValue", toBase64(await signer.sign(asApex(signedInfo, namespaces)))),
    keyInfo,
    writeElement("ds:Object", writeElement(`xades:QualifyingProperties${XADES} Target="#${id}"`, properties)),
  );
  return `${declaration}${root.slice(0, -ROOT_END.length)}${signature}${ROOT_END}`;
}

const ROOT_END = "</fe:Facturae>";
const ENVELOPED = writeElement(
  "ds:Transforms",
  empty("ds:Transform", "http://www.w3.org/2000/09/xmldsig#enveloped-signature"),
);

// Converts line ends to `\n`, like XML parsers do before a digest is computed.
const normalizeLines = (xml: string) => xml.replaceAll(/\r\n?/g, "\n");

// Writes an element without content as start and end tag, because canonical XML has no empty-element tags.
function empty(name: string, algorithm: string): string {
  return writeElement(`${name} Algorithm="${algorithm}"`);
}

/** Adds the namespaces of its parent elements to an element. The canonical form of a document's part requires them. */
const asApex = (xml: string, namespaces: string) => xml.replace(/^<[\w:]+/, (name) => name + namespaces);

function referenceXml(attributes: string, digestValue: string, transforms: readonly string[] = []): string {
  return writeElement(
    `ds:Reference ${attributes}`,
    ...transforms,
    empty("ds:DigestMethod", SHA_256),
    writeTextElement("ds:DigestValue", digestValue),
  );
}

function keyInfoXml({ certificate }: Signer, id: string): string {
  return writeElement(
    `ds:KeyInfo Id="${id}-key"`,
    writeElement("ds:X509Data", writeTextElement("ds:X509Certificate", toBase64(certificate.der))),
  );
}

function propertiesXml({ certificate }: Signer, certificateDigest: string, { now, id }: FacturaeSigning): string {
  return writeElement(
    `xades:SignedProperties Id="${id}-properties"`,
    writeElement(
      "xades:SignedSignatureProperties",
      writeTextElement("xades:SigningTime", new Date(now).toISOString().replace(/\.\d+Z$/, "Z")),
      writeElement(
        "xades:SigningCertificate",
        writeElement(
          "xades:Cert",
          writeElement(
            "xades:CertDigest",
            empty("ds:DigestMethod", SHA_256),
            writeTextElement("ds:DigestValue", certificateDigest),
          ),
          writeElement(
            "xades:IssuerSerial",
            writeTextElement("ds:X509IssuerName", certificate.issuer),
            writeTextElement("ds:X509SerialNumber", String(certificate.serialNumber)),
          ),
        ),
      ),
      policyXml(),
      writeElement(
        "xades:SignerRole",
        writeElement("xades:ClaimedRoles", writeTextElement("xades:ClaimedRole", "supplier")),
      ),
    ),
    writeElement(
      "xades:SignedDataObjectProperties",
      writeElement(
        `xades:DataObjectFormat ObjectReference="#${id}-document"`,
        writeTextElement("xades:Description", "Factura electrónica"),
        writeTextElement("xades:MimeType", "text/xml"),
      ),
    ),
  );
}

function policyXml(): string {
  return writeElement(
    "xades:SignaturePolicyIdentifier",
    writeElement(
      "xades:SignaturePolicyId",
      writeElement(
        "xades:SigPolicyId",
        writeTextElement("xades:Identifier", SIGNATURE_POLICY.url),
        writeTextElement("xades:Description", SIGNATURE_POLICY.name),
      ),
      writeElement(
        "xades:SigPolicyHash",
        empty("ds:DigestMethod", "http://www.w3.org/2000/09/xmldsig#sha1"),
        writeTextElement("ds:DigestValue", SIGNATURE_POLICY.sha1),
      ),
    ),
  );
}

async function digest(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return toBase64(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
