import { parseSpanishTaxId } from "#domain/tax-records/tax-id.ts";
import { findDescendant, getChildText, type XmlElement } from "#domain/xml.ts";
import { findBrokenTaxRecordRule, type RuleViolation } from "./business-rules.ts";
import type { SimulatedTaxRecord } from "./simulated-records.ts";

/** Simulator's check result of a record. */
export interface EvaluatedRecord {
  readonly kind: SimulatedTaxRecord["kind"];
  readonly issuer: string;
  readonly number: string;
  readonly date: string;
  readonly hash: string;
  readonly total: string | undefined;
  readonly state: "Correcto" | "AceptadoConErrores" | "Incorrecto";
  readonly code: string | undefined;
  readonly description: string | undefined;
  /** Earlier record of the same invoice. Set if this one is a duplicate. */
  readonly known: SimulatedTaxRecord | "annulled" | undefined;
}

/** Data for checking a record. */
export interface TaxRecordEvaluationContext {
  readonly issuer: string;
  readonly isIncident: boolean;
  /** Stored records of the installation, and earlier ones of the same submission. */
  readonly storedRecords: readonly SimulatedTaxRecord[];
  /** Hash of the last received record, including rejected ones. */
  readonly last: string | undefined;
  readonly now: number;
  readonly isToRefuse: boolean;
}

const OLDEST_STAMP = 240_000;
const NAMED_TYPES = ["F1", "F3", "R1", "R2", "R3", "R4"];

/** Checks a record like the agency: format, duplicates, hash, position in the chain, time. */
export async function evaluateTaxRecord(
  record: XmlElement,
  context: TaxRecordEvaluationContext,
): Promise<EvaluatedRecord> {
  const registration = findDescendant(record, "RegistroAlta");
  const kind = registration ? ("registration" as const) : ("annulment" as const);
  const suffix = registration ? "" : "Anulada";
  const id = findDescendant(record, "IDFactura");
  const about = {
    kind,
    issuer: getChildText(id, `IDEmisorFactura${suffix}`) ?? "",
    number: getChildText(id, `NumSerieFactura${suffix}`) ?? "",
    date: getChildText(id, `FechaExpedicionFactura${suffix}`) ?? "",
    hash: record.children[0]?.children.find(({ name }) => name === "Huella")?.text ?? "",
    total: getChildText(record, "ImporteTotal"),
    known: undefined,
  };
  const refused = findRefusal(record, about, context);
  if (refused) return { ...about, state: "Incorrecto", code: refused[0], description: refused[1] };
  const known = findKnown(record, about, context.storedRecords);
  if (known)
    return { ...about, known, state: "Incorrecto", code: "3000", description: "Registro de facturación duplicado." };
  if (context.isToRefuse)
    return { ...about, state: "Incorrecto", code: "1999", description: "El registro se rechaza: así se ha pedido." };
  const flaw = await findFlaw(record, about, context);
  return { ...about, state: flaw ? "AceptadoConErrores" : "Correcto", code: flaw?.[0], description: flaw?.[1] };
}

type About = Pick<EvaluatedRecord, "kind" | "issuer" | "number" | "date" | "hash">;

function findRefusal(
  record: XmlElement,
  about: About,
  { issuer, storedRecords }: TaxRecordEvaluationContext,
): RuleViolation | undefined {
  if (about.issuer !== issuer) return ["1108", "El emisor de la factura no es el obligado a la emisión."];
  if (parseSpanishTaxId(issuer) === undefined) return ["1109", "El NIF del emisor no es correcto."];
  if (!/^[ -~]{1,60}$/.test(about.number) || /["'<=>]/.test(about.number))
    return ["1130", "NumSerieFactura no es válido."];
  if (!/^\d{2}-\d{2}-\d{4}$/.test(about.date)) return ["1145", "La fecha de expedición no es válida."];
  if (about.kind === "annulment") {
    const isKnown = storedRecords.some(({ kind, number }) => kind === "registration" && number === about.number);
    const isMarkedFirst = getChildText(record, "SinRegistroPrevio") === "S";
    return isKnown || isMarkedFirst ? undefined : ["3002", "No existe el registro de facturación."];
  }
  return findBadRegistration(record) ?? findBrokenTaxRecordRule(record, issuer);
}

function findBadRegistration(record: XmlElement): RuleViolation | undefined {
  const type = getChildText(record, "TipoFactura") ?? "";
  const hasRecipient = findDescendant(record, "Destinatarios") !== undefined;
  if (NAMED_TYPES.includes(type) !== hasRecipient)
    return [hasRecipient ? "1190" : "1189", "El bloque Destinatarios no corresponde al tipo de factura."];
  const isCorrection = type.startsWith("R");
  if (isCorrection !== (getChildText(record, "TipoRectificativa") !== undefined))
    return [isCorrection ? "1114" : "1115", "TipoRectificativa no corresponde al tipo de factura."];
  if (!isCorrection && findDescendant(record, "FacturasRectificadas"))
    return ["1117", "FacturasRectificadas sólo en rectificativas."];
  if ((type === "F3") !== (findDescendant(record, "FacturasSustituidas") !== undefined))
    return ["1116", "FacturasSustituidas no corresponde al tipo de factura."];
  if (getChildText(record, "RechazoPrevio") && getChildText(record, "Subsanacion") !== "S")
    return ["1161", "RechazoPrevio necesita Subsanacion."];
  return findBadSums(record);
}

function findBadSums(record: XmlElement): RuleViolation | undefined {
  const lines = findDescendant(record, "Desglose")?.children ?? [];
  if (lines.length === 0) return ["1100", "Falta el desglose."];
  const taxes = lines.reduce((sum, line) => sum + Number(getChildText(line, "CuotaRepercutida") ?? 0), 0);
  const bases = lines.reduce((sum, line) => sum + Number(getChildText(line, "BaseImponibleOimporteNoSujeto") ?? 0), 0);
  const isFar = (sum: number, name: string) => Math.abs(sum - Number(getChildText(record, name))) > 10;
  if (isFar(taxes, "CuotaTotal")) return ["1216", "CuotaTotal no corresponde al desglose."];
  return isFar(taxes + bases, "ImporteTotal") ? ["1210", "ImporteTotal no corresponde al desglose."] : undefined;
}

function findKnown(record: XmlElement, about: About, held: readonly SimulatedTaxRecord[]): EvaluatedRecord["known"] {
  const same = held.filter(({ number, date }) => number === about.number && date === about.date);
  if (same.some(({ hash }) => hash === about.hash)) {
    const heldRecord = same.find(({ hash }) => hash === about.hash);
    return same.at(-1)?.kind === "annulment" ? "annulled" : heldRecord;
  }
  if (about.kind === "annulment" || getChildText(record, "Subsanacion") === "S") return undefined;
  return same.at(-1)?.kind === "annulment" ? "annulled" : same.at(-1);
}

// Returns a flaw that the agency accepts with a warning.
async function findFlaw(
  record: XmlElement,
  about: About,
  judging: TaxRecordEvaluationContext,
): Promise<RuleViolation | undefined> {
  if ((await hashRecord(record, about)) !== about.hash) return ["2000", "El cálculo de la huella no es correcto."];
  const { last } = judging;
  const isFirst = getChildText(record, "PrimerRegistro") === "S";
  if (isFirst && last) return ["2007", "PrimerRegistro, aunque ya hay una cadena."];
  const previous = getChildText(findDescendant(record, "RegistroAnterior"), "Huella");
  if (!isFirst && previous === about.hash) return ["2008", "La huella anterior es la propia."];
  if (!isFirst && last && previous !== last) return ["2003", "La huella anterior no es la del último registro."];
  const stamped = Date.parse(getChildText(record, "FechaHoraHusoGenRegistro") ?? "");
  const isOld = stamped < judging.now - OLDEST_STAMP && !judging.isIncident;
  return isOld || stamped > judging.now + 60_000 ? ["2004", "La hora de generación no es la actual."] : undefined;
}

// Computes the hash from the agency's specification. Doesn't use the platform's function, so that it can verify it.
async function hashRecord(record: XmlElement, { kind }: About): Promise<string> {
  const id = findDescendant(record, "IDFactura");
  const previous = getChildText(findDescendant(record, "RegistroAnterior"), "Huella") ?? "";
  const at = getChildText(record, "FechaHoraHusoGenRegistro") ?? "";
  const names =
    kind === "registration"
      ? ["IDEmisorFactura", "NumSerieFactura", "FechaExpedicionFactura"]
      : ["IDEmisorFacturaAnulada", "NumSerieFacturaAnulada", "FechaExpedicionFacturaAnulada"];
  const sums = kind === "registration" ? ["TipoFactura", "CuotaTotal", "ImporteTotal"] : [];
  const text = [
    ...names.map((name) => `${name}=${getChildText(id, name) ?? ""}`),
    ...sums.map((name) => `${name}=${getChildText(record, name) ?? ""}`),
    `Huella=${previous}`,
    `FechaHoraHusoGenRegistro=${at}`,
  ].join("&");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join("");
}
