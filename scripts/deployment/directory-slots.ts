import { getWranglerFlags } from "../accounts/target.ts";
import { openDatabaseOverWrangler } from "../accounts/wrangler-d1.ts";
import { listMigrationFiles } from "../migrations.ts";
import { createWranglerCommand, PROJECT_ROOT, runOrThrow } from "../processes.ts";
import { getStateFolder } from "../state-folder.ts";
import type { WranglerConfig } from "../wrangler-toml.ts";
import { type ConfigIssue, createGraveIssue, createSlightIssue } from "./configuration.ts";

/** Database of a cell, as the directory lists it. */
export interface ListedSlot {
  readonly slot: number;
  readonly state: string;
  readonly schema_version: string | null;
  readonly error: string | null;
}

const findDirectoryName = ({ d1_databases }: WranglerConfig) =>
  d1_databases.find(({ binding }) => binding === "DIRECTORY")?.database_name;

/** Returns the number of a Worker's cell. Undefined if it has no directory. */
export function findCellNumber(front: WranglerConfig): string | undefined {
  return findDirectoryName(front) === undefined ? undefined : String(front.vars["CELL"] ?? "01");
}

/** Applies pending migrations to the directory. Earlier versions of the code work with them. */
export async function migrateDirectory(front: WranglerConfig, environment: string): Promise<void> {
  const name = findDirectoryName(front);
  if (name === undefined) return;
  const command = createWranglerCommand("d1", "migrations", "apply", name, "--remote", "--env", environment);
  await runOrThrow(...command, { CI: "true" });
}

/** Lists the databases of a cell in the directory, with wrangler. Empty for a cell that was never migrated. */
export async function listDirectorySlots(front: WranglerConfig, environment: string): Promise<readonly ListedSlot[]> {
  const [name, cell] = [findDirectoryName(front), findCellNumber(front)];
  if (name === undefined || cell === undefined) return [];
  const target = { isRemote: true, environment, stateDir: getStateFolder() };
  const query = openDatabaseOverWrangler(name, getWranglerFlags(target))
    .prepare("SELECT slot, state, schema_version, error FROM slots WHERE cell = ? ORDER BY slot")
    .bind(cell);
  return (await query.all<ListedSlot>()).results;
}

const listNumbers = (slots: readonly ListedSlot[]) => slots.map(({ slot }) => slot).join(", ");

/** Returns the number of a numbered database's binding. Undefined for other bindings. */
export const findSlotNumber = (binding: string): number | undefined =>
  Number(/DB_(\d{4})$/.exec(binding)?.[1] ?? 0) || undefined;

/** Lists the numbers of the databases that a configuration binds. */
export const listBoundSlots = ({ d1_databases }: WranglerConfig) =>
  new Set(d1_databases.flatMap(({ binding }) => findSlotNumber(binding) ?? []));

/** Finds databases of companies that a configuration doesn't bind, such as the configuration of an older commit. */
export function findUnboundSlotIssues(front: WranglerConfig, slots: readonly ListedSlot[]): readonly ConfigIssue[] {
  const bound = listBoundSlots(front);
  const unbound = slots.filter(({ slot, state }) => state === "used" && !bound.has(slot));
  if (unbound.length === 0) return [];
  return [
    createGraveIssue(
      `companies have the databases ${listNumbers(unbound)}, which aren't bound`,
      "git pull, or bind them again",
    ),
  ];
}

const isOutdated = ({ schema_version }: ListedSlot, newest: string) => (schema_version ?? "") < newest;

/** Lists companies' databases that don't have all migrations. */
export function listOutdatedSlots(slots: readonly ListedSlot[], newest: string): readonly ListedSlot[] {
  return slots.filter((slot) => slot.state === "used" && isOutdated(slot, newest));
}

/** Returns the name of the latest migration of companies' databases. */
export function getNewestMigration(): string {
  return listMigrationFiles(`${PROJECT_ROOT}/migrations`).at(-1) ?? "";
}

/** Finds databases of a cell that are unbound, that failed, and that wait for a migration. */
export function findSlotIssues(
  front: WranglerConfig,
  slots: readonly ListedSlot[],
  newest: string,
): readonly ConfigIssue[] {
  const listed = new Set(slots.map(({ slot }) => slot));
  const failed = slots.filter(({ error }) => error !== null);
  const unregistered = [...listBoundSlots(front)].filter((slot) => !listed.has(slot));
  const pending = slots.filter(
    (slot) => slot.error === null && (slot.state === "new" || (slot.state !== "retired" && isOutdated(slot, newest))),
  );
  return [
    ...findUnboundSlotIssues(front, slots),
    ...failed.map(({ slot, error }) =>
      createGraveIssue(`database ${slot}: ${error}`, "docs/runbook.md, a company whose migration fails"),
    ),
    ...(pending.length === 0
      ? []
      : [createSlightIssue(`the databases ${listNumbers(pending)} wait for a migration`, "npm run cells -- migrate")]),
    ...(unregistered.length === 0
      ? []
      : [
          createSlightIssue(
            `the directory doesn't list the databases ${unregistered.join(", ")}`,
            "npm run deploy, then npm run cells -- migrate",
          ),
        ]),
  ];
}
