import { getChildText, type XmlElement } from "#domain/xml.ts";
import { writeElement, writeTextElement } from "#worker/authorities/xml.ts";
import type { EvaluatedRecord } from "./evaluate.ts";

const BASE = "https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws";
const NAMESPACES = `xmlns:sfR="${BASE}/RespuestaSuministro.xsd" xmlns:sf="${BASE}/SuministroInformacion.xsd"`;

const sf = (name: string, text: string | undefined) => writeTextElement(`sf:${name}`, text);
const sfR = (name: string, text: string | undefined) => writeTextElement(`sfR:${name}`, text);

/** Creates the response to a submission in the agency's format. */
export function writeSubmissionAnswerXml(
  submission: XmlElement,
  evaluatedRecords: readonly EvaluatedRecord[],
  { csv, at, waitSeconds }: { readonly csv: string; readonly at: string; readonly waitSeconds: number },
): string {
  const taxId = getChildText(submission, "NIF");
  const accepted = evaluatedRecords.filter(({ state }) => state !== "Incorrecto").length;
  const isFullyAccepted = evaluatedRecords.every(({ state }) => state === "Correcto");
  return writeElement(
    `sfR:RespuestaRegFactuSistemaFacturacion ${NAMESPACES}`,
    accepted > 0 && sfR("CSV", csv),
    accepted > 0 && writeElement("sfR:DatosPresentacion", sf("NIFPresentador", taxId), sf("TimestampPresentacion", at)),
    writeElement(
      "sfR:Cabecera",
      writeElement("sf:ObligadoEmision", sf("NombreRazon", getChildText(submission, "NombreRazon")), sf("NIF", taxId)),
    ),
    sfR("TiempoEsperaEnvio", String(waitSeconds)),
    sfR("EstadoEnvio", isFullyAccepted ? "Correcto" : accepted > 0 ? "ParcialmenteCorrecto" : "Incorrecto"),
    ...evaluatedRecords.map(lineXml),
  );
}

function lineXml({ issuer, number, date, kind, state, code, description, known }: EvaluatedRecord): string {
  const stored =
    known === "annulled" ? "Anulada" : known && (known.state === "Correcto" ? "Correcta" : "AceptadaConErrores");
  return writeElement(
    "sfR:RespuestaLinea",
    writeElement(
      "sfR:IDFactura",
      sf("IDEmisorFactura", issuer),
      sf("NumSerieFactura", number),
      sf("FechaExpedicionFactura", date),
    ),
    writeElement("sfR:Operacion", sf("TipoOperacion", kind === "registration" ? "Alta" : "Anulacion")),
    sfR("EstadoRegistro", state),
    sfR("CodigoErrorRegistro", code),
    sfR("DescripcionErrorRegistro", description),
    stored &&
      writeElement(
        "sfR:RegistroDuplicado",
        sf("IdPeticionRegistroDuplicado", "1"),
        sf("EstadoRegistroDuplicado", stored),
      ),
  );
}

/** Creates a fault response. The agency processed no record of the submission. */
export function writeSoapFaultXml(code: string, description: string): string {
  return writeElement(
    "soapenv:Fault",
    writeTextElement("faultcode", "soapenv:Server"),
    writeTextElement("faultstring", `Codigo[${code}].${description}`),
  );
}
