import type { Contract, ContractUnit } from "#domain/bookings/moves/contract.ts";
import { findImprobableExchange, findUnitToExchange } from "#domain/bookings/moves/exchange.ts";
import { asAgreed, toLedgerSource } from "#domain/bookings/moves/ledger.ts";
import type { Exchange } from "#domain/bookings/moves/requests.ts";
import { formatEighths } from "#domain/check-in/fuel.ts";
import { sumOf, toAmount } from "#domain/money.ts";
import { ledgerOf } from "#domain/reporting/ledger.ts";
import { toLedgerContract } from "#domain/reporting/ledger-source.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import type { ChangedTransfer } from "#domain/transfers/change.ts";
import { exchangeStatements } from "#worker/store/bookings/moves/exchange.ts";
import { assignStatement, giveBackStatement, reopenUnits } from "#worker/store/bookings/moves/units.ts";
import {
  agreedColumns,
  agreedPartsStatements,
  moveStatements,
  withdrawPromisesOfOthers,
} from "#worker/store/bookings/moves/write-move.ts";
import { reallocateStatement } from "#worker/store/bookings/reallocation.ts";
import { damageStatements } from "#worker/store/check-in/damages.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { paidSumsStatements } from "#worker/store/payments/charges.ts";
import { ledgerStatements } from "#worker/store/reporting/ledger.ts";
import { changedTransferColumns, changedTransferStatements } from "#worker/store/transfers/change-transfer.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { cancellationDocuments } from "#worker/usecases/documents/cancellation-documents.ts";
import type { ToIssue } from "#worker/usecases/tax-records/to-issue.ts";
import { type DecidedMove, detailColumns, differenceOf, entryOf } from "./decided-move.ts";
import type { OfficeRefusal } from "./office-context.ts";

/** What a move writes, in this order: its documents are issued between the others (`issueDocuments`). */
export interface MoveWrites {
  readonly before: readonly Query[];
  readonly documents: readonly ToIssue[];
  readonly after: readonly Query[];
}

/** The statements of a move, for one batch after `expectVersion`. */
export function moveWrites(db: Database, move: DecidedMove): Result<MoveWrites, OfficeRefusal> {
  if (move.plan.move === "cancel" || move.plan.move === "no-show") return ok(cancelWrites(db, move));
  if (move.plan.move === "reopen") return ok(reopenWrites(db, move));
  const writes = plainWrites(db, move);
  return writes.ok ? ok({ before: writes.value, documents: [], after: [] }) : writes;
}

function plainWrites(db: Database, move: DecidedMove): Result<readonly Query[], OfficeRefusal> {
  switch (move.plan.move) {
    case "confirm":
      return ok(moveStatements(db, move.contract, { status: "confirmed", expiresAt: null }, entryOf(move, {})));
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

function transferWrites(db: Database, move: DecidedMove, transfer: ChangedTransfer): readonly Query[] {
  const { contract, input, at } = move;
  const columns = { ...changedTransferColumns(contract, transfer), ...detailColumns(contract, input) };
  return [
    ...moveStatements(db, contract, columns, entryOf(move, differenceOf(move))),
    ...changedTransferStatements(db, contract, transfer, at),
    ...paidSumsStatements(db, contract.id, at),
  ];
}

function agreeWrites(db: Database, move: DecidedMove): readonly Query[] {
  const { contract, plan, input, at } = move;
  const details = detailColumns(contract, input);
  const { agreed } = plan;
  const entry = entryOf(move, differenceOf(move));
  if (!agreed) return moveStatements(db, contract, details, entry);
  const keepsOverride = agreed.lines.every((line) =>
    contract.lines.some((one) => one.id === line.id && one.unitCents === line.unitCents),
  );
  const columns = {
    ...agreedColumns(contract, agreed),
    ...details,
    ...(!keepsOverride && { priceDifferenceCents: 0, priceReason: null }),
  };
  return [
    ...moveStatements(db, contract, columns, entry),
    ...agreedPartsStatements(db, contract, agreed),
    ...(plan.move === "extend" ? withdrawPromisesOfOthers(db, contract, entry) : []),
    ...paidSumsStatements(db, contract.id, at),
    ...ledgerWrites(db, move, agreed, contract.closingCents),
    // The vehicles of a contract that is open again are back: it takes nothing.
    contract.reopenedAt === undefined ? reallocateStatement(db, contract.id, at) : giveBackStatement(db, contract.id),
  ];
}

function ledgerWrites(
  db: Database,
  { contract, catalogue }: DecidedMove,
  agreed: ReturnType<typeof asAgreed>,
  closingCents: Contract["closingCents"],
): readonly Query[] {
  const source = toLedgerSource(contract, agreed, closingCents);
  const dateOf = (at: number) => civilNow(catalogue.settings.timezone, at).date;
  const counted = toLedgerContract(source, dateOf);
  return counted ? ledgerStatements(db, contract.id, ledgerOf(counted)) : [];
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
    before: moveStatements(db, contract, columns, entryOf(move, { before: { status: contract.status }, after })),
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
  if (reference !== undefined && !vehicle) return refuse({ kind: "vehicleNotFound" });
  const unit = findUnitToAssign(move, unitId);
  if (!unit) return refuse({ kind: "unitNotFound" });
  const line = contract.lines.find(({ id }) => id === unit.lineId);
  if (vehicle && vehicle.categoryCode !== line?.categoryCode) return refuse({ kind: "vehicleOfOtherCategory" });
  const event = reference === undefined ? ("unassigned" as const) : ("assigned" as const);
  const entry = {
    ...entryOf(move, { before: { reference: unit.reference ?? null }, after: { reference: reference ?? null } }),
    event,
  };
  return ok([...moveStatements(db, contract, {}, entry), assignStatement(db, unit.id, reference)]);
}

// The one that is named; else one of the vehicle's category, those without a vehicle first.
function findUnitToAssign({ contract, vehicle, input }: DecidedMove, unitId: number | undefined) {
  const notDelivered = contract.units.filter((unit) => unit.deliveredAt === undefined);
  if (unitId !== undefined) return notDelivered.find(({ id }) => id === unitId);
  const isFitting = ({ lineId }: Contract["units"][number]) =>
    contract.lines.some(({ id, categoryCode }) => id === lineId && categoryCode === vehicle?.categoryCode);
  const wanted = vehicle ? notDelivered.filter(isFitting) : notDelivered;
  const isAssigning = input.assignment?.reference !== undefined;
  return wanted.find(({ reference }) => (reference === undefined) === isAssigning) ?? wanted[0] ?? notDelivered[0];
}

function exchangeWrites(db: Database, move: DecidedMove): Result<readonly Query[], OfficeRefusal> {
  const { contract, plan, input, vehicle, at } = move;
  const { exchange, request } = input;
  const unit = findUnitToExchange(contract, request.move === "exchange" ? request.unitId : undefined);
  if (!vehicle || !exchange) return refuse({ kind: "vehicleNotFound" });
  if (!unit) return refuse({ kind: "unitNotFound" });
  if (unit.reference === vehicle.reference)
    return refuse({ kind: "invalid", field: "reference", reason: "is the vehicle that is out" });
  if (vehicle.isBlocked) return refuse({ kind: "vehicleBlocked" });
  const { kilometresADay } = move.catalogue.settings;
  const odd = findImprobableExchange(unit, exchange, { at, vehicleKilometres: vehicle.kilometres, kilometresADay });
  if (odd) return refuse(odd);
  const { agreed } = plan;
  const entry = entryOf(move, exchangeEntry(move, unit, exchange));
  const units = contract.units.map((one) => (one === unit ? exchangedUnit(one, exchange, at) : one));
  return ok([
    ...moveStatements(db, contract, agreed ? agreedColumns(contract, agreed) : {}, entry),
    ...(agreed ? agreedPartsStatements(db, contract, agreed) : []),
    ...exchangeStatements(db, unit, exchange, { bookingId: contract.id, branchCode: vehicle.branchCode, at }),
    ...seenDamages(db, move, unit, exchange),
    ...withdrawPromisesOfOthers(db, contract, entry),
    ...paidSumsStatements(db, contract.id, at),
    ...ledgerWrites(
      db,
      { ...move, contract: { ...contract, units } },
      agreed ?? asAgreed(contract),
      contract.closingCents,
    ),
    ...(agreed ? [reallocateStatement(db, contract.id, at)] : []),
  ]);
}

// What is new on the vehicle that comes back. It is written once: the batch names the key that it is done under.
function seenDamages(
  db: Database,
  { contract, catalogue, at }: DecidedMove,
  { reference }: ContractUnit,
  { damagesIn }: Exchange,
): readonly Query[] {
  if (reference === undefined) return [];
  const { date } = civilNow(catalogue.settings.timezone, at);
  const damages = damagesIn.map((damage) => ({ ...damage, damageId: crypto.randomUUID() }));
  return damageStatements(db, damages, { reference, bookingId: contract.id, opId: undefined, date });
}

function exchangeEntry({ plan, catalogue }: DecidedMove, { reference }: ContractUnit, exchange: Exchange) {
  const { damagesIn } = exchange;
  const upgrade = plan.differenceCents && toAmount(plan.differenceCents, catalogue.settings.currencyDecimals);
  return {
    before: {
      ...{ reference, kilometres: exchange.kilometresIn, fuel: formatEighths(exchange.fuelEighthsIn) },
      ...(damagesIn.length > 0 && { damages: damagesIn.map(({ part, kind }) => ({ part, kind })) }),
    },
    after: {
      reference: exchange.reference,
      kilometres: exchange.kilometresOut,
      fuel: formatEighths(exchange.fuelEighthsOut),
      ...(upgrade && { upgrade }),
    },
  };
}

// As the batch will leave it.
function exchangedUnit(unit: ContractUnit, exchange: Exchange, at: number): ContractUnit {
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

function reopenWrites(db: Database, move: DecidedMove): MoveWrites {
  const { contract, notes, catalogue, at } = move;
  const { date } = civilNow(catalogue.settings.timezone, at);
  const closingCents = sumOf(contract.closingCents);
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
      ...moveStatements(db, contract, columns, entryOf(move, { before, after })),
      ...reopenUnits(db, contract.id),
    ],
    documents: notes.map((draft, index) => {
      const uid = `reopened:${contract.id}:${contract.version}:${index}`;
      return { draft, writing: { ...writing, uid } };
    }),
    after: [...paidSumsStatements(db, contract.id, at), ...ledgerWrites(db, reopened, asAgreed(contract), [0, 0, 0])],
  };
}
