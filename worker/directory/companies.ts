import type { Cells } from "./cells.ts";
import { findCompanyMove } from "./move.ts";
import { claimDatabase, wipeDatabase } from "./owner.ts";
import { type AccountPlacementState, type CompanyPlacement, findPlacement } from "./placements.ts";
import { DirectoryRefusalError } from "./refusal.ts";
import { SLOT_QUARANTINE_MS } from "./slots.ts";

/** Names of companies: 2 to 31 lowercase letters, digits and hyphens. */
export const ACCOUNT_NAME_PATTERN = /^[a-z][a-z0-9-]{0,29}[a-z0-9]$/;

/** Requested jurisdiction and cell of a new company's database. */
export interface RequestedPlacement {
  /** Jurisdiction of the database: "eu", "us", or "" for none. */
  readonly jurisdiction: string;
  /** Required cell. Undefined if any cell is possible. */
  readonly cell: string | undefined;
}

/** Assigns a spare database to a new company, still without settings. A repeated call continues an interrupted one. */
export async function assignSpareDatabase(
  directory: D1Database,
  cells: Cells,
  name: string,
  { jurisdiction, cell }: RequestedPlacement,
  now: number,
): Promise<CompanyPlacement> {
  // A name such as xn--… would be shown with other letters.
  if (!ACCOUNT_NAME_PATTERN.test(name) || /^..--/.test(name))
    throw new DirectoryRefusalError(
      422,
      "invalid_name",
      "The name must be 2 to 31 lowercase letters, digits and hyphens",
    );
  const known = await findPlacement(directory, name);
  if (known && known.state !== "adding") throw alreadyExists(known);
  if (!known) await assign(directory, name, { jurisdiction, cell }, now);
  const placement = await findPlacement(directory, name);
  if (!placement) throw await explainMissingSpare(directory, { jurisdiction, cell }, now);
  const place = `Database ${placement.slot} of cell ${placement.cell}`;
  await claimDatabase(cells.open(placement.cell, placement.slot), name, place);
  const added = await directory
    .prepare("UPDATE accounts SET state = 'active' WHERE name = ? AND state = 'adding' RETURNING name")
    .bind(name)
    .first();
  // Another operator added the company at the same time.
  if (!added) throw alreadyExists(placement);
  return { ...placement, state: "active" };
}

const alreadyExists = ({ name, cell }: CompanyPlacement) =>
  new DirectoryRefusalError(409, "account_exists", `${name} exists in cell ${cell}. Choose another name`);

async function assign(directory: D1Database, name: string, { jurisdiction, cell }: RequestedPlacement, now: number) {
  const insert = directory
    .prepare(`INSERT INTO accounts (name, cell, slot, state, created_at)
      SELECT ?1, cell, slot, 'adding', ?4 FROM slots
      WHERE state = 'spare' AND error IS NULL AND jurisdiction = ?2 AND cell = coalesce(?3, cell)
        AND schema_version = (SELECT max(schema_version) FROM slots AS newest WHERE newest.cell = slots.cell)
      ORDER BY (SELECT count(*) FROM slots AS spare WHERE spare.cell = slots.cell AND spare.state = 'spare') DESC,
        cell, slot LIMIT 1 ON CONFLICT (name) DO NOTHING`)
    .bind(name, jurisdiction, cell ?? null, now);
  const use = directory
    .prepare(`UPDATE slots SET state = 'used' WHERE state = 'spare'
      AND (cell, slot) = (SELECT cell, slot FROM accounts WHERE name = ?1 AND state = 'adding')`)
    .bind(name);
  await directory.batch([insert, use]);
}

async function explainMissingSpare(
  directory: D1Database,
  { jurisdiction, cell }: RequestedPlacement,
  now: number,
): Promise<DirectoryRefusalError> {
  const place = `${cell ? ` in cell ${cell}` : ""}${jurisdiction ? ` in the jurisdiction ${jurisdiction}` : ""}`;
  const unmigrated = await directory
    .prepare(`SELECT count(*) AS count FROM slots
      WHERE state <> 'used' AND free_at <= ?3 AND jurisdiction = ?1 AND cell = coalesce(?2, cell)`)
    .bind(jurisdiction, cell ?? null, now)
    .first<number>("count");
  const remedy = unmigrated
    ? `Databases to migrate first: ${unmigrated}. Run npm run cells -- migrate, then repeat this`
    : "Add some with npm run cells -- spare, deploy the cell, run npm run cells -- migrate, then repeat this";
  return new DirectoryRefusalError(409, "no_spare_database", `No spare database is left${place}. ${remedy}`);
}

/** Takes a company out of service, or puts it back. Its data stays. */
export async function setCompanyServed(directory: D1Database, name: string, isServed: boolean): Promise<void> {
  await setState(directory, name, ["active", "paused"], isServed ? "active" : "paused");
}

/**
 * Deletes a paused company and wipes its database, which is reused after a quarantine. A repeated call continues an
 * interrupted one.
 */
export async function deleteCompany(directory: D1Database, cells: Cells, name: string, now: number): Promise<void> {
  await setState(directory, name, ["paused", "deleting"], "deleting");
  const placement = await findPlacement(directory, name);
  if (!placement) return;
  const { cell, slot } = placement;
  await wipeDatabase(cells.open(cell, slot), name);
  await directory.batch([
    directory.prepare("DELETE FROM accounts WHERE name = ? AND state = 'deleting'").bind(name),
    directory
      .prepare(`UPDATE slots SET state = 'retired', schema_version = NULL, free_at = ?3 WHERE cell = ?1 AND slot = ?2
        AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.cell = ?1 AND accounts.slot = ?2)`)
      .bind(cell, slot, now + SLOT_QUARANTINE_MS),
  ]);
}

async function setState(
  directory: D1Database,
  name: string,
  from: readonly AccountPlacementState[],
  to: AccountPlacementState,
) {
  // A move reads the company's state and database. Resuming a company is harmless, because a move needs an active one.
  const changed = await directory
    .prepare(`UPDATE accounts SET state = ?2 WHERE name = ?1 AND state IN (SELECT value FROM json_each(?3))
      AND (?2 = 'active' OR NOT EXISTS (SELECT 1 FROM moves WHERE account = ?1)) RETURNING name`)
    .bind(name, to, JSON.stringify(from))
    .first();
  if (changed) return;
  const placement = await findPlacement(directory, name);
  if (!placement) throw new DirectoryRefusalError(404, "account_not_found", `The directory has no company ${name}`);
  const isMoving = placement.state === "moving" || (await findCompanyMove(directory, name)) !== undefined;
  const remedy = isMoving ? "Finish or cancel its move first" : `It must be ${from.join(" or ")}`;
  throw new DirectoryRefusalError(409, "state_forbidden", `${name} is ${placement.state}. ${remedy}`);
}
