import type { CivilDate } from "#domain/dates.ts";
import type { StoredTaxRecord, TaxSoftwareProducer } from "#worker/authorities/tax-agency/registration-xml.ts";
import type { TaxRecordRow } from "#worker/store/tax-records/records.ts";
import type { SoftwareProducer } from "#worker/tenancy/authorities.ts";

/** Converts a row to a record in the form that is sent. */
export function toStoredTaxRecord(row: TaxRecordRow): StoredTaxRecord {
  const { content, hashed, hash, previousIssuer, previousNumber, previousDate, previousHash } = row;
  const previous =
    previousIssuer === null || previousNumber === null || previousDate === null
      ? undefined
      : { issuer: previousIssuer, number: previousNumber, date: previousDate as CivilDate, hash: previousHash };
  return { content, hashed, hash, previous };
}

export const INVOICING_SYSTEM_NAME = "Rental platform";
export const INVOICING_SYSTEM_ID = "RP";

/** Returns the producer for a record. A deployment without a producer can't send. Its records show placeholders. */
export function toTaxRecordProducer(producer: SoftwareProducer | undefined): TaxSoftwareProducer {
  const { name, taxId } = producer ?? { name: "PRODUCER_NAME", taxId: "000000000" };
  return { name, taxId, systemName: INVOICING_SYSTEM_NAME, systemId: INVOICING_SYSTEM_ID };
}
