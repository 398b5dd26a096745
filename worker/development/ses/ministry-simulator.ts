import { findDescendant, findOutermostDescendants, getChildText, type XmlElement } from "#domain/xml.ts";
import { unzipBase64, writeSesEnvelope } from "#worker/authorities/ses/envelope.ts";
import { NotXmlError, parseAuthorityXml, writeElement, writeTextElement } from "#worker/authorities/xml.ts";
import { simulateCodeListAnswer } from "./catalogue.ts";

/** Report to the ministry that the simulator has stored. */
export interface SimulatedMinistryReport {
  readonly code: string;
  readonly kind: string;
  readonly reference: string;
  readonly isAnnulled: boolean;
}

/** Simulator's data of a company: its reports, and the state of each lot. */
export interface SimulatedMinistryData {
  readonly ministryReports: readonly SimulatedMinistryReport[];
  readonly lots: readonly {
    readonly lot: string;
    readonly text: string;
    /** Operation of the last request. A: submitted. B: withdrawn. */
    readonly operation: string;
    readonly kind: string;
    readonly at: string;
    readonly code?: string;
    readonly error?: string;
  }[];
}

const FOLDER = "stand-in/ses";
const getStorageKey = (lessor: string) => `${FOLDER}/${lessor}.json`;
const FAULT = `${FOLDER}/fault.txt`;

export async function readSimulatedMinistryData(files: R2Bucket, lessor: string): Promise<SimulatedMinistryData> {
  const storedFile = await files.get(getStorageKey(lessor));
  return storedFile ? storedFile.json<SimulatedMinistryData>() : { ministryReports: [], lots: [] };
}

/** Makes the simulator fail this many times. */
export async function saveSimulatedSesFault(files: R2Bucket, requestCount: number): Promise<void> {
  await files.put(FAULT, String(requestCount));
}

async function isDown(files: R2Bucket): Promise<boolean> {
  const times = Number((await (await files.get(FAULT))?.text()) ?? 0);
  if (times > 0) await saveSimulatedSesFault(files, times - 1);
  return times > 0;
}

/** Answers like the ministry's web service: creates a lot for each request, and returns its state on request. */
export async function simulateSesResponse(files: R2Bucket, request: Request): Promise<Response> {
  if (await isDown(files)) return new Response("Bad gateway", { status: 502 });
  const authorization = request.headers.get("Authorization") ?? "";
  if (!/^Basic \S+$/.test(authorization)) return new Response("Unauthorized", { status: 401 });
  try {
    const document = parseAuthorityXml(await request.text());
    const batchQuery = findDescendant(document, "consultaLoteRequest");
    const list = findDescendant(document, "catalogoRequest");
    if (list) return soap(simulateCodeListAnswer(getChildText(list, "catalogo")));
    return soap(batchQuery ? await lotsAnswer(files, batchQuery) : await keepLot(files, document));
  } catch (error) {
    if (error instanceof NotXmlError) return soap(refusal("10121", "El XML no es válido"));
    throw error;
  }
}

async function keepLot(files: R2Bucket, document: XmlElement): Promise<string> {
  const lessor = getChildText(document, "codigoArrendador") ?? "";
  const text = unzipBase64(
    findDescendant(document, "peticion")?.children.find(({ name }) => name === "solicitud")?.text ?? "",
  );
  if (lessor === "") return refusal("10103", "El arrendador no existe");
  if (text === undefined) return refusal("10111", "La solicitud no es un zip en base64");
  const ministryData = await readSimulatedMinistryData(files, lessor);
  if (ministryData.lots.some((lot) => lot.text === text)) return refusal("10130", "Lote duplicado");
  const operation = getChildText(document, "tipoOperacion") ?? "A";
  const kind = getChildText(document, "tipoComunicacion") ?? ministryData.ministryReports.at(-1)?.kind ?? "AV";
  const lot = { lot: crypto.randomUUID(), text, operation, kind, at: new Date().toISOString() };
  const after =
    operation === "B"
      ? annul(ministryData, text)
      : keep(ministryData, text, getChildText(document, "tipoComunicacion"));
  const { ministryReports, ...outcome } = after;
  await files.put(
    getStorageKey(lessor),
    JSON.stringify({ ministryReports, lots: [...ministryData.lots, { ...lot, ...outcome }] }),
  );
  await files.put(`${FOLDER}/lots/${lot.lot}`, lessor);
  return response("0", "Ok", lot.lot);
}

interface Outcome {
  readonly ministryReports: readonly SimulatedMinistryReport[];
  readonly code?: string;
  readonly error?: string;
}

const PERSON_COUNTS = { RV: 1, AV: 2 } as const;

type PersonRule = readonly [problem: string, isBroken: (person: XmlElement) => boolean];

const has = (element: XmlElement, name: string): boolean => Boolean(getChildText(element, name));
const DRIVERS = ["CP", "CS"];
const PLACES = ["direccionRecogida", "direccionDevolucion"];
const MUNICIPALITY_REQUIRED = "el código de municipio es obligatorio en España";

// Ministry's checks of every person beyond its schema (manual 3.1.3).
const PERSON_RULES: readonly PersonRule[] = [
  ["el nombre y el primer apellido son obligatorios", (person) => !(has(person, "nombre") && has(person, "apellido1"))],
  [
    "el segundo apellido es obligatorio con NIF",
    (person) => getChildText(person, "tipoDocumento") === "NIF" && !has(person, "apellido2"),
  ],
  ["el documento requiere su tipo", (person) => has(person, "numeroDocumento") !== has(person, "tipoDocumento")],
  ["falta teléfono o correo", (person) => !["telefono", "telefono2", "correo"].some((name) => has(person, name))],
  [MUNICIPALITY_REQUIRED, (person) => lacksMunicipality(person)],
];

// The ministry's additional checks of persons in a started rental. A reservation may lack these data.
const RENTAL_RULES: readonly PersonRule[] = [
  ["el documento es obligatorio", (person) => !has(person, "numeroDocumento")],
  ["la dirección es obligatoria", (person) => !has(person, "pais")],
  [
    "el permiso de conducir es obligatorio para el conductor",
    (person) => DRIVERS.includes(getChildText(person, "rol") ?? "") && !findDescendant(person, "permisoConducir"),
  ],
];

function lacksMunicipality(person: XmlElement): boolean {
  if (!has(person, "pais")) return false;
  return !has(person, getChildText(person, "pais") === "ESP" ? "codigoMunicipio" : "nombreMunicipio");
}

/** Returns the first of the ministry's rules that a document breaks. */
export function findBrokenSesRule(document: XmlElement, kind: "RV" | "AV"): string | undefined {
  const rules = kind === "AV" ? [...PERSON_RULES, ...RENTAL_RULES] : PERSON_RULES;
  const persons = findOutermostDescendants(document, "persona");
  const broken = rules.find(([, isBroken]) => persons.some(isBroken));
  if (broken) return `10121 ${broken[0]}`;
  const places = PLACES.flatMap((name) => findOutermostDescendants(document, name));
  return places.some(lacksMunicipality) ? `10121 ${MUNICIPALITY_REQUIRED}` : undefined;
}

function keep({ ministryReports }: SimulatedMinistryData, text: string, kind: string | undefined): Outcome {
  const document = parseAuthorityXml(text);
  const [xmlElement] = findOutermostDescendants(document, "comunicacion");
  const reference = getChildText(xmlElement, "referencia");
  const personCount = xmlElement?.children.filter(({ name }) => name === "persona").length ?? 0;
  if (kind !== "RV" && kind !== "AV") return { ministryReports, error: "10118 tipo de comunicación desconocido" };
  if (!reference || personCount < PERSON_COUNTS[kind]) return { ministryReports, error: "10121 faltan datos" };
  const brokenRule = findBrokenSesRule(document, kind);
  if (brokenRule) return { ministryReports, error: brokenRule };
  const code = crypto.randomUUID();
  return { ministryReports: [...ministryReports, { code, kind, reference, isAnnulled: false }], code };
}

function annul({ ministryReports }: SimulatedMinistryData, text: string): Outcome {
  const code = getChildText(parseAuthorityXml(text), "codigoComunicacion");
  const known = ministryReports.find((ministryReport) => ministryReport.code === code);
  if (!known) return { ministryReports, error: "10128 la comunicación no existe" };
  const after = ministryReports.map((ministryReport) =>
    ministryReport === known ? { ...ministryReport, isAnnulled: true } : ministryReport,
  );
  return { ministryReports: after, code: known.code };
}

async function lotsAnswer(files: R2Bucket, batchQuery: XmlElement): Promise<string> {
  const results = await Promise.all(
    findOutermostDescendants(batchQuery, "lote").map(({ text }) => lotAnswer(files, text)),
  );
  return writeElement(
    "com:consultaLoteResponse",
    writeElement("respuesta", writeTextElement("codigo", "0"), writeTextElement("descripcion", "Ok")),
    ...results.flatMap((result) => result ?? []),
  );
}

async function lotAnswer(files: R2Bucket, lot: string): Promise<string | undefined> {
  const lessor = await (await files.get(`${FOLDER}/lots/${lot}`))?.text();
  const ministryData =
    lessor === undefined
      ? undefined
      : (await readSimulatedMinistryData(files, lessor)).lots.find((item) => item.lot === lot);
  if (!ministryData) return undefined;
  const [type = "", ...words] = (ministryData.error ?? "").split(" ");
  return writeElement(
    "resultado",
    writeTextElement("lote", lot),
    writeTextElement("tipoComunicacion", ministryData.kind),
    writeTextElement("tipoOperacion", ministryData.operation),
    writeTextElement("fechaPeticion", ministryData.at),
    writeTextElement("fechaProcesamiento", ministryData.at),
    writeTextElement("codigoEstado", ministryData.code ? "1" : "6"),
    writeTextElement("descEstado", ministryData.code ? "Tramitado" : "Con errores"),
    writeTextElement("identificadorUsuario", "stand-in"),
    writeTextElement("nombreUsuario", "stand-in"),
    writeTextElement("codigoArrendador", lessor),
    writeTextElement("aplicacion", "rental-platform"),
    writeElement(
      "resultadoComunicaciones",
      writeElement(
        "resultadoComunicacion",
        writeTextElement("orden", "1"),
        writeTextElement("codigoComunicacion", ministryData.code),
        ministryData.error !== undefined && writeTextElement("tipoError", type),
        ministryData.error !== undefined && writeTextElement("error", words.join(" ")),
      ),
    ),
  );
}

const response = (code: string, description: string, lot?: string) =>
  writeElement(
    "com:comunicacionResponse",
    writeElement(
      "respuesta",
      writeTextElement("codigo", code),
      writeTextElement("descripcion", description),
      writeTextElement("lote", lot),
    ),
  );
const refusal = (code: string, description: string) => response(code, description);

function soap(body: string): Response {
  return new Response(writeSesEnvelope(body), { headers: { "Content-Type": "text/xml; charset=utf-8" } });
}
