import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { AgreedContract, AgreedLine } from "#domain/contracts/change.ts";
import type { Contract } from "#domain/contracts/contract.ts";
import { toDiscountColumns } from "#worker/store/bookings/booking-rows.ts";
import { unassignVehiclesStatements } from "#worker/store/bookings/invalid-assignments.ts";
import { expireStockBeforeReallocationStatement } from "#worker/store/bookings/reallocation.ts";
import { joinNextAssignments } from "#worker/store/contracts/assigned-vehicles.ts";
import type { Database } from "#worker/store/database.ts";
import { violatesSqlRule } from "#worker/store/failures.ts";
import { VEHICLE_BLOCKED, VEHICLE_PROMISED } from "#worker/store/guards/sql-rules.ts";
import { selectRowsToInsert, selectRowToInsert } from "#worker/store/new-rows.ts";
import { bookingExtras, bookingHistory, bookingLines, bookings, bookingUnits } from "#worker/store/schema/bookings.ts";

type Statement = BatchItem<"sqlite">;
/** Columns of a booking that an action changes. */
export type BookingColumnChanges = {
  readonly [Name in keyof typeof bookings.$inferInsert]?: (typeof bookings.$inferInsert)[Name] | SQL;
};

/** History entry of an action: actor, time (epoch ms), values before and after, and reason. */
export interface BookingActionEntry {
  readonly at: number;
  readonly actor: string;
  readonly event: (typeof bookingHistory.$inferInsert)["event"];
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after?: Readonly<Record<string, unknown>> | undefined;
  readonly reason?: string | undefined;
  /** Document created by the action, which the mail mentions. */
  readonly documentWrite?: { readonly document: string; readonly issued: boolean } | undefined;
}

/**
 * Returns the statements that update a contract: its columns, version and history. Run `expectBookingVersionStatement`
 * before them, because they are unconditional.
 */
export function bookingActionStatements(
  db: Database,
  contract: Pick<Contract, "id" | "version">,
  change: BookingColumnChanges,
  { at, actor, event, before, after, reason, documentWrite }: BookingActionEntry,
): readonly Statement[] {
  return [
    db
      .update(bookings)
      .set({ ...change, version: contract.version + 1, lastUpdate: at })
      .where(eq(bookings.id, contract.id)),
    db.insert(bookingHistory).values({
      bookingId: contract.id,
      at,
      actor,
      event,
      detail: JSON.stringify({ ...documentWrite, before, after, reason }),
    }),
  ];
}

/** Returns the columns that change when a contract's agreed terms change. */
export function toAgreedContractColumns(contract: Contract, agreed: AgreedContract): BookingColumnChanges {
  const { categorySupplementCents: supplements, totalCents, ...sums } = agreed.totals;
  const [days, fuel, kilometres] = contract.closingCents;
  return {
    ...sums,
    ...agreed.period,
    totalCents: totalCents + days + fuel + kilometres,
    categorySupplement1Cents: supplements[0],
    categorySupplement2Cents: supplements[1],
    categorySupplement3Cents: supplements[2],
    days: agreed.days,
    pickupPlaceId: agreed.pickupPlace.id ?? null,
    returnPlaceId: agreed.returnPlace.id ?? null,
    pickupPlace: agreed.pickupPlace.name,
    returnPlace: agreed.returnPlace.name,
    branchCode: agreed.branchCode,
    returnBranchCode: agreed.returnBranchCode,
    branchGroupId: agreed.branchGroupId,
    promotionCode: agreed.promotionCode ?? null,
    driverAge: agreed.driverAge ?? null,
    driverAgeRuleId: agreed.driverAgeRuleId ?? null,
    ...toDiscountColumns(agreed.discount),
    agreedVersion: contract.version + 1,
  };
}

/**
 * Returns the statements for a contract's agreed lines, units and extras. New parts allocate stock when written.
 * `reallocateStockStatement` must end the batch and settles the rest.
 */
export function saveAgreedLinesStatements(
  db: Database,
  { id: bookingId, lines: before }: Contract,
  { lines, extras }: AgreedContract,
): readonly Statement[] {
  const bookedExtras = extras.filter(({ chargedOn }) => chargedOn === undefined);
  const staying = lines.flatMap(({ id }) => id ?? []);
  const removedLineIds = before.filter((line) => !staying.includes(line.id)).map(({ id }) => id);
  const isInBooking = eq(bookingLines.bookingId, bookingId);
  return [
    ...lines.flatMap((line) => updateLineStatements(db, before, line)),
    ...(removedLineIds.length === 0
      ? []
      : [
          db.delete(bookingUnits).where(inArray(bookingUnits.bookingLineId, removedLineIds)),
          db.delete(bookingLines).where(and(isInBooking, inArray(bookingLines.id, removedLineIds))),
        ]),
    db.insert(bookingLines).select(
      selectRowsToInsert(
        bookingLines,
        lines.filter(isNew).map((line) => ({ ...lineColumns(line), bookingId })),
      ),
    ),
    ...lines.filter(isDivided).flatMap((line) => dividedLineStatements(db, bookingId, line)),
    deleteSurplusUnits(db, bookingId),
    insertMissingUnits(db, bookingId, Math.max(...lines.map(({ quantity }) => quantity))),
    ...extrasStatements(db, bookingId, bookedExtras),
    withdrawOwnPromises(db, bookingId),
  ];
}

const isNew = ({ id, unitIds }: AgreedLine): boolean => id === undefined && unitIds === undefined;
const isDivided = ({ id, unitIds }: AgreedLine): boolean => id === undefined && unitIds !== undefined;

// Moves units of a divided line to a new line. Their stock is already allocated, so it's marked as about to
// be replaced. Otherwise the stock guard would count it twice.
function dividedLineStatements(db: Database, bookingId: number, line: AgreedLine): readonly Statement[] {
  return [
    expireStockBeforeReallocationStatement(db, bookingId),
    db.insert(bookingLines).values({ ...lineColumns(line), bookingId }),
    db
      .update(bookingUnits)
      .set({ bookingLineId: sql`(SELECT max(id) FROM booking_lines WHERE booking_id = ${bookingId})` })
      .where(inArray(bookingUnits.id, [...(line.unitIds ?? [])])),
  ];
}

function lineColumns(line: AgreedLine) {
  return {
    itemId: line.categoryCode,
    itemDescription: line.description,
    quantity: line.quantity,
    itemUnitBaseCents: line.unitBaseCents,
    itemUnitCents: line.unitCents,
    discountCents: line.discountCents ?? 0,
    itemCents: line.itemCents,
    vatBasisPoints: line.vat,
    categorySupplement1UnitCents: line.supplementUnitCents[0],
    categorySupplement2UnitCents: line.supplementUnitCents[1],
    categorySupplement3UnitCents: line.supplementUnitCents[2],
    productDepositUnitCents: line.depositUnitCents,
    productGuaranteeUnitCents: line.guaranteeUnitCents,
    depositReductionUnitCents: line.depositReductionUnitCents,
    guaranteeReductionUnitCents: line.guaranteeReductionUnitCents,
    offerId: line.offerId ?? null,
  };
}

// If the line's category changes, vehicles of the previous category are unassigned.
function updateLineStatements(db: Database, before: Contract["lines"], line: AgreedLine): readonly Statement[] {
  const { id } = line;
  if (id === undefined) return [];
  const was = before.find((bookingLine) => bookingLine.id === id);
  return [
    db.update(bookingLines).set(lineColumns(line)).where(eq(bookingLines.id, id)),
    ...(was?.categoryCode === line.categoryCode
      ? []
      : [
          db
            .update(bookingUnits)
            .set({ vehicleReference: null })
            .where(sql`booking_line_id = ${id} AND delivered_at IS NULL`),
        ]),
  ];
}

// Units without a vehicle are deleted first, delivered units never.
function deleteSurplusUnits(db: Database, bookingId: number): Statement {
  return db.delete(bookingUnits).where(
    sql`id IN (SELECT id FROM (SELECT unit.id, line.quantity,
      row_number() OVER (PARTITION BY unit.booking_line_id ORDER BY unit.delivered_at IS NULL, unit.vehicle_reference IS NULL, unit.id) AS position
      FROM booking_units AS unit JOIN booking_lines AS line ON line.id = unit.booking_line_id WHERE unit.booking_id = ${bookingId})
      WHERE position > quantity)`,
  );
}

function insertMissingUnits(db: Database, bookingId: number, targetCount: number): Statement {
  const numbers = JSON.stringify(Array.from({ length: targetCount }, (_, index) => index));
  return db.insert(bookingUnits).select(
    selectRowToInsert(
      bookingUnits,
      { bookingLineId: sql`line.id`, bookingId: sql`line.booking_id` },
      sql`FROM booking_lines AS line JOIN json_each(${numbers}) AS unit
        ON unit.value < line.quantity - (SELECT count(*) FROM booking_units AS known WHERE known.booking_line_id = line.id)
        WHERE line.booking_id = ${bookingId}`,
    ),
  );
}

function extrasStatements(db: Database, bookingId: number, extras: AgreedContract["extras"]): readonly Statement[] {
  const rows = extras.map((extra) => ({
    bookingId,
    extraId: extra.code,
    extraDescription: extra.description,
    quantity: extra.quantity,
    extraUnitCents: extra.unitCents,
    discountCents: extra.discountCents ?? 0,
    extraCents: extra.extraCents,
    vatBasisPoints: extra.vat,
  }));
  const codes = JSON.stringify(extras.map(({ code }) => code));
  return [
    db
      .delete(bookingExtras)
      .where(sql`booking_id = ${bookingId} AND extra_code NOT IN (SELECT value FROM json_each(${codes}))`),
    db
      .insert(bookingExtras)
      // Without a WHERE, SQLite would read the ON of ON CONFLICT as a join condition.
      .select(sql`${selectRowsToInsert(bookingExtras, rows)} WHERE true`)
      .onConflictDoUpdate({
        target: [bookingExtras.bookingId, bookingExtras.extraId],
        set: {
          extraDescription: sql`excluded.extra_description`,
          quantity: sql`excluded.quantity`,
          extraUnitCents: sql`excluded.extra_unit_cents`,
          discountCents: sql`excluded.discount_cents`,
          extraCents: sql`excluded.extra_cents`,
        },
      }),
  ];
}

// Unassigns vehicles that are assigned to another contract or blocked in the new period.
function withdrawOwnPromises(db: Database, bookingId: number): Statement {
  return db
    .update(bookingUnits)
    .set({ vehicleReference: null })
    .where(
      sql`booking_id = ${bookingId} AND delivered_at IS NULL AND vehicle_reference IS NOT NULL AND EXISTS (SELECT 1 FROM bookings AS mine
      WHERE mine.id = booking_units.booking_id AND (EXISTS (SELECT 1 FROM booking_units AS other INDEXED BY booking_units_promised
          JOIN bookings AS theirs ON theirs.id = other.booking_id
          WHERE other.vehicle_reference = booking_units.vehicle_reference AND other.collected_at IS NULL AND other.booking_id <> mine.id
            AND theirs.status IN ('confirmed', 'in_progress')
            AND theirs.date_from || theirs.time_from < mine.date_to || mine.time_to
            AND mine.date_from || mine.time_from < theirs.date_to || theirs.time_to)
        OR EXISTS (SELECT 1 FROM vehicle_blocks AS block WHERE block.vehicle_reference = booking_units.vehicle_reference
            AND block.ends_at > unixepoch(mine.date_from || ' ' || mine.time_from) / 60
            AND block.starts_at < unixepoch(mine.date_to || ' ' || mine.time_to) / 60)))`,
    );
}

/**
 * Returns the statements that unassign a vehicle, which stays out longer than agreed, from other contracts,
 * and add this to their history. Those contracts need another vehicle.
 */
export function releaseVehiclesFromOtherContractsStatements(
  db: Database,
  { id }: Pick<Contract, "id">,
  { at, actor }: Pick<BookingActionEntry, "at" | "actor">,
): readonly Statement[] {
  const others = sql`FROM ${joinNextAssignments(id)} AND theirs.date_from || theirs.time_from < own.date_to || own.time_to`;
  return unassignVehiclesStatements(
    db,
    others,
    { code: sql`'vehicle_stays_out'`, params: JSON.stringify({ contract: id }) },
    { at, actor },
  );
}

/** Returns why the database refused the assignment of a vehicle: it's assigned to another contract, or blocked. */
export function findAssignmentProblem(error: unknown): "vehiclePromised" | "vehicleBlocked" | undefined {
  if (violatesSqlRule(error, VEHICLE_PROMISED)) return "vehiclePromised";
  return violatesSqlRule(error, VEHICLE_BLOCKED) ? "vehicleBlocked" : undefined;
}
