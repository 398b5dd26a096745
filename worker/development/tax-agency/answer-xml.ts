import { getChildText, type XmlElement } from "#domain/xml.ts";
import { leaf, node } from "#worker/authorities/xml.ts";
import type { Judged } from "./evaluate.ts";

const BASE = "https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws";
const NAMESPACES = `xmlns:sfR="${BASE}/RespuestaSuministro.xsd" xmlns:sf="${BASE}/SuministroInformacion.xsd"`;

const sf = (name: string, text: string | undefined) => leaf(`sf:${name}`, text);
const sfR = (name: string, text: string | undefined) => leaf(`sfR:${name}`, text);

/** Creates the response to a submission in the agency's format. */
export function answerXml(
  submission: XmlElement,
  judged: readonly Judged[],
  { csv, at, waitSeconds }: { readonly csv: string; readonly at: string; readonly waitSeconds: number },
): string {
  const taxId = getChildText(submission, "NIF");
  const accepted = judged.filter(({ state }) => state !== "Incorrecto").length;
  const isFullyAccepted = judged.every(({ state }) => state === "Correcto");
  return node(
    `sfR:RespuestaRegFactuSistemaFacturacion ${NAMESPACES}`,
    accepted > 0 && sfR("CSV", csv),
    accepted > 0 && node("sfR:DatosPresentacion", sf("NIFPresentador", taxId), sf("TimestampPresentacion", at)),
    node(
      "sfR:Cabecera",
      node("sf:ObligadoEmision", sf("NombreRazon", getChildText(submission, "NombreRazon")), sf("NIF", taxId)),
    ),
    sfR("TiempoEsperaEnvio", String(waitSeconds)),
    sfR("EstadoEnvio", isFullyAccepted ? "Correcto" : accepted > 0 ? "ParcialmenteCorrecto" : "Incorrecto"),
    ...judged.map(lineXml),
  );
}

function lineXml({ issuer, number, date, kind, state, code, description, known }: Judged): string {
  const stored =
    known === "annulled" ? "Anulada" : known && (known.state === "Correcto" ? "Correcta" : "AceptadaConErrores");
  return node(
    "sfR:RespuestaLinea",
    node(
      "sfR:IDFactura",
      sf("IDEmisorFactura", issuer),
      sf("NumSerieFactura", number),
      sf("FechaExpedicionFactura", date),
    ),
    node("sfR:Operacion", sf("TipoOperacion", kind === "registration" ? "Alta" : "Anulacion")),
    sfR("EstadoRegistro", state),
    sfR("CodigoErrorRegistro", code),
    sfR("DescripcionErrorRegistro", description),
    stored &&
      node("sfR:RegistroDuplicado", sf("IdPeticionRegistroDuplicado", "1"), sf("EstadoRegistroDuplicado", stored)),
  );
}

/** Creates a fault response. The agency processed no record of the submission. */
export function faultXml(code: string, description: string): string {
  return node(
    "soapenv:Fault",
    leaf("faultcode", "soapenv:Server"),
    leaf("faultstring", `Codigo[${code}].${description}`),
  );
}
