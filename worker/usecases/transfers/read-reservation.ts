import type { CheckoutError } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { TransferReservation } from "#domain/transfers/reservations.ts";
import { findTransfer } from "#worker/store/transfers/transfers.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Transfer reservation as its customer sees it. */
export interface TransferWithCatalogue {
  readonly reservation: TransferReservation;
  readonly catalogue: Catalogue;
}

/** Returns the transfer with an unguessable id. The id alone grants read access. */
export async function readTransferReservation(
  tenant: Tenant,
  freeAccessId: string,
): Promise<Result<TransferWithCatalogue, CheckoutError>> {
  const reservation = await findTransfer(tenant.db, freeAccessId);
  if (!reservation) return err({ kind: "bookingNotFound" });
  const { catalogue } = await tenant.snapshot();
  return ok({ reservation, catalogue });
}
