import { enveloped } from "#worker/authorities/tax-agency/registration-xml.ts";
import { find, findAll, NotXml, parseXml, textOf, type XmlElement } from "#worker/authorities/xml.ts";
import { answerXml, faultXml } from "./answer-xml.ts";
import { type HeldChain, type HeldRecord, keepChain, readChain, takeFault } from "./held.ts";
import { type Judged, judge } from "./judge.ts";

const MOST_RECORDS = 1000;
/** Shorter than the agency's minute, so that development need not wait. */
const WAIT_SECONDS = 1;

/**
 * Answers a submission as the tax agency does: structure, duplicates, hashes and the chain are looked at, what it
 * accepts is kept. It fails as it was told to.
 */
export async function answerSubmission(files: R2Bucket, request: Request, now: number): Promise<Response> {
  const fault = await takeFault(files);
  if (fault === "down") return new Response("Service unavailable", { status: 503 });
  if (fault === "suspended") return soap(faultXml("4141", "El obligado está suspendido."), 500);
  try {
    const submission = find(parseXml(await request.text()), "RegFactuSistemaFacturacion");
    if (!submission) return soap(faultXml("4102", "El XML no cumple el esquema."), 500);
    const answer = await judgeAll(files, submission, now, fault === "refuse");
    return fault === "lost_answer" ? new Response("Gateway timeout", { status: 504 }) : answer;
  } catch (error) {
    if (error instanceof NotXml) return soap(faultXml("4102", `El XML no cumple el esquema: ${error.message}.`), 500);
    throw error;
  }
}

async function judgeAll(files: R2Bucket, submission: XmlElement, now: number, isToRefuse: boolean): Promise<Response> {
  const records = findAll(submission, "RegistroFactura");
  const issuer = textOf(submission, "NIF") ?? "";
  const installation = textOf(records[0], "NumeroInstalacion") ?? "";
  if (records.length === 0 || records.length > MOST_RECORDS || installation === "")
    return soap(faultXml("4102", "El XML no cumple el esquema."), 500);
  const isIncident = textOf(submission, "Incidencia") === "S";
  let chain: HeldChain = await readChain(files, issuer, installation);
  const judged: Judged[] = [];
  for (const record of records) {
    const one = await judge(record, { issuer, isIncident, held: chain.records, last: chain.last, now, isToRefuse });
    judged.push(one);
    const held = toHeld(one);
    if (held) chain = { ...chain, records: [...chain.records, held] };
    if (!one.known) chain = { ...chain, last: one.hash };
  }
  await keepChain(files, chain);
  const csv = `A-${now.toString(36).toUpperCase()}`;
  return soap(
    answerXml(submission, judged, { csv, at: new Date(now).toISOString().slice(0, 19), waitSeconds: WAIT_SECONDS }),
  );
}

function toHeld({ number, date, kind, hash, total, state, code }: Judged): HeldRecord | undefined {
  return state === "Incorrecto" ? undefined : { number, date, kind, hash, total, state, code };
}

function soap(body: string, status = 200): Response {
  return new Response(enveloped(body), { status, headers: { "Content-Type": "text/xml; charset=utf-8" } });
}
