import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { formatFuelEighths } from "#domain/check-in/fuel.ts";
import type { AgreedContract } from "#domain/contracts/change.ts";
import type { Contract, ContractUnit } from "#domain/contracts/contract.ts";
import type { Damage } from "#domain/contracts/damage.ts";
import { findImprobableExchangeReading, findUnitToExchange } from "#domain/contracts/exchange.ts";
import { toAgreedLedgerTerms } from "#domain/contracts/ledger.ts";
import type { VehicleExchangeRequest } from "#domain/contracts/requests.ts";
import { toCivilMinute } from "#domain/dates.ts";
import { toAmount } from "#domain/money.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { saveVehicleExchangeStatements } from "#worker/store/bookings/exchange.ts";
import { reallocateStockStatement } from "#worker/store/bookings/reallocation.ts";
import { newDamagesStatements } from "#worker/store/check-in/damages.ts";
import {
  type BookingActionEntry,
  bookingActionStatements,
  releaseVehiclesFromOtherContractsStatements,
  saveAgreedLinesStatements,
  toAgreedContractColumns,
} from "#worker/store/contracts/write-action.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { updatePaidAmountStatements } from "#worker/store/payments/charges.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import { createBookingActionHistoryEntry, type DecidedBookingAction } from "./decided-action.ts";
import { createContractLedgerStatements } from "./ledger-writes.ts";

/** Returns the writes of an exchange at the desk, or the refusal. */
export function createDeskExchangeStatements(
  db: Database,
  action: DecidedBookingAction,
): Result<readonly Query[], OfficeRefusal> {
  const { contract, plan, input, vehicle, at, catalogue } = action;
  const { exchange, request } = input;
  const unit = findUnitToExchange(contract, request.action === "exchange" ? request.unitId : undefined);
  if (!vehicle || !exchange) return err({ kind: "vehicleNotFound" });
  if (!unit) return err({ kind: "unitNotFound" });
  if (unit.reference === vehicle.reference)
    return err({ kind: "invalid", field: "reference", reason: createReason("vehicle_is_out") });
  if (vehicle.isBlocked) return err({ kind: "vehicleBlocked" });
  const { kilometresADay } = catalogue.settings;
  const improbableReading = findImprobableExchangeReading(unit, exchange, {
    at,
    vehicleKilometres: vehicle.kilometres,
    kilometresADay,
  });
  if (improbableReading) return err(improbableReading);
  const { agreed } = plan;
  const entry = createBookingActionHistoryEntry(
    action,
    createExchangeHistoryEntry({ catalogue, unit, exchange, upgradeCents: plan.differenceCents }),
  );
  const exchanged = { contract, catalogue, agreed, unit, exchange, entry, branchCode: vehicle.branchCode, doneAt: at };
  return ok([...createExchangeStatements(db, exchanged), ...createDamageStatements(db, action, unit, exchange)]);
}

/** Decided exchange, at the desk or earlier on the road. */
export interface ExchangeToWrite {
  readonly contract: Contract;
  readonly catalogue: Catalogue;
  /** New terms of the contract, if the customer pays for a better vehicle. */
  readonly agreed: AgreedContract | undefined;
  readonly unit: ContractUnit;
  readonly exchange: VehicleExchangeRequest;
  readonly entry: BookingActionEntry;
  /** Branch of the delivered vehicle. */
  readonly branchCode: string;
  /** Time of the exchange, epoch ms. */
  readonly doneAt: number;
}

/** Creates the statements for the contract and both vehicles of an exchange, without damage. */
export function createExchangeStatements(
  db: Database,
  { contract, catalogue, agreed, unit, exchange, entry, branchCode, doneAt }: ExchangeToWrite,
): readonly Query[] {
  const { at, actor } = entry;
  const { timezone, preparationMinutes, repatriationDays } = catalogue.settings;
  const civilDoneAt = toCivilNow(timezone, doneAt);
  const occasion = {
    ...{ bookingId: contract.id, branchCode, at: doneAt, now: at, actor, preparationMinutes, repatriationDays },
    minute: toCivilMinute(civilDoneAt.date, civilDoneAt.time),
  };
  const units = contract.units.map((contractUnit) =>
    contractUnit === unit ? exchangedUnit(contractUnit, exchange, doneAt) : contractUnit,
  );
  const after = { catalogue, contract: { ...contract, units } };
  return [
    ...bookingActionStatements(db, contract, agreed ? toAgreedContractColumns(contract, agreed) : {}, entry),
    ...(agreed ? saveAgreedLinesStatements(db, contract, agreed) : []),
    ...saveVehicleExchangeStatements(db, unit, exchange, occasion),
    ...releaseVehiclesFromOtherContractsStatements(db, contract, entry),
    ...updatePaidAmountStatements(db, contract.id, at),
    ...createContractLedgerStatements(db, after, agreed ?? toAgreedLedgerTerms(contract), contract.closingCents),
    ...(agreed ? [reallocateStockStatement(db, contract.id, at)] : []),
  ];
}

// Returns new damage on the returned vehicle. Written once, because the batch contains the request key.
function createDamageStatements(
  db: Database,
  { contract, catalogue, at }: DecidedBookingAction,
  { reference }: ContractUnit,
  { damagesIn }: VehicleExchangeRequest,
): readonly Query[] {
  if (reference === undefined) return [];
  const { date } = toCivilNow(catalogue.settings.timezone, at);
  const damages = damagesIn.map((damage) => ({ ...damage, damageId: crypto.randomUUID() }));
  return newDamagesStatements(db, damages, { reference, bookingId: contract.id, opId: undefined, date });
}

interface ExchangeRecord {
  readonly catalogue: Catalogue;
  readonly unit: ContractUnit;
  readonly exchange: Omit<VehicleExchangeRequest, "damagesIn"> & {
    readonly damagesIn: readonly Pick<Damage, "part" | "kind">[];
  };
  readonly upgradeCents: number;
}

/** Creates the history entry of an exchange. */
export function createExchangeHistoryEntry({
  catalogue,
  unit: { reference },
  exchange,
  upgradeCents,
}: ExchangeRecord): Pick<BookingActionEntry, "before" | "after"> {
  const { damagesIn } = exchange;
  const upgrade = upgradeCents && toAmount(upgradeCents, catalogue.settings.currencyDecimals);
  return {
    before: {
      ...{ reference, kilometres: exchange.kilometresIn, fuel: formatFuelEighths(exchange.fuelEighthsIn) },
      ...(damagesIn.length > 0 && { damages: damagesIn.map(({ part, kind }) => ({ part, kind })) }),
    },
    after: {
      reference: exchange.reference,
      kilometres: exchange.kilometresOut,
      fuel: formatFuelEighths(exchange.fuelEighthsOut),
      ...(upgrade && { upgrade }),
    },
  };
}

// Returns the unit as it is after the batch.
function exchangedUnit(unit: ContractUnit, exchange: VehicleExchangeRequest, at: number): ContractUnit {
  const { reference, deliveryKilometres } = unit;
  const back = {
    ...{ reference: reference ?? "", returnedAt: at, deliveryKilometres: deliveryKilometres ?? null },
    returnKilometres: exchange.kilometresIn,
  };
  return {
    ...unit,
    reference: exchange.reference,
    deliveredAt: at,
    deliveryKilometres: exchange.kilometresOut,
    exchanged: [...unit.exchanged, back],
  };
}
