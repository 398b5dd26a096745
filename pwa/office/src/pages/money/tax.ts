import { type TextKey, t, tOr } from "../../texts.ts";

export type RecordState = "waiting" | "accepted" | "accepted_with_errors" | "refused";

/** A record of a document for the tax agency, as the office lists it. */
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

/** How the sending of a company stands. */
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

/** What keeps a company's records from being sent, in words. */
export function problemText(problem: string): string {
  return tOr(`taxProblem.${problem}`, t("taxProblem.noAnswer", { what: problem }));
}

/** What a person does about a record; undefined where there is nothing to do. */
export function getRequiredAction({ to_do: toDo, state }: TaxRecord): TextKey | undefined {
  if (toDo === null) return undefined;
  return state === "refused" ? "taxToDo.refused" : "taxToDo.flawed";
}

/** What may be said of a record's document now: nothing while one waits, or once a later record mended it. */
export function listCorrections({ state, kind, is_mended: isCorrected }: TaxRecord): readonly ("amend" | "annul")[] {
  if (state === "waiting" || isCorrected) return [];
  return kind === "annulment" ? ["amend"] : ["amend", "annul"];
}
