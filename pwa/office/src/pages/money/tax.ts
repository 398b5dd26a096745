import { type TextKey, t, tOr } from "../../texts.ts";

export type RecordState = "waiting" | "accepted" | "accepted_with_errors" | "refused";

/** Tax record of a document in a list. */
export interface TaxRecord {
  readonly id: number;
  readonly kind: "registration" | "annulment";
  readonly document_id: number;
  readonly reservation_id: number | null;
  readonly number: string;
  readonly date: string;
  readonly total: string;
  readonly customer_full_name: string;
  readonly state: RecordState;
  readonly code: string | null;
  readonly description: string | null;
  readonly is_mended: boolean;
  readonly to_do: string | null;
}

/** Sending status of a company. */
export interface TaxChain {
  readonly issuer: string;
  readonly next_at: string | null;
  readonly failed_since: string | null;
  readonly problem: string | null;
}

export interface TaxSummary {
  readonly total: number;
  readonly unsent: number;
  readonly counts: Readonly<Partial<Record<RecordState, number>>>;
  readonly chains: readonly TaxChain[];
}

export interface ChainCheck {
  readonly records: number;
  readonly faults: readonly { readonly fault: string; readonly number: string; readonly position: number | null }[];
}

interface Point {
  readonly letter: string;
  readonly label: string;
  readonly text: string | null;
}

export interface TaxDeclaration {
  readonly title: string;
  readonly points: readonly Point[];
  readonly annex: readonly Point[];
  readonly missing: readonly string[];
}

/** Returns the text of a problem that prevents sending. */
export function problemText(problem: string): string {
  return tOr(`taxProblem.${problem}`, t("taxProblem.noAnswer", { what: problem }));
}

/** Returns the required action for a record, or undefined. */
export function getRequiredAction({ to_do: toDo, state }: TaxRecord): TextKey | undefined {
  if (toDo === null) return undefined;
  return state === "refused" ? "taxToDo.refused" : "taxToDo.flawed";
}

/** Lists the possible corrections. None while a record is pending or after a later record corrected it. */
export function listCorrections({ state, kind, is_mended: isCorrected }: TaxRecord): readonly ("amend" | "annul")[] {
  if (state === "waiting" || isCorrected) return [];
  return kind === "annulment" ? ["amend"] : ["amend", "annul"];
}
