import { env } from "cloudflare:workers";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import * as access from "#worker/store/schema/access.ts";
import * as bookings from "#worker/store/schema/bookings.ts";
import * as calendars from "#worker/store/schema/calendars.ts";
import * as catalogueVersion from "#worker/store/schema/catalogue-version.ts";
import * as checkIn from "#worker/store/schema/check-in.ts";
import * as documents from "#worker/store/schema/documents.ts";
import * as imports from "#worker/store/schema/imports.ts";
import * as ledger from "#worker/store/schema/ledger.ts";
import * as ministryReports from "#worker/store/schema/ministry-reports.ts";
import * as notes from "#worker/store/schema/notes.ts";
import * as officeHistory from "#worker/store/schema/office-history.ts";
import * as organization from "#worker/store/schema/organization.ts";
import * as outgoingMails from "#worker/store/schema/outgoing-mails.ts";
import * as payments from "#worker/store/schema/payments.ts";
import * as people from "#worker/store/schema/people.ts";
import * as prices from "#worker/store/schema/prices.ts";
import * as printing from "#worker/store/schema/printing.ts";
import * as quotes from "#worker/store/schema/quotes.ts";
import * as searchBlocks from "#worker/store/schema/search-blocks.ts";
import * as taxRecords from "#worker/store/schema/tax-records.ts";
import * as transfers from "#worker/store/schema/transfers.ts";
import * as upkeep from "#worker/store/schema/upkeep.ts";
import * as fleet from "#worker/store/schema/vehicles.ts";
import * as views from "#worker/store/schema/views.ts";
import * as webhooks from "#worker/store/schema/webhooks.ts";

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

const described: readonly SQLiteTable[] = [
  organization,
  fleet,
  prices,
  printing,
  quotes,
  notes,
  views,
  people,
  bookings,
  documents,
  catalogueVersion,
  checkIn,
  ministryReports,
  taxRecords,
  ledger,
  officeHistory,
  searchBlocks,
  imports,
  outgoingMails,
  access,
  payments,
  transfers,
  upkeep,
  webhooks,
  calendars,
].flatMap((theme) => Object.values(theme) as SQLiteTable[]);

const byName = (item: { readonly name: string }, other: { readonly name: string }) => (item.name < other.name ? -1 : 1);

test.each(described.map((table) => [getTableConfig(table).name, table] as const))(
  "describes the table %s in code as in the migrations",
  async (name, table) => {
    const { results } = await env.TENANT_ACME.prepare('SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?)')
      .bind(name)
      .all<Column>();
    const { columns, primaryKeys } = getTableConfig(table);
    const keys = new Set([
      ...columns.filter((column) => column.primary).map((column) => column.name),
      ...primaryKeys.flatMap((key) => key.columns.map((column) => column.name)),
    ]);
    const inCode = columns.map((column) => ({
      name: column.name,
      type: column.getSQLType().toUpperCase(),
      required: keys.has(column.name) || column.notNull || column.generated !== undefined,
      key: keys.has(column.name),
    }));
    const generated = new Set(columns.filter((column) => column.generated).map((column) => column.name));
    const inDatabase = results.map((column) => ({
      name: column.name,
      type: column.type,
      required: column.notnull === 1 || column.pk > 0 || generated.has(column.name),
      key: column.pk > 0,
    }));
    // Column order is irrelevant.
    expect(inCode.toSorted(byName)).toEqual(inDatabase.toSorted(byName));
  },
);

test("declares every table of the database in the code's schema", async () => {
  const { results } = await env.TENANT_ACME.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND substr(name, 1, 4) <> '_cf_' AND name <> 'd1_migrations'",
  ).all<{ name: string }>();
  expect(described.map((table) => getTableConfig(table).name).sort()).toEqual(results.map((row) => row.name).sort());
});

test("increases the catalogue version for every table that the catalogue is read from", async () => {
  const read = [
    organization,
    prices,
    fleet.families,
    fleet.categories,
    fleet.categoryPhotos,
    people.agencies,
    people.partnerKeys,
    people.engineKeys,
  ]
    .flatMap((theme) => ("getSQL" in theme ? [theme] : Object.values(theme)) as SQLiteTable[])
    .map((table) => getTableConfig(table).name);
  const { results } = await env.TENANT_ACME.prepare(
    "SELECT tbl_name AS name, count(*) AS n FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_bump_catalogue_version' GROUP BY tbl_name",
  ).all<{ name: string; n: number }>();
  const moving = new Set(results.filter((row) => row.n === 3).map((row) => row.name));
  expect(read.filter((name) => !moving.has(name))).toEqual([]);
});
