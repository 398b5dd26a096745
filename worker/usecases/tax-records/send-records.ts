import { TAX_TERRITORIES } from "#domain/catalogue/tax-territories.ts";
import {
  readTaxAgencyAnswer,
  type TaxAgencyAnswer,
  type TaxRecordAnswer,
} from "#worker/authorities/tax-agency/answer.ts";
import { wrapInSoapEnvelope, writeSubmissionXml } from "#worker/authorities/tax-agency/registration-xml.ts";
import {
  addSubmissionAttemptStatement,
  leaseTaxChainsStatement,
  MAX_SUBMITTED_TAX_RECORDS,
  saveTaxVerdictsStatement,
  selectTaxFailureStart,
  type TaxChainRow,
  type TaxRecordRow,
  type TaxRecordVerdict,
  taxRecordsToSendQuery,
  UNSCHEDULED_AT,
  updateTaxChainStatement,
} from "#worker/store/tax-records/records.ts";
import type { AuthorityClient, SoftwareProducer } from "#worker/tenancy/authorities.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { toStoredTaxRecord, toTaxRecordProducer } from "./stored-record.ts";

const SERVICE = {
  production: "https://www1.agenciatributaria.gob.es/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP",
  test: "https://prewww1.aeat.es/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP",
} as const;
const LEASE_MILLISECONDS = 120_000;
const ANSWER_MILLISECONDS = 60_000;
/** Records older than this count as delayed. The agency flags a timestamp older than 240 seconds. */
const LATE_MILLISECONDS = 200_000;
const HOUR = 3_600_000;
/** Rejections that the agency resolves without our action: technical errors and an inactive service. */
const TECHNICAL = /^(10\d|350[01]|9\d\d|20009|41(03|08|10|11|18|28|34))$/;

/**
 * Rejections of a whole submission for its data (`errores.properties`), or because the agency suspended the taxpayer
 * (4141). The same submission would be rejected again, so the agency receives no more until a user requests a retry.
 */
const STOPPING = /^(1[12]|41)\d\d$/;

/** Sender of tax records. Undefined if the account or the deployment lacks required settings. */
interface Sender {
  readonly reach: AuthorityClient;
  readonly producer: SoftwareProducer;
}

/**
 * Sends the pending tax records: up to a thousand per chain, in order, as often as the agency allows. Retries without
 * limit if the agency doesn't answer. Returns the number of records with an answer.
 */
export async function sendTaxRecords(tenant: Tenant, now: number): Promise<number> {
  const { settings } = (await tenant.snapshot()).catalogue;
  // An account that is now subject to a different regulation stops sending immediately.
  if (!TAX_TERRITORIES.some((territory) => settings.taxRecords[territory] === "verifactu")) return 0;
  const [chains] = await tenant.db.batch([leaseTaxChainsStatement(tenant.db, now, now + LEASE_MILLISECONDS)]);
  let count = 0;
  for (const chain of chains) {
    const sender = getSender(tenant, settings.taxRepresentationDate);
    count +=
      typeof sender === "string" ? await postpone(tenant, chain, sender, now) : await send(tenant, chain, sender, now);
  }
  return count;
}

function getSender(tenant: Tenant, representationDate: string | undefined): Sender | string {
  const [reach, { producer }] = [tenant.reach("tax_agency"), tenant];
  if (representationDate === undefined) return "representation_missing";
  if (!producer) return "producer_missing";
  return reach ? { reach, producer } : "certificate_missing";
}

async function postpone({ db }: Tenant, { chain }: TaxChainRow, problem: string, now: number): Promise<number> {
  await db.batch([
    updateTaxChainStatement(db, chain, { problem, failedSince: selectTaxFailureStart(now), nextAt: now + HOUR }),
  ]);
  return 0;
}

async function send({ db }: Tenant, chain: TaxChainRow, sender: Sender, now: number): Promise<number> {
  const [rows] = await db.batch([taxRecordsToSendQuery(db, chain.chain)]);
  const [first] = rows;
  const content = rows.findLast((row) => row.content.kind === "registration")?.content;
  if (!first) return 0;
  const submission = {
    issuer: { name: content?.kind === "registration" ? content.issuerName : chain.issuer, taxId: chain.issuer },
    isIncident: chain.failedSince !== null || first.generatedAt < now - LATE_MILLISECONDS,
  };
  const xml = writeSubmissionXml(submission, rows.map(toStoredTaxRecord), toTaxRecordProducer(sender.producer));
  const environment = chain.chain.endsWith("/production") ? "production" : "test";
  const answer = await ask(sender.reach, SERVICE[environment], wrapInSoapEnvelope(xml));
  return keepAnswer(db, chain, rows, answer, now);
}

type SubmissionResult = TaxAgencyAnswer | { readonly kind: "unanswered"; readonly problem: string };

async function ask(reach: AuthorityClient, url: string, body: string): Promise<SubmissionResult> {
  const headers = { "Content-Type": "text/xml; charset=utf-8", SOAPAction: '""' };
  const request = new Request(url, { method: "POST", headers, body, signal: AbortSignal.timeout(ANSWER_MILLISECONDS) });
  try {
    const response = await reach(request);
    const text = await response.text();
    // SOAP requires status 500 for a fault.
    if (response.status !== 200 && !text.includes("Fault"))
      return { kind: "unanswered", problem: `status ${response.status}` };
    return readTaxAgencyAnswer(text);
  } catch (error) {
    return { kind: "unanswered", problem: error instanceof Error ? error.name : "unknown" };
  }
}

async function keepAnswer(
  db: Tenant["db"],
  { chain, waitSeconds }: TaxChainRow,
  rows: readonly TaxRecordRow[],
  answer: SubmissionResult,
  now: number,
): Promise<number> {
  const attempted = addSubmissionAttemptStatement(
    db,
    rows.map(({ id }) => id),
    now,
  );
  if (answer.kind !== "answered") {
    const problem = answer.kind === "fault" ? describeFault(answer) : answer.problem;
    await db.batch([
      attempted,
      updateTaxChainStatement(db, chain, {
        problem,
        failedSince: selectTaxFailureStart(now),
        nextAt: getNextAttempt(answer, waitSeconds, now),
      }),
    ]);
    return 0;
  }
  const verdicts = toVerdicts(rows, answer);
  const wait = answer.waitSeconds ?? waitSeconds;
  // After a full submission, more records may be pending. They are sent without the waiting time.
  const nextAt = rows.length === MAX_SUBMITTED_TAX_RECORDS ? now : now + wait * 1000;
  await db.batch([
    saveTaxVerdictsStatement(db, verdicts, now, now),
    updateTaxChainStatement(db, chain, { waitSeconds: wait, nextAt, failedSince: null, problem: null }),
  ]);
  return verdicts.length;
}

function getNextAttempt(
  answer: Exclude<SubmissionResult, { readonly kind: "answered" }>,
  waitSeconds: number,
  now: number,
): number {
  if (isStopped(answer)) return UNSCHEDULED_AT;
  const mayPass = answer.kind === "unanswered" || TECHNICAL.test(answer.code ?? "");
  // A rejection for an unlisted reason will be repeated within a minute. Retry hourly.
  return now + (mayPass ? waitSeconds * 1000 : HOUR);
}

function isStopped(answer: Exclude<SubmissionResult, { readonly kind: "answered" }>): boolean {
  return answer.kind === "fault" && STOPPING.test(answer.code ?? "") && !TECHNICAL.test(answer.code ?? "");
}

// Starts with the code if a user must fix the cause and request a retry.
function describeFault(fault: Extract<SubmissionResult, { readonly kind: "fault" }>): string {
  return isStopped(fault) ? `${fault.code} ${fault.description}` : fault.description;
}

// Answers come in the order of sending. In another order, they are matched by number and kind. A record the agency
// already has was sent before, and its answer was lost.
function toVerdicts(
  rows: readonly TaxRecordRow[],
  answer: Extract<TaxAgencyAnswer, { readonly kind: "answered" }>,
): TaxRecordVerdict[] {
  return rows.flatMap((row, index) => {
    const { id, kind } = row.content;
    const isFor = ({ number, isAnnulment }: TaxRecordAnswer) =>
      number === id.number && isAnnulment === (kind === "annulment");
    const inOrder = answer.records[index];
    const agencyAnswer = inOrder?.number === id.number ? inOrder : answer.records.find(isFor);
    if (!agencyAnswer) return [];
    const { csv } = answer;
    const state = getKnownState(agencyAnswer, kind) ?? agencyAnswer.state;
    return [{ recordId: row.id, state, code: agencyAnswer.code, description: agencyAnswer.description, csv }];
  });
}

// An annulled invoice proves that its annulment arrived (`Anulada`, SuministroInformacion.xsd), but not that a
// registration with the number of an annulled invoice did.
function getKnownState(
  { known }: TaxRecordAnswer,
  kind: TaxRecordRow["content"]["kind"],
): TaxRecordVerdict["state"] | undefined {
  if (known !== "annulled") return known;
  return kind === "annulment" ? "accepted" : undefined;
}
