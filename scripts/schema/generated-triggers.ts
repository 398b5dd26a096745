/** A trigger of the schema: its name, and the whole statement that makes it. */
export interface Trigger {
  readonly name: string;
  readonly sql: string;
}

const CLOCK = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** The tables that the catalogue is read from: any change of a row moves its version (decision 0004). */
const CATALOGUE_TABLES = [
  "settings",
  "classifiers",
  "sales_channels",
  "branch_groups",
  "branches",
  "opening_hours",
  "closed_dates",
  "pickup_places",
  "return_places",
  "translations",
  "families",
  "categories",
  "category_photos",
  "seasons",
  "season_periods",
  "tariffs",
  "tariff_brackets",
  "offers",
  "promotion_codes",
  "driver_age_rules",
  "extras",
  "extra_stocks",
  "agencies",
  "agents",
  "partner_keys",
  "engine_keys",
  "transfer_points",
  "transfer_vehicles",
  "transfer_prices",
  "transfer_extras",
  "transfer_supplements",
  "repatriations",
  "cancellation_terms",
] as const;

/**
 * The tables that extraction lists, by the column that names a row: their rows are counted, and `last_update` moves
 * (decision 0015).
 */
const LISTED_TABLES = {
  branch_groups: "id",
  branches: "code",
  pickup_places: "id",
  categories: "code",
  vehicles: "id",
  customers: "id",
  bookings: "id",
  documents: "id",
  charges: "id",
} as const;

/** What is counted otherwise than one list for all rows of a table. */
const COUNTED: Readonly<Record<string, { readonly list?: string; readonly when?: string }>> = {
  bookings: { when: "@.kind = 'rental'" },
  documents: { list: "@.kind" },
};

/** A change of one row that an answer about others shows: it moves the `last_update` of those. */
interface Cascade {
  readonly name: string;
  /** The event, as in `UPDATE OF name ON families`. */
  readonly on: string;
  readonly when?: string;
  readonly moves: string;
  readonly where: string;
  /** The moment that the others take; the database's own clock where it is left out. */
  readonly at?: "NEW.last_update";
}

const SHOWN_NAMES: readonly Cascade[] = [
  ...["branch_groups", "branches", "pickup_places"].map((table) => ({
    name: `classifiers_move_${table}`,
    on: "UPDATE OF name ON classifiers",
    moves: table,
    where: "classifier_id = NEW.id",
  })),
  {
    name: "families_move_categories",
    on: "UPDATE OF name ON families",
    moves: "categories",
    where: "family_id = NEW.id",
  },
  named("categories", "vehicles", "category_code = NEW.code"),
  named("branch_groups", "vehicles", "(branch_group_id = NEW.id OR owner_branch_group_id = NEW.id)"),
  named("branch_groups", "bookings", "branch_group_id = NEW.id"),
  named("branches", "vehicles", "branch_code = NEW.code"),
  named("branches", "bookings", "(branch_code = NEW.code OR return_branch_code = NEW.code)"),
  named("sales_channels", "bookings", "sales_channel_code = NEW.code"),
  named("agencies", "bookings", "agency_id = NEW.id"),
  named("agents", "bookings", "agent_id = NEW.id"),
];

const SHOWN_CODES: readonly Cascade[] = [
  {
    name: "branches_move_documents",
    on: "UPDATE OF external_code, branch_group_id ON branches",
    moves: "documents",
    where: "kind IN ('invoice', 'internal_bond') AND branch_code = NEW.code",
  },
  {
    name: "branch_groups_move_documents",
    on: "UPDATE OF external_code ON branch_groups",
    when: "NEW.external_code IS NOT OLD.external_code",
    moves: "documents",
    where:
      "kind IN ('invoice', 'internal_bond') AND branch_code IN (SELECT code FROM branches WHERE branch_group_id = NEW.id)",
  },
];

// A contract shows its lines, its extras, its vehicles and their plates.
const CONTRACT_PARTS: readonly Cascade[] = [
  ...["booking_lines", "booking_extras"].flatMap((table) => [
    {
      name: `${table}_update_moves_booking`,
      on: `UPDATE ON ${table}`,
      moves: "bookings",
      where: "id = NEW.booking_id",
    },
    {
      name: `${table}_delete_moves_booking`,
      on: `DELETE ON ${table}`,
      moves: "bookings",
      where: "id = OLD.booking_id",
    },
  ]),
  {
    name: "booking_units_move_booking",
    on: "UPDATE OF vehicle_reference ON booking_units",
    when: "NEW.vehicle_reference IS NOT OLD.vehicle_reference",
    moves: "bookings",
    where: "id = NEW.booking_id",
  },
  {
    name: "vehicles_move_bookings",
    on: "UPDATE OF plate ON vehicles",
    when: "NEW.plate IS NOT OLD.plate",
    moves: "bookings",
    where: "id IN (SELECT booking_id FROM booking_units WHERE vehicle_reference = NEW.reference)",
  },
];

// A charge is shown in its contract and in its document; a document's number and marks in its charges.
const CHARGES: readonly Cascade[] = [
  {
    name: "charges_move_booking",
    on: "INSERT ON charges",
    when: "NEW.booking_id IS NOT NULL",
    moves: "bookings",
    where: "id = NEW.booking_id",
    at: "NEW.last_update",
  },
  {
    name: "charges_move_document",
    on: "INSERT ON charges",
    when: "NEW.document_id IS NOT NULL",
    moves: "documents",
    where: "id = NEW.document_id",
    at: "NEW.last_update",
  },
  {
    name: "charges_linked_move_document",
    on: "UPDATE OF document_id ON charges",
    when: "NEW.document_id IS NOT NULL",
    moves: "documents",
    where: "id = NEW.document_id",
    at: "NEW.last_update",
  },
  {
    name: "documents_move_charges",
    on: `UPDATE OF invoice_status, serie, number, accounting_processed, customer_full_name, customer_document_id ON documents`,
    moves: "charges",
    where: "document_id = NEW.id",
    at: "NEW.last_update",
  },
  {
    name: "bookings_move_charges",
    on: "UPDATE OF customer_name, customer_surname, customer_document_id ON bookings",
    moves: "charges",
    where: "booking_id = NEW.id",
    at: "NEW.last_update",
  },
];

/**
 * Every trigger of the schema that repeats a rule for another table; the migrations hold just these beside the ones
 * written by hand.
 */
export function generatedTriggers(): readonly Trigger[] {
  const listed = Object.entries(LISTED_TABLES);
  return [
    ...CATALOGUE_TABLES.flatMap(movesCatalogue),
    ...listed.flatMap(([table]) => counts(table)),
    ...listed.map(([table, key]) => movesItself(table, key)),
    ...[...CHARGES, ...CONTRACT_PARTS, ...SHOWN_NAMES, ...SHOWN_CODES].map(movesOthers),
  ];
}

function named(table: string, moves: string, where: string): Cascade {
  const when = "NEW.name IS NOT OLD.name";
  return { name: `${table}_move_${moves}`, on: `UPDATE OF name ON ${table}`, when, moves, where };
}

function movesCatalogue(table: string): Trigger[] {
  return ["insert", "update", "delete"].map((event) =>
    trigger(
      `${table}_${event}_moves_catalogue`,
      `${event.toUpperCase()} ON ${table}`,
      undefined,
      "UPDATE catalogue_version SET version = version + 1 WHERE id = 1;",
    ),
  );
}

function counts(table: string): Trigger[] {
  const { list = `'${table}'`, when } = COUNTED[table] ?? {};
  const of = (text: string, row: "NEW" | "OLD") => text.replaceAll("@", row);
  return [
    trigger(
      `${table}_count_up`,
      `INSERT ON ${table}`,
      when && of(when, "NEW"),
      `INSERT INTO list_totals (list, total) VALUES (${of(list, "NEW")}, 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;`,
    ),
    trigger(
      `${table}_count_down`,
      `DELETE ON ${table}`,
      when && of(when, "OLD"),
      `UPDATE list_totals SET total = total - 1 WHERE list = ${of(list, "OLD")};`,
    ),
  ];
}

function movesItself(table: string, key: string): Trigger {
  const cascade = { moves: table, where: `${key} = NEW.${key}` };
  return movesOthers({
    name: `${table}_move`,
    on: `UPDATE ON ${table}`,
    when: "NEW.last_update = OLD.last_update",
    ...cascade,
  });
}

function movesOthers({ name, on, when, moves, where, at = undefined }: Cascade): Trigger {
  const moment = at ?? CLOCK;
  const body = `UPDATE ${moves} SET last_update = ${moment} WHERE ${where} AND last_update < ${moment};`;
  return trigger(name, on, when, body);
}

function trigger(name: string, on: string, when: string | undefined, body: string): Trigger {
  const condition = when === undefined ? "" : ` WHEN ${when}`;
  return { name, sql: `CREATE TRIGGER ${name} AFTER ${on}${condition}\nBEGIN\n  ${body}\nEND;` };
}
