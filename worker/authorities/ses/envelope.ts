import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { encodeLatin1 } from "#domain/bytes.ts";
import type { AuthorityCodeEntries } from "#domain/ministry-reports/lists.ts";
import { findDescendant, findOutermostDescendants, getChildText } from "#domain/xml.ts";
import type { SubmissionResponse, SubmittedLotState } from "#worker/authorities/register.ts";
import { parseAuthorityXml, writeElement, writeTextElement } from "#worker/authorities/xml.ts";

const BASE = "http://www.soap.servicios.hospedajes.mir.es/comunicacion";
const FILE = "solicitud.xml";
/** Code for "lote duplicado": the ministry already has this content. Its manuals disagree, so check the text too. */
const KNOWN = "10130";
const KNOWN_TEXT = /lote duplicado/i;
/** Errors of the access or the service: lessor unknown, web service not enabled, unexpected error. */
const PASSING_CODES = ["10103", "10120", "10999"];
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
  const { code, description, lot } = readOutcome(text);
  if (code === "0" && lot) return { lot, error: undefined, isAlreadyStored: false, mayPass: false };
  const isAlreadyStored = code === KNOWN || KNOWN_TEXT.test(description);
  const error = `${code ?? ""} ${description}`.trim();
  return { lot: undefined, error, isAlreadyStored, mayPass: !isAlreadyStored && isPassing(code) };
}

/** Returns the error of a query's response if it concerns the access or the service, otherwise undefined. */
export function findSesAccessError(text: string): string | undefined {
  const { code, description } = readOutcome(text);
  return code !== "0" && isPassing(code) ? `${code ?? ""} ${description}`.trim() : undefined;
}

// Whether a later attempt may succeed. Without a five-digit code, the ministry hasn't decided on the content.
function isPassing(code: string | undefined): boolean {
  return code === undefined || !/^\d{5}$/.test(code) || PASSING_CODES.includes(code);
}

function readOutcome(text: string) {
  const document = parseAuthorityXml(text);
  const answer = findDescendant(document, "respuesta") ?? findDescendant(document, "resultado");
  const code = getChildText(answer, "codigo") ?? getChildText(answer, "codigoRetorno");
  const description = getChildText(answer, "descripcion") ?? getChildText(document, "faultstring") ?? "";
  return { code, description, lot: getChildText(answer, "lote") };
}

// States of a lot in the ministry's manual.
const LOT_STATES: Readonly<Record<string, SubmittedLotState["state"]>> = {
  "1": "done",
  "2": "failed",
  "3": "failed",
  "4": "works",
  "5": "works",
  "6": "failed",
};

/** Parses the state of lots, each by its name. Keeps the literal of an unknown state. */
export function readSesLotAnswer(text: string): readonly (SubmittedLotState & { readonly lot: string })[] {
  return findOutermostDescendants(parseAuthorityXml(text), "resultado").map((result) => {
    const literal = getChildText(result, "codigoEstado") ?? "";
    const state = LOT_STATES[literal];
    const code = getChildText(result, "codigoComunicacion");
    const error = [getChildText(result, "tipoError"), getChildText(result, "error"), getChildText(result, "descEstado")]
      .filter(Boolean)
      .join(" ");
    const lot = getChildText(result, "lote") ?? "";
    if (state === undefined) return { lot, state: "works", code: undefined, error: `${literal} ${error}`.trim() };
    return { lot, state, code, error: state === "works" ? undefined : error || undefined };
  });
}
