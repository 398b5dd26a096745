import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Columns of migrations/0013_imports.sql, which defines the constraints and indexes. A test compares them.

/** Completed imports, including undone ones. An import can be undone while it has `importChanges`. */
export const imports = sqliteTable("imports", {
  id: integer("id").primaryKey(),
  at: integer("at").notNull(),
  files: text("files").notNull(),
  undoneAt: integer("undone_at"),
  actor: text("actor"),
});

/** Rows that the last import added or changed, with their previous values, to undo it. */
export const importChanges = sqliteTable(
  "import_changes",
  {
    importId: integer("import_id").notNull(),
    position: integer("position").notNull(),
    rows: text("rows").notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.position] })],
);

/** Keys that rows have in another system, so that its next file finds them. */
export const importKeys = sqliteTable(
  "import_keys",
  {
    entity: text("entity").notNull(),
    key: text("key").notNull(),
    rowId: integer("row_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.entity, table.key] })],
);
