import type { TaxEnvironment } from "#domain/catalogue/tax-environment.ts";
import { createQrUrl } from "#domain/tax-records/qr.ts";
import type { TaxRecordContent } from "#domain/tax-records/records.ts";

/** Returns the URL in the QR code of a record's invoice. */
export function createTaxQrUrl(chain: string, content: TaxRecordContent): string {
  const environment: TaxEnvironment = chain.endsWith("/production") ? "production" : "test";
  return createQrUrl(environment, content.id, content.kind === "registration" ? content.total : "0.00");
}
