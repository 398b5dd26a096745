import { findDescendant, findOutermostDescendants, getChildText, type XmlElement } from "#domain/xml.ts";
import { wrapInSoapEnvelope } from "#worker/authorities/tax-agency/registration-xml.ts";
import { NotXmlError, parseAuthorityXml } from "#worker/authorities/xml.ts";
import { writeSoapFaultXml, writeSubmissionAnswerXml } from "./answer-xml.ts";
import { type EvaluatedRecord, evaluateTaxRecord } from "./evaluate.ts";
import {
  consumeSimulatedTaxAgencyFault,
  readSimulatedChain,
  type SimulatedTaxRecord,
  type SimulatedTaxRecordChain,
  saveSimulatedChain,
} from "./simulated-records.ts";

const MAX_RECORDS = 1000;
/** Shorter than the agency's minute, to speed up development. */
const WAIT_SECONDS = 1;

/**
 * Answers a submission like the tax agency. Checks structure, duplicates, hashes and the chain, and stores accepted
 * records. Fails as configured.
 */
export async function simulateTaxAgencyResponse(files: R2Bucket, request: Request, now: number): Promise<Response> {
  const fault = await consumeSimulatedTaxAgencyFault(files);
  if (fault === "down") return new Response("Service unavailable", { status: 503 });
  if (fault === "suspended") return soap(writeSoapFaultXml("4141", "El obligado está suspendido."), 500);
  try {
    const submission = findDescendant(parseAuthorityXml(await request.text()), "RegFactuSistemaFacturacion");
    if (!submission) return soap(writeSoapFaultXml("4102", "El XML no cumple el esquema."), 500);
    const answer = await evaluateSubmission(files, submission, now, fault === "refuse");
    return fault === "lost_answer" ? new Response("Gateway timeout", { status: 504 }) : answer;
  } catch (error) {
    if (error instanceof NotXmlError)
      return soap(writeSoapFaultXml("4102", `El XML no cumple el esquema: ${error.message}.`), 500);
    throw error;
  }
}

async function evaluateSubmission(
  files: R2Bucket,
  submission: XmlElement,
  now: number,
  isToRefuse: boolean,
): Promise<Response> {
  const records = findOutermostDescendants(submission, "RegistroFactura");
  const issuer = getChildText(submission, "NIF") ?? "";
  const installation = getChildText(records[0], "NumeroInstalacion") ?? "";
  if (records.length === 0 || records.length > MAX_RECORDS || installation === "")
    return soap(writeSoapFaultXml("4102", "El XML no cumple el esquema."), 500);
  const isIncident = getChildText(submission, "Incidencia") === "S";
  let chain: SimulatedTaxRecordChain = await readSimulatedChain(files, issuer, installation);
  const judged: EvaluatedRecord[] = [];
  for (const record of records) {
    const judge = await evaluateTaxRecord(record, {
      issuer,
      isIncident,
      storedRecords: chain.records,
      last: chain.last,
      now,
      isToRefuse,
    });
    judged.push(judge);
    const heldRecord = toHeldRecord(judge);
    if (heldRecord) chain = { ...chain, records: [...chain.records, heldRecord] };
    if (!judge.known) chain = { ...chain, last: judge.hash };
  }
  await saveSimulatedChain(files, chain);
  const csv = `A-${now.toString(36).toUpperCase()}`;
  return soap(
    writeSubmissionAnswerXml(submission, judged, {
      csv,
      at: new Date(now).toISOString().slice(0, 19),
      waitSeconds: WAIT_SECONDS,
    }),
  );
}

function toHeldRecord({
  number,
  date,
  kind,
  hash,
  total,
  state,
  code,
}: EvaluatedRecord): SimulatedTaxRecord | undefined {
  return state === "Incorrecto" ? undefined : { number, date, kind, hash, total, state, code };
}

function soap(body: string, status = 200): Response {
  return new Response(wrapInSoapEnvelope(body), { status, headers: { "Content-Type": "text/xml; charset=utf-8" } });
}
