/** Numbered database that a cell binds. */
export interface CellSlot {
  readonly slot: number;
  readonly jurisdiction: string;
}

/** Migration as separate statements, because D1 runs one statement at a time. */
export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
}

/** Result of migrating one database: its latest migration, and why it failed. */
export interface SlotMigration {
  readonly slot: number;
  readonly version: string | null;
  /** Time Travel bookmark before the migration. Null if the runtime has none. */
  readonly bookmark: string | null;
  readonly error: string | null;
}

/** Access to the databases of all cells. Errors of a cell that doesn't answer are `DirectoryRefusalError`s. */
export interface Cells {
  /** Opens a numbered database. Its batches are atomic. */
  open(cell: string, slot: number): D1Database;
  list(cell: string): Promise<readonly CellSlot[]>;
  migrate(cell: string, slots: readonly number[], migrations: readonly Migration[]): Promise<readonly SlotMigration[]>;
}
