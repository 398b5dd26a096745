import type { AgreedContract } from "#domain/contracts/change.ts";
import type { Contract } from "#domain/contracts/contract.ts";
import { toAgreedLedgerTerms } from "#domain/contracts/ledger.ts";
import { isDeepEqual } from "#domain/deep-equal.ts";
import { sumCents, toAmount } from "#domain/money.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { ChangedTransfer } from "#domain/transfers/change.ts";
import { setPayerAndInvoicingStatements } from "#worker/store/bookings/billing.ts";
import { reallocateStockStatement } from "#worker/store/bookings/reallocation.ts";
import { saveChangedTransferStatements, toChangedTransferColumns } from "#worker/store/contracts/change-transfer.ts";
import { assignVehicleStatement, releaseStockStatement, reopenUnitsStatements } from "#worker/store/contracts/units.ts";
import {
  bookingActionStatements,
  releaseVehiclesFromOtherContractsStatements,
  saveAgreedLinesStatements,
  toAgreedContractColumns,
} from "#worker/store/contracts/write-action.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { updatePaidAmountStatements } from "#worker/store/payments/charges.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { createCancellationDocuments } from "#worker/usecases/issuing/cancellation-documents.ts";
import type { OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import { draftClosingDocumentsWithoutVehicle, isContractCompleteAfterUnitRemoval } from "./close-without-vehicle.ts";
import {
  type BookingActionWrites,
  createBookingActionHistoryEntry,
  type DecidedBookingAction,
  getBookingActionChangedValues,
  isBookingActionWithoutEffect,
  toPriceNeutralColumnChanges,
} from "./decided-action.ts";
import { createDeskExchangeStatements } from "./exchange-writes.ts";
import { createContractLedgerStatements } from "./ledger-writes.ts";
import { createSurchargeActionWrites } from "./surcharge-writes.ts";

/** Returns the statements of an action, for one batch after `expectBookingVersionStatement`. */
export function createBookingActionWrites(
  db: Database,
  action: DecidedBookingAction,
): Result<BookingActionWrites, OfficeRefusal> {
  if (action.plan.action === "cancel" || action.plan.action === "no-show") return ok(cancelWrites(db, action));
  if (action.plan.action === "reopen") return ok(reopenWrites(db, action));
  if (isBookingActionWithoutEffect(action)) return ok({ before: [], documents: [], after: [] });
  if (action.plan.action === "change" && action.plan.agreed) return ok(changeWrites(db, action, action.plan.agreed));
  if (action.plan.surcharge) return ok(createSurchargeActionWrites(db, action, action.plan.surcharge));
  const writes = plainWrites(db, action);
  return writes.ok ? ok({ before: writes.value, documents: [], after: [] }) : writes;
}

function plainWrites(db: Database, action: DecidedBookingAction): Result<readonly Query[], OfficeRefusal> {
  switch (action.plan.action) {
    case "confirm":
      return ok(
        bookingActionStatements(
          db,
          action.contract,
          { status: "confirmed", expiresAt: null },
          createBookingActionHistoryEntry(action, {}),
        ),
      );
    case "change":
      return ok(action.plan.transfer ? transferWrites(db, action, action.plan.transfer) : agreeWrites(db, action));
    case "extend":
    case "early-return":
      return ok(agreeWrites(db, action));
    case "assign":
      return assignWrites(db, action);
    case "exchange":
      return createDeskExchangeStatements(db, action);
    default:
      throw new Error(`${action.plan.action} is done as field work`);
  }
}

// Columns that remove a manual price, because the changed contract is priced again.
const NO_OVERRIDE = { priceDifferenceCents: 0, priceReason: null };

function transferWrites(db: Database, action: DecidedBookingAction, transfer: ChangedTransfer): readonly Query[] {
  const { contract, at } = action;
  const before = contract.transfer?.trips ?? [];
  const keepsOverride = before.every((trip, index) => (transfer.trips[index] ?? trip).priceCents === trip.priceCents);
  const columns = {
    ...toChangedTransferColumns(contract, transfer),
    ...toPriceNeutralColumnChanges(action),
    ...(!(keepsOverride && isDeepEqual(contract.discount, transfer.discount)) && NO_OVERRIDE),
  };
  return [
    ...bookingActionStatements(
      db,
      contract,
      columns,
      createBookingActionHistoryEntry(action, getBookingActionChangedValues(action)),
    ),
    ...saveChangedTransferStatements(db, contract, transfer, at),
    ...setPayerAndInvoicingStatements(db, { bookingId: contract.id }, action.billing?.change ?? {}),
    ...updatePaidAmountStatements(db, contract.id, at),
  ];
}

// If the last pending unit is removed and all others are back, the contract is completed.
function changeWrites(db: Database, action: DecidedBookingAction, agreed: AgreedContract): BookingActionWrites {
  if (!isContractCompleteAfterUnitRemoval(action.contract, agreed))
    return { before: agreeWrites(db, action), documents: [], after: [] };
  return {
    before: agreeWrites(db, action, { status: "done" }),
    documents: draftClosingDocumentsWithoutVehicle(action, agreed),
    after: updatePaidAmountStatements(db, action.contract.id, action.at),
  };
}

function agreeWrites(
  db: Database,
  action: DecidedBookingAction,
  over: { readonly status?: "done" } = {},
): readonly Query[] {
  const { contract, plan, at } = action;
  const details = toPriceNeutralColumnChanges(action);
  const { agreed } = plan;
  const entry = createBookingActionHistoryEntry(action, getBookingActionChangedValues(action));
  const billing = setPayerAndInvoicingStatements(db, { bookingId: contract.id }, action.billing?.change ?? {});
  if (!agreed) return [...bookingActionStatements(db, contract, details, entry), ...billing];
  const keepsOverride = agreed.lines.every((line) =>
    contract.lines.some((bookingLine) => bookingLine.id === line.id && bookingLine.unitCents === line.unitCents),
  );
  const keepsDiscount = isDeepEqual(contract.discount, agreed.discount);
  const columns = {
    ...toAgreedContractColumns(contract, agreed),
    ...details,
    ...over,
    ...(!(keepsOverride && keepsDiscount) && NO_OVERRIDE),
  };
  return [
    ...bookingActionStatements(db, contract, columns, entry),
    ...billing,
    ...saveAgreedLinesStatements(db, contract, agreed),
    ...(plan.action === "extend" ? releaseVehiclesFromOtherContractsStatements(db, contract, entry) : []),
    ...updatePaidAmountStatements(db, contract.id, at),
    ...createContractLedgerStatements(db, action, agreed, contract.closingCents),
    // The vehicles of a reopened contract are back, so it uses no stock.
    contract.reopenedAt === undefined
      ? reallocateStockStatement(db, contract.id, at)
      : releaseStockStatement(db, contract.id),
  ];
}

function cancelWrites(db: Database, action: DecidedBookingAction): BookingActionWrites {
  const { contract, plan, at, catalogue } = action;
  const { currencyDecimals } = catalogue.settings;
  const after = {
    status: "cancelled",
    fee: toAmount(plan.feeCents, currencyDecimals),
    toRefund: toAmount(plan.toRefundCents, currencyDecimals),
  };
  const columns = {
    status: "cancelled",
    expiresAt: null,
    cancelledAt: at,
    cancellationFeeCents: plan.feeCents,
    cancellationReason: plan.action === "cancel" ? "cancelled" : "no_show",
  } as const;
  const { date } = toCivilNow(catalogue.settings.timezone, at);
  return {
    before: bookingActionStatements(
      db,
      contract,
      columns,
      createBookingActionHistoryEntry(action, { before: { status: contract.status }, after }),
    ),
    ...createCancellationDocuments(db, {
      rows: action.toInvoice,
      feeCents: plan.feeCents,
      settings: catalogue.settings,
      at,
      date,
    }),
  };
}

function assignWrites(db: Database, action: DecidedBookingAction): Result<readonly Query[], OfficeRefusal> {
  const { contract, input, vehicle } = action;
  const { unitId, reference } = input.assignment ?? { unitId: undefined, reference: undefined };
  if (reference !== undefined && !vehicle) return err({ kind: "vehicleNotFound" });
  const unit = findUnitToAssign(action, unitId);
  if (!unit) return err({ kind: "unitNotFound" });
  const refused = vehicle && findWrongVehicle(action, unit, vehicle);
  if (refused) return err(refused);
  const event = reference === undefined ? ("unassigned" as const) : ("assigned" as const);
  const entry = {
    ...createBookingActionHistoryEntry(action, {
      before: { reference: unit.reference ?? null },
      after: { reference: reference ?? null },
    }),
    event,
  };
  return ok([...bookingActionStatements(db, contract, {}, entry), assignVehicleStatement(db, unit.id, reference)]);
}

// Returns why a vehicle can't be assigned. If a branch moved to another branch group, its earlier bookings can also use
// vehicles of the new group.
function findWrongVehicle(
  { contract, catalogue }: DecidedBookingAction,
  unit: Contract["units"][number],
  { categoryCode, branchGroupId, soldReleaseDate }: NonNullable<DecidedBookingAction["vehicle"]>,
): OfficeRefusal | undefined {
  const line = contract.lines.find(({ id }) => id === unit.lineId);
  if (categoryCode !== line?.categoryCode) return { kind: "vehicleOfOtherCategory" };
  const groupNow = catalogue.branches.get(contract.branchCode)?.branchGroupId;
  if (branchGroupId !== contract.branchGroupId && branchGroupId !== groupNow) return { kind: "vehicleOfOtherGroup" };
  return soldReleaseDate && soldReleaseDate <= contract.period.dateTo ? { kind: "vehicleLeaves" } : undefined;
}

// Returns the unit with this id, or else a unit of the vehicle's category. Prefers a unit without a vehicle for
// assigning one, and a unit with a vehicle for removing it.
function findUnitToAssign({ contract, vehicle, input }: DecidedBookingAction, unitId: number | undefined) {
  const notDelivered = contract.units.filter((unit) => unit.deliveredAt === undefined);
  if (unitId !== undefined) return notDelivered.find(({ id }) => id === unitId);
  const isFitting = ({ lineId }: Contract["units"][number]) =>
    contract.lines.some(({ id, categoryCode }) => id === lineId && categoryCode === vehicle?.categoryCode);
  const matchingUnits = vehicle ? notDelivered.filter(isFitting) : notDelivered;
  const isAssigning = input.assignment?.reference !== undefined;
  return (
    matchingUnits.find(({ reference }) => (reference === undefined) === isAssigning) ??
    matchingUnits[0] ??
    notDelivered[0]
  );
}

function reopenWrites(db: Database, action: DecidedBookingAction): BookingActionWrites {
  const { contract, creditNotes, catalogue, at } = action;
  const { date } = toCivilNow(catalogue.settings.timezone, at);
  const closingCents = sumCents(contract.closingCents);
  const totalCents = contract.totals.totalCents - closingCents;
  const columns = {
    status: "in_progress",
    reopenedAt: at,
    supplement1Cents: 0,
    supplement2Cents: 0,
    supplement3Cents: 0,
    totalCents,
  } as const;
  const { currencyDecimals } = catalogue.settings;
  const before = { status: contract.status, total: toAmount(contract.totals.totalCents, currencyDecimals) };
  const after = { status: "in_progress", total: toAmount(totalCents, currencyDecimals) };
  const writing = { at, date, bookingId: contract.id, issued: true, series: catalogue.settings };
  const reopened = { ...action, contract: { ...contract, status: "in_progress" as const } };
  return {
    before: [
      ...bookingActionStatements(db, contract, columns, createBookingActionHistoryEntry(action, { before, after })),
      ...reopenUnitsStatements(db, contract.id),
    ],
    documents: creditNotes.map((draft, index) => {
      const uid = `reopened:${contract.id}:${contract.version}:${index}`;
      return { draft, writing: { ...writing, uid } };
    }),
    after: [
      ...updatePaidAmountStatements(db, contract.id, at),
      ...createContractLedgerStatements(db, reopened, toAgreedLedgerTerms(contract), [0, 0, 0]),
    ],
  };
}
