import { canAccessBranch } from "#domain/access/sessions.ts";
import type { CivilMinute } from "#domain/dates.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { QueryResults } from "#worker/store/database.ts";
import {
  deleteVehicleBlockStatements,
  insertVehicleBlockStatements,
  nextVehicleBlockIdQuery,
  updateVehicleBlockStatements,
  type VehicleBlockRow,
  vehicleBlockQuery,
} from "#worker/store/fleet/office-vehicles.ts";
import type { OfficeRefusal, OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { type OfficeReadBackContext, runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { toVehicleAnswer, vehicleAnswerQueries } from "./office-vehicles.ts";

/** Period in civil minutes in which a vehicle can't be rented, with its reason. */
export interface RequestedVehicleBlock {
  readonly startsAt: CivilMinute;
  readonly endsAt: CivilMinute;
  readonly kind: "workshop" | "transfer" | "other";
  readonly note: string;
}

/**
 * Blocks a vehicle. Existing bookings stay valid. If fewer vehicles remain than are sold, a shortage task is
 * created. The vehicle is unassigned from contracts in the blocked period, which then need another one.
 */
export function blockVehicle(
  write: OfficeWrite,
  reference: string,
  block: RequestedVehicleBlock,
): Promise<Result<StaffAnswer<VehicleBlockRow>, OfficeRefusal>> {
  const { db } = write.tenant;
  return runOfficeWriteOnce(write, {
    ...answerBlock(write),
    right: "sell",
    content: { reference, block },
    read: (catalogue) => [nextVehicleBlockIdQuery(db), ...vehicleAnswerQueries(db, catalogue, reference, write.now)],
    decide: ({ rows: [[next], ...rows], staff, actor }) => {
      if (!toVehicleAnswer(rows, staff)) return err({ kind: "vehicleNotFound" });
      const { note, ...span } = block;
      const id = next?.id ?? 1;
      const row = { ...span, id, vehicleReference: reference, reason: note, version: 1 };
      const entry = { reference, at: write.now, actor, event: "blocked" as const, after: { ...block } };
      return ok({ resource: String(id), statements: insertVehicleBlockStatements(db, row, entry) });
    },
  });
}

/** Changes a block's time, reason or note. */
export function changeVehicleBlock(
  write: OfficeWrite,
  id: number,
  { expectedVersion, change }: { readonly expectedVersion: number; readonly change: Partial<RequestedVehicleBlock> },
): Promise<Result<StaffAnswer<VehicleBlockRow>, OfficeRefusal>> {
  const { db } = write.tenant;
  return runOfficeWriteOnce(write, {
    ...answerBlock(write),
    right: "sell",
    content: { id, change, expectedVersion },
    read: () => [vehicleBlockQuery(db, id)] as const,
    decide: ({ rows: [[item]], staff, actor }) => {
      if (!item || !canAccessBranch(staff, item.branchCode)) return err({ kind: "blockNotFound" });
      const { branchCode: _, ...block } = item;
      if (block.version !== expectedVersion) return err({ kind: "blockChanged", block });
      const { note = block.reason, ...span } = change;
      const row = { ...block, ...span, reason: note, version: block.version + 1 };
      if (row.endsAt <= row.startsAt)
        return err({ kind: "invalid", field: "to", reason: createReason("later", "from") });
      const { vehicleReference: reference } = block;
      const entry = { reference, at: write.now, actor, event: "block_changed" as const, before: block, after: row };
      return ok({ resource: String(id), statements: updateVehicleBlockStatements(db, row, entry) });
    },
  });
}

/** Removes a block. Safe to repeat with the same key. */
export function removeVehicleBlock(
  write: OfficeWrite,
  id: number,
): Promise<Result<StaffAnswer<"removed">, OfficeRefusal>> {
  const { db } = write.tenant;
  return runOfficeWriteOnce(write, {
    right: "sell",
    content: { remove: id },
    read: () => [vehicleBlockQuery(db, id)] as const,
    readBack: () => [],
    answer: () => ok("removed" as const),
    decide: ({ rows: [[item]], staff, actor }) => {
      if (!item || !canAccessBranch(staff, item.branchCode)) return err({ kind: "blockNotFound" });
      const { branchCode: _, ...before } = item;
      const entry = { reference: item.vehicleReference, at: write.now, actor, event: "unblocked" as const, before };
      return ok({ resource: String(id), statements: deleteVehicleBlockStatements(db, id, entry) });
    },
  });
}

// Returns the queries that read a block in the batch of its write, and the function that builds the answer.
function answerBlock({ tenant }: OfficeWrite) {
  return {
    readBack: (id: string) => [vehicleBlockQuery(tenant.db, Number(id))] as const,
    answer: (
      [[item]]: QueryResults<BlockQueries>,
      { staff }: OfficeReadBackContext,
    ): Result<VehicleBlockRow, OfficeRefusal> => {
      if (!item || !canAccessBranch(staff, item.branchCode)) return err({ kind: "blockNotFound" });
      const { branchCode: _, ...block } = item;
      return ok(block);
    },
  };
}

type BlockQueries = readonly [ReturnType<typeof vehicleBlockQuery>];
