/** Fields that a document may lack for its record, by API name. */
export const TAX_RECORD_REQUIRED_FIELDS = [
  "company_name",
  "company_document_id",
  "currency",
  "serie",
  "tax_rate_code",
  "name",
  "document_id",
] as const;
export type TaxRecordRequiredField = (typeof TAX_RECORD_REQUIRED_FIELDS)[number];
