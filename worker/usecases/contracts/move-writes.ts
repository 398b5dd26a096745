import type { AgreedContract } from "#domain/contracts/change.ts";
import type { Contract } from "#domain/contracts/contract.ts";
import { asAgreed } from "#domain/contracts/ledger.ts";
import { isSame } from "#domain/is-same.ts";
import { sumCents, toAmount } from "#domain/money.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { ChangedTransfer } from "#domain/transfers/change.ts";
import { billingStatements } from "#worker/store/bookings/billing.ts";
import { reallocateStatement } from "#worker/store/bookings/reallocation.ts";
import { changedTransferColumns, changedTransferStatements } from "#worker/store/contracts/change-transfer.ts";
import { assignStatement, giveBackStatement, reopenUnits } from "#worker/store/contracts/units.ts";
import {
  agreedColumns,
  agreedPartsStatements,
  moveStatements,
  unassignOtherContracts,
} from "#worker/store/contracts/write-move.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { paidSumsStatements } from "#worker/store/payments/charges.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { cancellationDocuments } from "#worker/usecases/issuing/cancellation-documents.ts";
import type { OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import { draftDocumentsWithoutVehicle, isCompletedBy } from "./close-without.ts";
import {
  changesNothing,
  createHistoryEntry,
  type DecidedMove,
  detailColumns,
  getDifference,
  type MoveWrites,
} from "./decided-move.ts";
import { exchangeWrites } from "./exchange-writes.ts";
import { ledgerWrites } from "./ledger-writes.ts";
import { surchargeWrites } from "./surcharge-writes.ts";

/** Returns the statements of an action, for one batch after `expectVersion`. */
export function moveWrites(db: Database, move: DecidedMove): Result<MoveWrites, OfficeRefusal> {
  if (move.plan.move === "cancel" || move.plan.move === "no-show") return ok(cancelWrites(db, move));
  if (move.plan.move === "reopen") return ok(reopenWrites(db, move));
  if (changesNothing(move)) return ok({ before: [], documents: [], after: [] });
  if (move.plan.move === "change" && move.plan.agreed) return ok(changeWrites(db, move, move.plan.agreed));
  if (move.plan.surcharge) return ok(surchargeWrites(db, move, move.plan.surcharge));
  const writes = plainWrites(db, move);
  return writes.ok ? ok({ before: writes.value, documents: [], after: [] }) : writes;
}

function plainWrites(db: Database, move: DecidedMove): Result<readonly Query[], OfficeRefusal> {
  switch (move.plan.move) {
    case "confirm":
      return ok(
        moveStatements(db, move.contract, { status: "confirmed", expiresAt: null }, createHistoryEntry(move, {})),
      );
    case "change":
      return ok(move.plan.transfer ? transferWrites(db, move, move.plan.transfer) : agreeWrites(db, move));
    case "extend":
    case "early-return":
      return ok(agreeWrites(db, move));
    case "assign":
      return assignWrites(db, move);
    case "exchange":
      return exchangeWrites(db, move);
    default:
      throw new Error(`${move.plan.move} is done as field work`);
  }
}

// Columns that remove a manual price, because the changed contract is priced again.
const NO_OVERRIDE = { priceDifferenceCents: 0, priceReason: null };

function transferWrites(db: Database, move: DecidedMove, transfer: ChangedTransfer): readonly Query[] {
  const { contract, at } = move;
  const before = contract.transfer?.trips ?? [];
  const keepsOverride = before.every((trip, index) => (transfer.trips[index] ?? trip).priceCents === trip.priceCents);
  const columns = {
    ...changedTransferColumns(contract, transfer),
    ...detailColumns(move),
    ...(!keepsOverride && NO_OVERRIDE),
  };
  return [
    ...moveStatements(db, contract, columns, createHistoryEntry(move, getDifference(move))),
    ...changedTransferStatements(db, contract, transfer, at),
    ...billingStatements(db, { bookingId: contract.id }, move.billing?.change ?? {}),
    ...paidSumsStatements(db, contract.id, at),
  ];
}

// If the last pending unit is removed and all others are back, the contract is completed.
function changeWrites(db: Database, move: DecidedMove, agreed: AgreedContract): MoveWrites {
  if (!isCompletedBy(move.contract, agreed)) return { before: agreeWrites(db, move), documents: [], after: [] };
  return {
    before: agreeWrites(db, move, { status: "done" }),
    documents: draftDocumentsWithoutVehicle(move, agreed),
    after: paidSumsStatements(db, move.contract.id, move.at),
  };
}

function agreeWrites(db: Database, move: DecidedMove, over: { readonly status?: "done" } = {}): readonly Query[] {
  const { contract, plan, at } = move;
  const details = detailColumns(move);
  const { agreed } = plan;
  const entry = createHistoryEntry(move, getDifference(move));
  const billing = billingStatements(db, { bookingId: contract.id }, move.billing?.change ?? {});
  if (!agreed) return [...moveStatements(db, contract, details, entry), ...billing];
  const keepsOverride = agreed.lines.every((line) =>
    contract.lines.some((bookingLine) => bookingLine.id === line.id && bookingLine.unitCents === line.unitCents),
  );
  const keepsDiscount = isSame(contract.discount, agreed.discount);
  const columns = {
    ...agreedColumns(contract, agreed),
    ...details,
    ...over,
    ...(!(keepsOverride && keepsDiscount) && NO_OVERRIDE),
  };
  return [
    ...moveStatements(db, contract, columns, entry),
    ...billing,
    ...agreedPartsStatements(db, contract, agreed),
    ...(plan.move === "extend" ? unassignOtherContracts(db, contract, entry) : []),
    ...paidSumsStatements(db, contract.id, at),
    ...ledgerWrites(db, move, agreed, contract.closingCents),
    // The vehicles of a reopened contract are back, so it uses no stock.
    contract.reopenedAt === undefined ? reallocateStatement(db, contract.id, at) : giveBackStatement(db, contract.id),
  ];
}

function cancelWrites(db: Database, move: DecidedMove): MoveWrites {
  const { contract, plan, at, catalogue } = move;
  const { currencyDecimals } = catalogue.settings;
  const after = {
    fee: toAmount(plan.feeCents, currencyDecimals),
    toRefund: toAmount(plan.toRefundCents, currencyDecimals),
  };
  const columns = {
    status: "cancelled",
    expiresAt: null,
    cancelledAt: at,
    cancellationFeeCents: plan.feeCents,
    cancellationReason: plan.move === "cancel" ? "cancelled" : "no_show",
  } as const;
  const { date } = civilNow(catalogue.settings.timezone, at);
  return {
    before: moveStatements(
      db,
      contract,
      columns,
      createHistoryEntry(move, { before: { status: contract.status }, after }),
    ),
    ...cancellationDocuments(db, {
      rows: move.toInvoice,
      feeCents: plan.feeCents,
      settings: catalogue.settings,
      at,
      date,
    }),
  };
}

function assignWrites(db: Database, move: DecidedMove): Result<readonly Query[], OfficeRefusal> {
  const { contract, input, vehicle } = move;
  const { unitId, reference } = input.assignment ?? { unitId: undefined, reference: undefined };
  if (reference !== undefined && !vehicle) return err({ kind: "vehicleNotFound" });
  const unit = findUnitToAssign(move, unitId);
  if (!unit) return err({ kind: "unitNotFound" });
  const refused = vehicle && findWrongVehicle(move, unit, vehicle);
  if (refused) return err(refused);
  const event = reference === undefined ? ("unassigned" as const) : ("assigned" as const);
  const entry = {
    ...createHistoryEntry(move, {
      before: { reference: unit.reference ?? null },
      after: { reference: reference ?? null },
    }),
    event,
  };
  return ok([...moveStatements(db, contract, {}, entry), assignStatement(db, unit.id, reference)]);
}

// Returns why a vehicle can't be assigned. If a branch moved to another branch group, its earlier bookings can also use
// vehicles of the new group.
function findWrongVehicle(
  { contract, catalogue }: DecidedMove,
  unit: Contract["units"][number],
  { categoryCode, branchGroupId, soldReleaseDate }: NonNullable<DecidedMove["vehicle"]>,
): OfficeRefusal | undefined {
  const line = contract.lines.find(({ id }) => id === unit.lineId);
  if (categoryCode !== line?.categoryCode) return { kind: "vehicleOfOtherCategory" };
  const groupNow = catalogue.branches.get(contract.branchCode)?.branchGroupId;
  if (branchGroupId !== contract.branchGroupId && branchGroupId !== groupNow) return { kind: "vehicleOfOtherGroup" };
  return soldReleaseDate && soldReleaseDate <= contract.period.dateTo ? { kind: "vehicleLeaves" } : undefined;
}

// Returns the unit with this id, or else a unit of the vehicle's category. Prefers a unit without a vehicle for
// assigning one, and a unit with a vehicle for removing it.
function findUnitToAssign({ contract, vehicle, input }: DecidedMove, unitId: number | undefined) {
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

function reopenWrites(db: Database, move: DecidedMove): MoveWrites {
  const { contract, notes, catalogue, at } = move;
  const { date } = civilNow(catalogue.settings.timezone, at);
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
  const reopened = { ...move, contract: { ...contract, status: "in_progress" as const } };
  return {
    before: [
      ...moveStatements(db, contract, columns, createHistoryEntry(move, { before, after })),
      ...reopenUnits(db, contract.id),
    ],
    documents: notes.map((draft, index) => {
      const uid = `reopened:${contract.id}:${contract.version}:${index}`;
      return { draft, writing: { ...writing, uid } };
    }),
    after: [...paidSumsStatements(db, contract.id, at), ...ledgerWrites(db, reopened, asAgreed(contract), [0, 0, 0])],
  };
}
