import { z } from "zod";
import { fromInternalBond, fromInvoice, internalBond, invoice } from "#worker/api/integration/document-messages.ts";
import type { Writing } from "#worker/api/integration/messages.ts";
import type { ExternalCodes, OfficeDocumentRow } from "#worker/usecases/reporting/read-models.ts";

const officeFields = {
  integration_error: z
    .string()
    .nullable()
    .meta({ description: "Error that the accounting system reported, until it books the document or staff try again" }),
};

/** Document as in the integration API, with additional fields for the office. */
export const officeDocument = z.union([
  invoice.extend(officeFields).meta({ id: "OfficeInvoice" }),
  internalBond.extend(officeFields).meta({ id: "OfficeInternalBond" }),
]);

export function fromOfficeDocument(
  row: OfficeDocumentRow,
  codes: ReadonlyMap<string, ExternalCodes>,
  writing: Writing,
): z.output<typeof officeDocument> {
  const office = { integration_error: row.integrationError };
  return row.kind === "invoice"
    ? { ...fromInvoice(row, codes, writing), ...office }
    : { ...fromInternalBond(row, codes, writing), ...office };
}
