import { type ConsentSource, getConsentChange } from "#domain/access/consent.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { customerDetailQueries, updateCustomerStatements } from "#worker/store/access/customers.ts";
import type { CustomerAnswer, OfficeRefusal, OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import { getTokenUserId, type StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { createCustomerReadBack } from "./office-customers.ts";

/** Consent to marketing, and its source. */
export interface MarketingConsentChange {
  readonly isGiven: boolean;
  readonly source: ConsentSource;
}

/** Records that a customer gives or withdraws consent to marketing now. The history contains the user. */
export async function recordMarketingConsent(
  write: OfficeWrite,
  id: number,
  { expectedVersion, consent }: { readonly expectedVersion: number; readonly consent: MarketingConsentChange },
): Promise<Result<StaffAnswer<CustomerAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  const userId = await getTokenUserId(write);
  return runOfficeWriteOnce(write, {
    ...createCustomerReadBack(write, userId),
    right: "hand_over",
    content: { consent: id, expectedVersion, said: consent },
    read: () => customerDetailQueries(db, id, userId),
    decide: ({ rows: [[customer], history], actor }) => {
      if (customer?.isOfUser !== 1) return err({ kind: "customerNotFound" });
      const { version, mergedIntoId } = customer;
      if (mergedIntoId !== null) return err({ kind: "customerMerged", mergedIntoId });
      if (version !== expectedVersion) return err({ kind: "customerChanged", customer: { customer, history } });
      const change = getConsentChange(customer, consent, write.now);
      if (Object.keys(change).length === 0) return ok({ resource: String(id), statements: [] });
      const entry = { customerId: id, at: write.now, actor, event: "changed" as const };
      const after = { marketingConsent: consent.isGiven ? "given" : "withdrawn", marketingDoor: consent.source };
      return ok({
        resource: String(id),
        statements: updateCustomerStatements(db, change, version, { ...entry, after }),
      });
    },
  });
}
