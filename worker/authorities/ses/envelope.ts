import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { encodeLatin1 } from "#domain/bytes.ts";
import type { AuthorityCodeEntries } from "#domain/ministry-reports/lists.ts";
import { findDescendant, findOutermostDescendants, getChildText } from "#domain/xml.ts";
import type { SubmissionResponse, SubmittedLotState } from "#worker/authorities/register.ts";
import { parseAuthorityXml, writeElement, writeTextElement } from "#worker/authorities/xml.ts";

const BASE = "http://www.soap.servicios.hospedajes.mir.es/comunicacion";
const FILE = "solicitud.xml";
/** Ministry's code for "lote duplicado": it already has the same content. */
const KNOWN = "10130";
/** Fixed date of the zipped file, so that the same text gives the same bytes. */
const DATED = new Date("2026-01-01T00:00:00Z");

/** Header of a request to the ministry. */
export interface SesRequestHeader {
  readonly lessor: string;
  /** Operation of the request. A: submit. B: withdraw. */
  readonly operation: "A" | "B";
  readonly kind: "RV" | "AV" | undefined;
}

/** Creates a request with reports in its SOAP envelope, zipped and in base64 as the ministry requires. */
export function writeSesRequest({ lessor, operation, kind }: SesRequestHeader, xml: string): string {
  return writeSesEnvelope(
    writeElement(
      "com:comunicacionRequest",
      writeElement(
        "peticion",
        writeElement(
          "cabecera",
          writeTextElement("codigoArrendador", lessor),
          writeTextElement("aplicacion", "rental-platform"),
          writeTextElement("tipoOperacion", operation),
          writeTextElement("tipoComunicacion", kind),
        ),
        writeTextElement("solicitud", packed(xml)),
      ),
    ),
  );
}

/** Creates the request for the states of submitted lots. */
export function writeSesBatchRequest(lots: readonly string[]): string {
  return writeSesEnvelope(
    writeElement(
      "com:consultaLoteRequest",
      writeElement("codigosLote", ...lots.map((lot) => writeTextElement("lote", lot))),
    ),
  );
}

/** Creates the request for one of the ministry's code lists. */
export function writeSesListRequest(list: string): string {
  return writeSesEnvelope(
    writeElement("com:catalogoRequest", writeElement("peticion", writeTextElement("catalogo", list))),
  );
}

/** Parses a list from the ministry: codes and their texts. */
export function readSesListAnswer(text: string): AuthorityCodeEntries {
  return findOutermostDescendants(parseAuthorityXml(text), "tupla").flatMap((xmlElement) => {
    const code = getChildText(xmlElement, "codigo");
    return code ? [[code, getChildText(xmlElement, "descripcion") ?? code] as const] : [];
  });
}

export function writeSesEnvelope(body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${writeElement(
    `soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:com="${BASE}"`,
    writeElement("soapenv:Body", body),
  )}`;
}

function packed(xml: string): string {
  const bytes = zipSync({ [FILE]: strToU8(xml) }, { mtime: DATED });
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** Unzips a text from base64. Undefined if invalid. */
export function unzipBase64(text: string): string | undefined {
  try {
    const bytes = encodeLatin1(atob(text));
    const [file] = Object.values(unzipSync(bytes));
    return file && strFromU8(file);
  } catch {
    return undefined;
  }
}

/** Parses the ministry's response to a request: the accepted lot, or its error. */
export function readSesSubmissionAnswer(text: string): SubmissionResponse {
  const answer = findDescendant(parseAuthorityXml(text), "respuesta");
  const code = getChildText(answer, "codigo") ?? getChildText(answer, "codigoRetorno");
  const lot = getChildText(answer, "lote");
  return code === "0" && lot
    ? { lot, error: undefined, isAlreadyStored: false }
    : {
        lot: undefined,
        error: `${code ?? ""} ${getChildText(answer, "descripcion") ?? ""}`.trim(),
        isAlreadyStored: code === KNOWN,
      };
}

/** Parses the state of lots, each by its name. */
export function readSesLotAnswer(text: string): readonly (SubmittedLotState & { readonly lot: string })[] {
  return findOutermostDescendants(parseAuthorityXml(text), "resultado").map((result) => {
    const state = getChildText(result, "codigoEstado") ?? "";
    const code = getChildText(result, "codigoComunicacion");
    const error = [getChildText(result, "tipoError"), getChildText(result, "error"), getChildText(result, "descEstado")]
      .filter(Boolean)
      .join(" ");
    const works = state === "4" || state === "5";
    return {
      lot: getChildText(result, "lote") ?? "",
      state: works ? "works" : state === "1" ? "done" : "failed",
      code,
      error: error || undefined,
    };
  });
}
