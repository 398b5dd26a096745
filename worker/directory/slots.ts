import type { Cells, Migration } from "./cells.ts";
import { DirectoryRefusalError } from "./refusal.ts";

/** Quarantine of an emptied database before another company may get it: longer than placements are cached. */
export const SLOT_QUARANTINE_MS = 60 * 60_000;

/** Maximum number of databases that one call migrates. */
export const MAX_SLOTS_PER_MIGRATION_CALL = 25;

/**
 * Adds the databases that a cell binds to the directory. Returns those that the directory has and the cell doesn't. The
 * binding decides the region, which a company's database keeps.
 */
export async function registerCell(
  directory: D1Database,
  cells: Cells,
  cell: string,
): Promise<{ readonly added: number; readonly missing: readonly number[] }> {
  const bound = await cells.list(cell);
  await directory.batch([
    directory.prepare("INSERT INTO cells (name) VALUES (?) ON CONFLICT DO NOTHING").bind(cell),
    directory
      .prepare(`INSERT INTO slots (cell, slot, jurisdiction)
        SELECT ?1, json_extract(value, '$.slot'), json_extract(value, '$.jurisdiction') FROM json_each(?2) WHERE true
        ON CONFLICT (cell, slot) DO UPDATE SET jurisdiction = excluded.jurisdiction WHERE state <> 'used'`)
      .bind(cell, JSON.stringify(bound)),
  ]);
  const { results } = await directory
    .prepare("SELECT slot, state, jurisdiction FROM slots WHERE cell = ? ORDER BY slot")
    .bind(cell)
    .all<{ slot: number; state: string; jurisdiction: string }>();
  const boundRegions = new Map(bound.map(({ slot, jurisdiction }) => [slot, jurisdiction]));
  const wrong = results.filter(({ slot, jurisdiction }) => (boundRegions.get(slot) ?? jurisdiction) !== jurisdiction);
  if (wrong.length > 0)
    throw new DirectoryRefusalError(
      409,
      "jurisdiction_differs",
      `Cell ${cell} binds companies' databases of another region: ${wrong.map(({ slot }) => slot).join(", ")}. Bind the right ones`,
    );
  return {
    added: results.filter(({ slot, state }) => state === "new" && boundRegions.has(slot)).length,
    missing: results.map(({ slot }) => slot).filter((slot) => !boundRegions.has(slot)),
  };
}

/** Databases of a cell that were migrated, that failed, and that still need it. */
export interface MigratedSlots {
  readonly done: readonly number[];
  readonly failed: readonly { readonly slot: number; readonly error: string }[];
  readonly remaining: number;
}

/**
 * Applies pending migrations to up to `limit` databases of a cell. Those that failed before come last. Omits databases
 * of moving companies. Emptied databases become spare if their quarantine is over.
 */
export async function migrateSlots(
  directory: D1Database,
  cells: Cells,
  request: { readonly cell: string; readonly migrations: readonly Migration[]; readonly limit: number },
  now: number,
): Promise<MigratedSlots> {
  const { cell, migrations } = request;
  const version = migrations.at(-1)?.name;
  if (version === undefined) throw new DirectoryRefusalError(422, "migrations_missing", "migrations must not be empty");
  const pending = await listPending(directory, { cell, version }, now);
  const slots = pending.slice(0, Math.min(request.limit, MAX_SLOTS_PER_MIGRATION_CALL));
  const results = slots.length === 0 ? [] : await cells.migrate(cell, slots, migrations);
  // Keeps the bookmark of a failed migration until one succeeds. A later bookmark may already contain its
  // changes.
  await directory.batch([
    directory
      .prepare(`UPDATE slots SET schema_version = json_extract(result.value, '$.version'),
          bookmark = iif(slots.error IS NULL, json_extract(result.value, '$.bookmark'), slots.bookmark),
          error = json_extract(result.value, '$.error'),
          state = CASE WHEN slots.state IN ('new', 'retired') AND json_extract(result.value, '$.error') IS NULL
            THEN 'spare' ELSE slots.state END
        FROM json_each(?2) AS result
        WHERE slots.cell = ?1 AND slots.slot = json_extract(result.value, '$.slot')`)
      .bind(cell, JSON.stringify(results)),
  ]);
  const failed = results.flatMap(({ slot, error }) => (error === null ? [] : [{ slot, error }]));
  const done = results.filter(({ error }) => error === null).map(({ slot }) => slot);
  return { done, failed, remaining: pending.length - done.length };
}

async function listPending(
  directory: D1Database,
  { cell, version }: { readonly cell: string; readonly version: string },
  now: number,
): Promise<readonly number[]> {
  const { results } = await directory
    .prepare(`SELECT slot FROM slots
      WHERE cell = ?1 AND (schema_version IS NULL OR schema_version < ?2 OR state IN ('new', 'retired') OR error IS NOT NULL)
        AND free_at <= ?3
        AND NOT EXISTS (SELECT 1 FROM moves WHERE (from_cell = slots.cell AND from_slot = slots.slot)
          OR (to_cell = slots.cell AND to_slot = slots.slot))
      ORDER BY error IS NOT NULL, state <> 'used', slot`)
    .bind(cell, version, now)
    .all<{ slot: number }>();
  return results.map(({ slot }) => slot);
}
