import type { Contract } from "#domain/contracts/contract.ts";
import { type toAgreedLedgerTerms, toLedgerSource } from "#domain/contracts/ledger.ts";
import { buildLedgerEntries } from "#domain/reporting/ledger.ts";
import { toLedgerContract } from "#domain/reporting/ledger-source.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { replaceLedgerEntriesStatements } from "#worker/store/reporting/ledger.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { DecidedBookingAction } from "./decided-action.ts";

/** Recalculates a contract's ledger entries for its current terms and the costs found at its returns. */
export function createContractLedgerStatements(
  db: Database,
  { contract, catalogue }: Pick<DecidedBookingAction, "contract" | "catalogue">,
  agreed: ReturnType<typeof toAgreedLedgerTerms>,
  closingCents: Contract["closingCents"],
): readonly Query[] {
  const source = toLedgerSource(contract, agreed, closingCents);
  const toCivilDate = (at: number) => toCivilNow(catalogue.settings.timezone, at).date;
  const counted = toLedgerContract(source, toCivilDate);
  return counted ? replaceLedgerEntriesStatements(db, contract.id, buildLedgerEntries(counted)) : [];
}
