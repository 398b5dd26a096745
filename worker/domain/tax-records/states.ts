/** State of a record at the agency. `waiting`: no answer yet. */
export type TaxRecordState = "waiting" | "accepted" | "accepted_with_errors" | "refused";

/** Records of an invoice, in order. */
export type InvoiceTaxRecordStates = readonly {
  readonly kind: "registration" | "annulment";
  readonly state: TaxRecordState;
  readonly code: string | undefined;
  readonly amends: boolean;
}[];

/** Flags of an amending record. Undefined if it isn't possible yet. */
export type AmendmentFlags = { readonly amends?: true; readonly priorRefusal?: "S" | "X" };

/** The agency's code for an unknown record. */
const INVOICE_NOT_FOUND_CODE = "3002";

const isKnown = ({ state }: InvoiceTaxRecordStates[number]) => state === "accepted" || state === "accepted_with_errors";

/**
 * Returns the last record that the agency has of an invoice. Undefined if it has none: an accepted record from before
 * it reported the invoice as unknown doesn't count.
 */
function findLastKnown(records: InvoiceTaxRecordStates) {
  const known = records.findLastIndex(isKnown);
  const unknown = records.findLastIndex(({ code }) => code === INVOICE_NOT_FOUND_CODE);
  return known > unknown ? records[known] : undefined;
}

/**
 * Returns the flags of an invoice's next registration (docs/interfaces/verifactu.md#states). No flags for the first
 * one, an amendment if the agency has a record, annulled or not, and one without predecessor if all were refused.
 * Undefined if a record is pending, because its answer decides.
 */
export function getNextRegistrationFlags(records: InvoiceTaxRecordStates): AmendmentFlags | undefined {
  const last = records.at(-1);
  if (!last) return {};
  if (records.some(({ state }) => state === "waiting")) return undefined;
  const isRegistered = records.some((record) => record.kind === "registration" && isKnown(record));
  if (!isRegistered || !findLastKnown(records)) return { amends: true, priorRefusal: "X" };
  return last.state === "refused" && last.amends ? { amends: true, priorRefusal: "S" } : { amends: true };
}

/** Returns the flags of an invoice's annulment. Undefined if a record is pending or it's already annulled. */
export function getAnnulmentFlags(
  records: InvoiceTaxRecordStates,
): { readonly hasNoPrior?: true; readonly priorRefusal?: "S" } | undefined {
  if (records.some(({ state }) => state === "waiting")) return undefined;
  const known = findLastKnown(records);
  if (known?.kind === "annulment") return undefined;
  const last = records.at(-1);
  return {
    ...(!known && { hasNoPrior: true as const }),
    ...(last?.kind === "annulment" && last.state === "refused" && { priorRefusal: "S" as const }),
  };
}
