/** What a document lacks so that a record can be made of it, as the wire calls it. */
export const RECORD_FIELDS = [
  "company_name",
  "company_document_id",
  "currency",
  "serie",
  "tax_rate_code",
  "document_id",
] as const;
export type RecordField = (typeof RECORD_FIELDS)[number];
