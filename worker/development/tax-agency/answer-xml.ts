import { getChildText, type XmlElement } from "#domain/xml.ts";
import { formatElement, formatTextElement } from "#worker/authorities/xml.ts";
import type { EvaluatedRecord } from "./evaluate.ts";

const BASE = "https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws";
const NAMESPACES = `xmlns:sfR="${BASE}/RespuestaSuministro.xsd" xmlns:sf="${BASE}/SuministroInformacion.xsd"`;

const sf = (name: string, text: string | undefined) => formatTextElement(`sf:${name}`, text);
const sfR = (name: string, text: string | undefined) => formatTextElement(`sfR:${name}`, text);

/** Creates the response to a submission in the agency's format. */
export function writeAnswerXml(
  submission: XmlElement,
  judged: readonly EvaluatedRecord[],
  { csv, at, waitSeconds }: { readonly csv: string; readonly at: string; readonly waitSeconds: number },
): string {
  const taxId = getChildText(submission, "NIF");
  const accepted = judged.filter(({ state }) => state !== "Incorrecto").length;
  const isFullyAccepted = judged.every(({ state }) => state === "Correcto");
  return formatElement(
    `sfR:RespuestaRegFactuSistemaFacturacion ${NAMESPACES}`,
    accepted > 0 && sfR("CSV", csv),
    accepted > 0 &&
      formatElement("sfR:DatosPresentacion", sf("NIFPresentador", taxId), sf("TimestampPresentacion", at)),
    formatElement(
      "sfR:Cabecera",
      formatElement("sf:ObligadoEmision", sf("NombreRazon", getChildText(submission, "NombreRazon")), sf("NIF", taxId)),
    ),
    sfR("TiempoEsperaEnvio", String(waitSeconds)),
    sfR("EstadoEnvio", isFullyAccepted ? "Correcto" : accepted > 0 ? "ParcialmenteCorrecto" : "Incorrecto"),
    ...judged.map(lineXml),
  );
}

function lineXml({ issuer, number, date, kind, state, code, description, known }: EvaluatedRecord): string {
  const stored =
    known === "annulled" ? "Anulada" : known && (known.state === "Correcto" ? "Correcta" : "AceptadaConErrores");
  return formatElement(
    "sfR:RespuestaLinea",
    formatElement(
      "sfR:IDFactura",
      sf("IDEmisorFactura", issuer),
      sf("NumSerieFactura", number),
      sf("FechaExpedicionFactura", date),
    ),
    formatElement("sfR:Operacion", sf("TipoOperacion", kind === "registration" ? "Alta" : "Anulacion")),
    sfR("EstadoRegistro", state),
    sfR("CodigoErrorRegistro", code),
    sfR("DescripcionErrorRegistro", description),
    stored &&
      formatElement(
        "sfR:RegistroDuplicado",
        sf("IdPeticionRegistroDuplicado", "1"),
        sf("EstadoRegistroDuplicado", stored),
      ),
  );
}

/** Creates a fault response. The agency processed no record of the submission. */
export function writeFaultXml(code: string, description: string): string {
  return formatElement(
    "soapenv:Fault",
    formatTextElement("faultcode", "soapenv:Server"),
    formatTextElement("faultstring", `Codigo[${code}].${description}`),
  );
}
