import type { Immutable } from "#shared/immutable.ts";
import type { ProducerDeclarationMessage, TaxChainCheckMessage } from "#worker/api/office/tax-audit-messages.ts";
import type { TaxRecordListMessage } from "#worker/api/office/tax-record-messages.ts";
import { type TextKey, t, tOr } from "../../texts.ts";

export type ListedTaxRecordState = TaxRecord["state"];

/** Tax record of a document in a list. */
export type TaxRecord = TaxSummary["data"][number];

/** Sending status of a company. */
export type TaxChain = TaxSummary["chains"][number];

/** Page of tax records with the counts by state. */
export type TaxSummary = Immutable<TaxRecordListMessage>;

/** Result of checking the chains of tax records. */
export type TaxChainCheck = Immutable<TaxChainCheckMessage>;

export type TaxDeclaration = Immutable<ProducerDeclarationMessage>;

/** Returns the text of a problem that prevents sending. */
export function formatTaxSendingProblem(problem: string): string {
  // The sending stops after a refusal, which starts with the agency's code.
  const kind = /^\d{4} /.test(problem) ? "taxProblem.refused" : "taxProblem.noAnswer";
  return tOr(`taxProblem.${problem}`, t(kind, { what: problem }));
}

/** Returns the required action for a record, or undefined. */
export function getTaxRecordActionText({ to_do: toDo, state }: TaxRecord): TextKey | undefined {
  if (toDo === null) return undefined;
  return state === "refused" ? "taxToDo.refused" : "taxToDo.flawed";
}

/** Lists the possible corrections. None while a record is pending or after a later record corrected it. */
export function listTaxRecordCorrections({
  state,
  kind,
  is_mended: isCorrected,
}: TaxRecord): readonly ("amend" | "annul")[] {
  if (state === "waiting" || isCorrected) return [];
  return kind === "annulment" ? ["amend"] : ["amend", "annul"];
}
