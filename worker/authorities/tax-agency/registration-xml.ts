import { toTaxAgencyCountry } from "#domain/tax-records/agency-countries.ts";
import { toTaxAgencyText } from "#domain/tax-records/recipient.ts";
import {
  type AnnulmentRecord,
  type InvoiceId,
  parseHashedText,
  type Recipient,
  type RecordingSystem,
  type RegistrationRecord,
  type TaxLine,
  type TaxRecordContent,
  toTaxAgencyDate,
} from "#domain/tax-records/records.ts";
import { writeElement, writeTextElement } from "#worker/authorities/xml.ts";

/** Producer of the software, as included in each record. */
export interface TaxSoftwareProducer {
  readonly name: string;
  readonly taxId: string;
  readonly systemName: string;
  /** Id that the producer gave to the software: two capitals or digits. */
  readonly systemId: string;
}

/** Tax record as stored, with its hash and the record before it in the chain. */
export interface StoredTaxRecord {
  readonly content: TaxRecordContent;
  /** Text from which the hash is computed. */
  readonly hashed: string;
  readonly hash: string;
  readonly previous: (InvoiceId & { readonly hash: string }) | undefined;
}

/** Issuer whose tax records are sent, and whether the submission is late. */
export interface TaxSubmissionHeader {
  readonly issuer: { readonly name: string; readonly taxId: string };
  /** Whether a problem prevented timely submission. */
  readonly isIncident: boolean;
}

const BASE = "https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws";
const NAMESPACES = `xmlns:lr="${BASE}/SuministroLR.xsd" xmlns:si="${BASE}/SuministroInformacion.xsd"`;

const si = (name: string, text: string | undefined) => writeTextElement(`si:${name}`, text);
const group = (name: string, ...children: readonly (string | undefined | false)[]) =>
  writeElement(`si:${name}`, ...children);

/** Creates the submission of records in chain order: at most 1000, of one taxpayer. */
export function writeSubmissionXml(
  submission: TaxSubmissionHeader,
  records: readonly StoredTaxRecord[],
  producer: TaxSoftwareProducer,
): string {
  const { issuer, isIncident } = submission;
  return writeElement(
    `lr:RegFactuSistemaFacturacion ${NAMESPACES}`,
    writeElement(
      "lr:Cabecera",
      group("ObligadoEmision", si("NombreRazon", issuer.name), si("NIF", issuer.taxId)),
      isIncident && group("RemisionVoluntaria", si("Incidencia", "S")),
    ),
    ...records.map((record) => writeElement("lr:RegistroFactura", recordXml(record, producer))),
  );
}

function recordXml(record: StoredTaxRecord, producer: TaxSoftwareProducer): string {
  const { content } = record;
  return content.kind === "registration"
    ? registrationXml(content, record, producer)
    : annulmentXml(content, record, producer);
}

// Element order of the agency's schema.
function registrationXml(content: RegistrationRecord, record: StoredTaxRecord, producer: TaxSoftwareProducer): string {
  const { id, corrected, replaced, recipient } = content;
  return group(
    "RegistroAlta",
    si("IDVersion", "1.0"),
    group(
      "IDFactura",
      si("IDEmisorFactura", id.issuer),
      si("NumSerieFactura", id.number),
      si("FechaExpedicionFactura", toTaxAgencyDate(id.date)),
    ),
    si("NombreRazonEmisor", content.issuerName),
    content.amends && si("Subsanacion", "S"),
    si("RechazoPrevio", content.priorRefusal),
    si("TipoFactura", content.type),
    content.type.startsWith("R") && si("TipoRectificativa", "I"),
    corrected &&
      group("FacturasRectificadas", ...corrected.map((invoiceId) => invoiceXml("IDFacturaRectificada", invoiceId))),
    replaced &&
      group("FacturasSustituidas", ...replaced.map((invoiceId) => invoiceXml("IDFacturaSustituida", invoiceId))),
    si("DescripcionOperacion", content.description),
    recipient && group("Destinatarios", recipientXml(recipient)),
    group("Desglose", ...content.lines.map(lineXml)),
    si("CuotaTotal", content.taxTotal),
    si("ImporteTotal", content.total),
    ...endXml(record, content.system, producer),
  );
}

function annulmentXml(content: AnnulmentRecord, record: StoredTaxRecord, producer: TaxSoftwareProducer): string {
  const { id } = content;
  return group(
    "RegistroAnulacion",
    si("IDVersion", "1.0"),
    group(
      "IDFactura",
      si("IDEmisorFacturaAnulada", id.issuer),
      si("NumSerieFacturaAnulada", id.number),
      si("FechaExpedicionFacturaAnulada", toTaxAgencyDate(id.date)),
    ),
    content.hasNoPrior && si("SinRegistroPrevio", "S"),
    si("RechazoPrevio", content.priorRefusal),
    ...endXml(record, content.system, producer),
  );
}

function invoiceXml(name: string, { issuer, number, date }: InvoiceId): string {
  return group(
    name,
    si("IDEmisorFactura", issuer),
    si("NumSerieFactura", number),
    si("FechaExpedicionFactura", toTaxAgencyDate(date)),
  );
}

function recipientXml(recipient: Recipient): string {
  const recipientId =
    "taxId" in recipient
      ? si("NIF", recipient.taxId)
      : group(
          "IDOtro",
          // A VAT number has its country in its prefix, which differs for Greece and Northern Ireland (1122).
          si("CodigoPais", recipient.idType === "02" ? undefined : toTaxAgencyCountry(recipient.country)),
          si("IDType", recipient.idType),
          si("ID", recipient.id),
        );
  return group("IDDestinatario", si("NombreRazon", recipient.name), recipientId);
}

function lineXml({ tax, regime, operation, rate, base, amount }: TaxLine): string {
  return group(
    "DetalleDesglose",
    si("Impuesto", tax),
    si("ClaveRegimen", regime),
    si(operation.startsWith("E") ? "OperacionExenta" : "CalificacionOperacion", operation),
    si("TipoImpositivo", rate),
    si("BaseImponibleOimporteNoSujeto", base),
    si("CuotaRepercutida", amount),
  );
}

function endXml({ hashed, hash, previous }: StoredTaxRecord, system: RecordingSystem, producer: TaxSoftwareProducer) {
  return [
    group(
      "Encadenamiento",
      previous
        ? group(
            "RegistroAnterior",
            si("IDEmisorFactura", previous.issuer),
            si("NumSerieFactura", previous.number),
            si("FechaExpedicionFactura", toTaxAgencyDate(previous.date)),
            si("Huella", previous.hash),
          )
        : si("PrimerRegistro", "S"),
    ),
    group(
      "SistemaInformatico",
      si("NombreRazon", toTaxAgencyText(producer.name)),
      si("NIF", producer.taxId),
      si("NombreSistemaInformatico", producer.systemName),
      si("IdSistemaInformatico", producer.systemId),
      si("Version", system.version),
      si("NumeroInstalacion", system.installation),
      si("TipoUsoPosibleSoloVerifactu", "S"),
      si("TipoUsoPosibleMultiOT", "S"),
      si("IndicadorMultiplesOT", system.hasSeveralTaxpayers ? "S" : "N"),
    ),
    si("FechaHoraHusoGenRegistro", parseHashedText(hashed)["FechaHoraHusoGenRegistro"]),
    si("TipoHuella", "01"),
    si("Huella", hash),
  ] as const;
}

/** Wraps a message in a SOAP 1.1 envelope. */
export function wrapInSoapEnvelope(body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Header/><soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`;
}
