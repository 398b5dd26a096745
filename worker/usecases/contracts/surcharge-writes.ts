import { translateExtraName } from "#domain/catalogue/names.ts";
import { toAgreedLedgerTerms } from "#domain/contracts/ledger.ts";
import type { Surcharge } from "#domain/contracts/surcharge.ts";
import { draftSurchargeDocuments } from "#domain/documents/invoicing.ts";
import { toAmount } from "#domain/money.ts";
import { insertSurchargeStatement } from "#worker/store/bookings/contract-extras.ts";
import { bookingActionStatements } from "#worker/store/contracts/write-action.ts";
import type { Database } from "#worker/store/database.ts";
import { toContractToInvoice } from "#worker/store/documents/contract-to-invoice.ts";
import { updatePaidAmountStatements } from "#worker/store/payments/charges.ts";
import {
  createDocumentsToWrite,
  type DocumentToWrite,
  isDocumentToIssue,
} from "#worker/usecases/issuing/documents-to-write.ts";
import {
  type BookingActionWrites,
  createBookingActionHistoryEntry,
  type DecidedBookingAction,
} from "./decided-action.ts";
import { createContractLedgerStatements } from "./ledger-writes.ts";

/** Creates the writes of a surcharge after a contract was completed, including its document, in one batch. */
export function createSurchargeActionWrites(
  db: Database,
  action: DecidedBookingAction,
  surcharge: Surcharge,
): BookingActionWrites {
  const { contract, at, catalogue } = action;
  const { currencyDecimals } = catalogue.settings;
  const { extrasCents, totalCents } = contract.totals;
  const sums = { extrasCents: extrasCents + surcharge.extraCents, totalCents: totalCents + surcharge.extraCents };
  const documents = createDocuments(action, surcharge, sums);
  const issued = documents.find(isDocumentToIssue);
  const agreed = toAgreedLedgerTerms(contract);
  const entry = createBookingActionHistoryEntry(action, {
    before: { total: toAmount(totalCents, currencyDecimals) },
    after: {
      total: toAmount(sums.totalCents, currencyDecimals),
      surcharge: surcharge.quantity === 1 ? surcharge.description : `${surcharge.quantity} × ${surcharge.description}`,
    },
  });
  return {
    before: [
      ...bookingActionStatements(db, contract, sums, {
        ...entry,
        ...(issued && { documentWrite: { document: issued.draft.mode, issued: true } }),
      }),
      insertSurchargeStatement(db, contract.id, surcharge),
    ],
    documents,
    after: [
      ...updatePaidAmountStatements(db, contract.id, at),
      ...createContractLedgerStatements(
        db,
        action,
        { ...agreed, extras: [...agreed.extras, surcharge] },
        contract.closingCents,
      ),
    ],
  };
}

// Creates the documents for the contract as it will be after the batch.
function createDocuments(
  { contract, toInvoice, catalogue, at }: DecidedBookingAction,
  { code, description, quantity, unitCents, vat, chargedOn }: Surcharge,
  sums: { readonly extrasCents: number; readonly totalCents: number },
): readonly DocumentToWrite[] {
  const contractToInvoice = toContractToInvoice(toInvoice, sums);
  if (!contractToInvoice) return [];
  const { settings, extras: known } = catalogue;
  const { language, printLanguage = language } = contractToInvoice;
  const names = known.get(code);
  const printedDescription = translateExtraName(
    names && { ...names.names, "": names.name },
    printLanguage,
    description,
  );
  const extras = [...contractToInvoice.extras, { description, printedDescription, quantity, unitCents, vat }];
  const item = { concept: description, quantity, unitCents, vat };
  const { drafts, isInOpenDraft } = draftSurchargeDocuments({ ...contractToInvoice, extras }, item);
  return createDocumentsToWrite(drafts, {
    at,
    date: chargedOn,
    bookingId: contract.id,
    uid: `surcharge:${contract.id}:${contract.version}`,
    issued: !isInOpenDraft,
    series: settings,
  });
}
