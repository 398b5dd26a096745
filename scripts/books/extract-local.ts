import { formatTimestamp } from "#domain/dates.ts";
import type { ExtractionPageRequest } from "#domain/reporting/extraction.ts";
import { toChargeDocumentMessage } from "#worker/api/integration/charge-messages.ts";
import { toIntegrationContractMessage } from "#worker/api/integration/contract-messages.ts";
import { toInternalBondMessage, toInvoiceMessage } from "#worker/api/integration/document-messages.ts";
import type { MessageFormat } from "#worker/api/integration/messages.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import { getOffsetMinutes } from "#worker/tenancy/clock.ts";
import * as extract from "#worker/usecases/reporting/extract.ts";
import type { ExtractedMoneyData } from "./audit.ts";

const everything: ExtractionPageRequest = { page: 0, pageSize: 10_000_000, after: undefined, filters: {} };

/** Extracts data from a local database in the format of the integration API. */
export async function extractLocalMoneyData(
  database: D1Database,
  { decimals, timezone }: { readonly decimals: number; readonly timezone: string },
): Promise<ExtractedMoneyData> {
  const db = openDatabase(database, createUsageMeter());
  const account = { db, replica: db };
  const writing: MessageFormat = {
    decimals,
    currency: "EUR",
    ownUrl: "http://localhost",
    timestamp: (at, separator) => formatTimestamp(at, getOffsetMinutes(timezone, at), separator),
    ofBranches: (code) => code,
    ofChannels: (code) => code,
    acriss: () => ({}),
  };
  const invoices = await extract.readInvoicesPage(account, everything);
  const bonds = await extract.readInternalBondsPage(account, everything);
  const charges = await extract.readChargesPage(account, everything);
  const contracts = await extract.readContractsPage(account, everything);
  return {
    documents: [
      ...invoices.rows.map((row) => toInvoiceMessage(row, invoices.codes, writing)),
      ...bonds.rows.map((row) => toInternalBondMessage(row, bonds.codes, writing)),
    ],
    charges: charges.rows.map((row) => toChargeDocumentMessage(row, writing)),
    contracts: contracts.rows.map((row) => toIntegrationContractMessage(row, writing)),
    imported: new Set(contracts.rows.filter(({ createdBy }) => createdBy === "import").map(({ id }) => id)),
  };
}
