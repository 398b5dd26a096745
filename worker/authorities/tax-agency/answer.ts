import { findDescendant, findOutermostDescendants, getChildText, type XmlElement } from "#domain/xml.ts";
import { NotXmlError, parseAuthorityXml } from "#worker/authorities/xml.ts";

/** Agency's response for one record. */
export interface TaxRecordAnswer {
  readonly number: string;
  readonly state: "accepted" | "accepted_with_errors" | "refused";
  readonly isAnnulment: boolean;
  readonly code: string | undefined;
  readonly description: string | undefined;
  /** Agency's earlier result, if it already has the record. */
  readonly known: "accepted" | "accepted_with_errors" | "annulled" | undefined;
}

/** Agency's response to a submission. */
export type TaxAgencyAnswer =
  | {
      readonly kind: "answered";
      readonly csv: string | undefined;
      /** Wait before the next submission. If undefined, unchanged. */
      readonly waitSeconds: number | undefined;
      readonly records: readonly TaxRecordAnswer[];
    }
  /** The full submission was rejected without processing any record. */
  | { readonly kind: "fault"; readonly code: string | undefined; readonly description: string };

const STATES: Readonly<Record<string, TaxRecordAnswer["state"]>> = {
  Correcto: "accepted",
  AceptadoConErrores: "accepted_with_errors",
  Incorrecto: "refused",
};
const KNOWN: Readonly<Record<string, NonNullable<TaxRecordAnswer["known"]>>> = {
  Correcta: "accepted",
  Correcto: "accepted",
  AceptadaConErrores: "accepted_with_errors",
  AceptadoConErrores: "accepted_with_errors",
  Anulada: "annulled",
  Anulado: "annulled",
};

/** Parses a response of the agency, with any prefixes. Throws `NotXmlError` if invalid. */
export function readTaxAgencyAnswer(text: string): TaxAgencyAnswer {
  const document = parseAuthorityXml(text);
  const fault = findDescendant(document, "Fault");
  if (fault) {
    const description = getChildText(fault, "faultstring") ?? "fault";
    return { kind: "fault", code: /\b(\d{3,5})\b/.exec(description)?.[1], description };
  }
  const answer = findDescendant(document, "RespuestaRegFactuSistemaFacturacion");
  if (!answer) throw new NotXmlError("no answer of the tax agency");
  const wait = Number(getChildText(answer, "TiempoEsperaEnvio"));
  return {
    kind: "answered",
    csv: getChildText(answer, "CSV"),
    waitSeconds: Number.isInteger(wait) && wait > 0 ? wait : undefined,
    records: findOutermostDescendants(answer, "RespuestaLinea").map(readLine),
  };
}

function readLine(line: XmlElement): TaxRecordAnswer {
  return {
    number: getChildText(line, "NumSerieFactura") ?? "",
    state: STATES[getChildText(line, "EstadoRegistro") ?? ""] ?? "refused",
    isAnnulment: getChildText(line, "TipoOperacion") === "Anulacion",
    code: getChildText(line, "CodigoErrorRegistro"),
    description: getChildText(line, "DescripcionErrorRegistro"),
    known: KNOWN[getChildText(findDescendant(line, "RegistroDuplicado"), "EstadoRegistroDuplicado") ?? ""],
  };
}
