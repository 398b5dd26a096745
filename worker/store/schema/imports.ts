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

export const importChanges = sqliteTable(
  "import_changes",
  {
    importId: integer("import_id").notNull(),
    position: integer("position").notNull(),
    rows: text("rows").notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.position] })],
);

export const importKeys = sqliteTable(
  "import_keys",
  {
    entity: text("entity").notNull(),
    key: text("key").notNull(),
    rowId: integer("row_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.entity, table.key] })],
);
