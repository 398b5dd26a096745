import { z } from "zod";
import { fromInternalBond, fromInvoice, internalBond, invoice } from "#worker/api/integration/document-messages.ts";
import { text, type Writing } from "#worker/api/integration/messages.ts";
import type { ExternalCodes, ExtractedDocument } from "#worker/usecases/reporting/read-models.ts";

const officeShape = {
  due_date: text.meta({ description: "Last day to pay, by the customer's payment terms" }),
};

/** Document as in the integration API, with additional fields for the office. */
export const officeDocument = z.union([
  invoice.extend(officeShape).meta({ id: "OfficeInvoice" }),
  internalBond.extend(officeShape).meta({ id: "OfficeInternalBond" }),
]);

export function fromOfficeDocument(
  row: ExtractedDocument,
  codes: ReadonlyMap<string, ExternalCodes>,
  writing: Writing,
): z.output<typeof officeDocument> {
  const added = { due_date: row.dueDate };
  return row.kind === "invoice"
    ? { ...fromInvoice(row, codes, writing), ...added }
    : { ...fromInternalBond(row, codes, writing), ...added };
}
