import type { InvalidInput } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { CheckInOperation, CheckInVehicle } from "#domain/check-in/operations.ts";
import type { AgreedContract } from "#domain/contracts/change.ts";
import type { Contract } from "#domain/contracts/contract.ts";
import { addVehicleUpgradePrice } from "#domain/contracts/exchange.ts";
import { ok, type Result } from "#domain/result.ts";
import type { AppliedOperation } from "#worker/store/check-in/writes.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { createExchangeHistoryEntry, createExchangeStatements } from "#worker/usecases/contracts/exchange-writes.ts";

/** Contract of an exchange, and the vehicle to deliver. */
export interface ExchangeData {
  readonly catalogue: Catalogue;
  readonly contractToExchange: Contract | undefined;
  readonly vehicle: CheckInVehicle | undefined;
}

/** Returns the contract with the upgrade price. Undefined without an upgrade price. */
export function addExchangeUpgradePrice(
  { catalogue, contractToExchange }: ExchangeData,
  { exchange, unitId }: CheckInOperation,
): Result<AgreedContract | undefined, InvalidInput<"upgrade_price">> {
  if (!contractToExchange || !exchange?.upgradeCents) return ok(undefined);
  return addVehicleUpgradePrice(catalogue, contractToExchange, { unitId, upgradeCents: exchange.upgradeCents });
}

/**
 * Creates the writes of an exchange on the road, the same as the desk's, at the time it was done. Empty for other work.
 */
export function createFieldExchangeStatements(
  db: Database,
  reading: ExchangeData,
  { operation, applied, receipt, doneAt }: AppliedOperation,
): readonly Query[] {
  if (operation.kind !== "exchange") return [];
  const { catalogue, contractToExchange, vehicle } = reading;
  const { exchange: out, kilometres, fuelEighths, damages, hasConfirmedReadings } = operation;
  const unit = contractToExchange?.units.find(({ id }) => id === applied.unit?.unitId);
  if (!contractToExchange || !unit || !vehicle || !out || kilometres === undefined || fuelEighths === undefined)
    throw new Error("an exchange was decided without what it exchanges");
  const exchange = {
    ...{
      reference: out.reference,
      hasConfirmedReadings,
      damagesIn: damages.filter(({ isReplacement }) => !isReplacement),
    },
    ...{ kilometresIn: kilometres, fuelEighthsIn: fuelEighths },
    ...{ kilometresOut: out.kilometres, fuelEighthsOut: out.fuelEighths },
  };
  const upgradeCents = out.upgradeCents ?? 0;
  const entry = {
    ...{ at: receipt.at, actor: `staff:${receipt.userId}`, event: "exchanged" as const, reason: operation.notes },
    ...createExchangeHistoryEntry({ catalogue, unit, exchange, upgradeCents }),
  };
  const { branchCode } = vehicle;
  const upgraded = addExchangeUpgradePrice(reading, operation);
  const agreed = upgraded.ok ? upgraded.value : undefined;
  return createExchangeStatements(db, {
    ...{ contract: contractToExchange, catalogue, agreed, unit, exchange, entry, branchCode, doneAt },
  });
}
