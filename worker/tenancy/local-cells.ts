import { applyMigrations } from "#worker/directory/apply-migrations.ts";
import type { Cells } from "#worker/directory/cells.ts";
import { DirectoryRefusalError } from "#worker/directory/refusal.ts";
import { createUsageMeter, type Database, openDatabase } from "#worker/store/database.ts";
import { findNumberedDatabase, listDatabaseSlots } from "./bindings.ts";
import { getCellName } from "./deployment.ts";

/** Access to the databases of this cell only, for a deployment without a router. */
export function openLocalCells(env: Cloudflare.Env): Cells {
  const refuseOtherCell = (cell: string): void => {
    if (cell === getCellName(env)) return;
    throw new DirectoryRefusalError(
      409,
      "cell_unknown",
      `This is cell ${getCellName(env)}. Ask the router for cell ${cell}`,
    );
  };
  const open = (cell: string, slot: number): D1Database => {
    refuseOtherCell(cell);
    const database = findNumberedDatabase(env, slot);
    if (!database)
      throw new DirectoryRefusalError(
        409,
        "slot_not_bound",
        `Cell ${cell} binds no database ${slot}. Deploy the cell first`,
      );
    return database.binding;
  };
  return {
    open,
    list: async (cell) => {
      refuseOtherCell(cell);
      return listDatabaseSlots(env).map(({ slot = 0, jurisdiction = "" }) => ({ slot, jurisdiction }));
    },
    migrate: (cell, slots, migrations) =>
      Promise.all(slots.map((slot) => applyMigrations(open(cell, slot), slot, migrations))),
  };
}

/** Opens a numbered database of any company for the operator. Undefined if this cell doesn't bind it. */
export function openNumberedDatabase(
  env: Cloudflare.Env,
  slot: number,
): { readonly name: string; readonly db: Database } | undefined {
  const database = findNumberedDatabase(env, slot);
  return database && { name: `database ${slot}`, db: openDatabase(database.binding, createUsageMeter()) };
}
