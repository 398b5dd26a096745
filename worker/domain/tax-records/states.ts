/** What became of a record at the agency; `waiting`: it has not answered yet. */
export type RecordState = "waiting" | "accepted" | "accepted_with_errors" | "refused";

/** The records of an invoice, in their order. */
export type InvoiceRecords = readonly {
  readonly kind: "registration" | "annulment";
  readonly state: RecordState;
  readonly code: string | undefined;
  readonly amends: boolean;
}[];

/** How a record that says an invoice anew is marked; undefined where that cannot be yet. */
export type Amendment = { readonly amends?: true; readonly priorRefusal?: "S" | "X" };

/** The agency's word for what it has no record of. */
const INVOICE_NOT_FOUND_CODE = "3002";

const isKnown = ({ state }: InvoiceRecords[number]) => state === "accepted" || state === "accepted_with_errors";

/**
 * How the next registration of an invoice is marked (docs/interfaces/verifactu.md#states): none where there is none
 * yet, an amendment where the agency has one, annulled or not, and one without a predecessor where all were refused.
 * Undefined where one of them waits: its answer decides.
 */
export function nextRegistration(records: InvoiceRecords): Amendment | undefined {
  const last = records.at(-1);
  if (!last) return {};
  if (records.some(({ state }) => state === "waiting")) return undefined;
  if (
    !records.some((record) => record.kind === "registration" && isKnown(record)) ||
    last.code === INVOICE_NOT_FOUND_CODE
  )
    return { amends: true, priorRefusal: "X" };
  return last.state === "refused" && last.amends ? { amends: true, priorRefusal: "S" } : { amends: true };
}

/** How the annulment of an invoice is marked; undefined where a record waits, or it is annulled already. */
export function nextAnnulment(
  records: InvoiceRecords,
): { readonly hasNoPrior?: true; readonly priorRefusal?: "S" } | undefined {
  if (records.some(({ state }) => state === "waiting")) return undefined;
  const last = records.at(-1);
  if (last?.kind === "annulment" && isKnown(last)) return undefined;
  const isRegistered = records.some((record) => record.kind === "registration" && isKnown(record));
  return {
    ...(!isRegistered && { hasNoPrior: true as const }),
    ...(last?.kind === "annulment" && last.state === "refused" && { priorRefusal: "S" as const }),
  };
}
