import { searchTriggers } from "./search-triggers.ts";
import type { Trigger } from "./trigger.ts";

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
  "selling_rules",
  "one_way_fees",
  "webhooks",
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
  ...["branch_groups", "branches", "pickup_places"].map((table) =>
    shownIn(table, "classifiers", "UPDATE OF name", "classifier_id = NEW.id"),
  ),
  shownIn("categories", "families", "UPDATE OF name", "family_id = NEW.id"),
  named("categories", "vehicles", "category_code = NEW.code"),
  named("branch_groups", "vehicles", "(branch_group_id = NEW.id OR owner_branch_group_id = NEW.id)"),
  named("branch_groups", "bookings", "branch_group_id = NEW.id"),
  named("branches", "vehicles", "branch_code = NEW.code"),
  named("branches", "bookings", "(branch_code = NEW.code OR return_branch_code = NEW.code)"),
  named("sales_channels", "bookings", "sales_channel_code = NEW.code"),
  named("agencies", "bookings", "agency_id = NEW.id"),
  named("agents", "bookings", "agent_id = NEW.id"),
];

const PAPERS = "kind IN ('invoice', 'internal_bond')";
const OF_GROUP = "branch_code IN (SELECT code FROM branches WHERE branch_group_id = NEW.id)";
const SHOWN_CODES: readonly Cascade[] = [
  shownIn("documents", "branches", "UPDATE OF external_code, branch_group_id", `${PAPERS} AND branch_code = NEW.code`),
  shownIn("documents", "branch_groups", "UPDATE OF external_code", `${PAPERS} AND ${OF_GROUP}`, {
    when: "NEW.external_code IS NOT OLD.external_code",
  }),
];

// A contract shows its lines, its extras, its vehicles and their plates.
const OF_VEHICLE = "id IN (SELECT booking_id FROM booking_units WHERE vehicle_reference = NEW.reference)";
const CONTRACT_PARTS: readonly Cascade[] = [
  ...["booking_lines", "booking_extras"].flatMap((table) => [
    shownIn("bookings", table, "UPDATE", "id = NEW.booking_id", { name: `${table}_update_moves_booking` }),
    shownIn("bookings", table, "DELETE", "id = OLD.booking_id", { name: `${table}_delete_moves_booking` }),
  ]),
  shownIn("bookings", "booking_units", "UPDATE OF vehicle_reference", "id = NEW.booking_id", {
    name: "booking_units_move_booking",
    when: "NEW.vehicle_reference IS NOT OLD.vehicle_reference",
  }),
  shownIn("bookings", "vehicles", "UPDATE OF plate", OF_VEHICLE, { when: "NEW.plate IS NOT OLD.plate" }),
];

// A charge is shown in its contract and in its document; a document's number and marks in its charges.
const at = "NEW.last_update" as const;
const OF_DOCUMENT = { at, when: "NEW.document_id IS NOT NULL" } as const;
const MARKS = "invoice_status, serie, number, accounting_processed, customer_full_name, customer_document_id";
const CUSTOMER = "customer_name, customer_surname, customer_document_id";
const CHARGES: readonly Cascade[] = [
  shownIn("bookings", "charges", "INSERT", "id = NEW.booking_id", {
    name: "charges_move_booking",
    when: "NEW.booking_id IS NOT NULL",
    at,
  }),
  shownIn("documents", "charges", "INSERT", "id = NEW.document_id", { name: "charges_move_document", ...OF_DOCUMENT }),
  shownIn("documents", "charges", "UPDATE OF document_id", "id = NEW.document_id", {
    name: "charges_linked_move_document",
    ...OF_DOCUMENT,
  }),
  ...["INSERT", "UPDATE"].flatMap((event) => {
    const name = `charge_allocations_${event.toLowerCase()}_move`;
    return [
      shownIn("charges", "charge_allocations", event, "id = NEW.charge_id", { name: `${name}_charges` }),
      shownIn("documents", "charge_allocations", event, "id = NEW.document_id", { name: `${name}_documents` }),
    ];
  }),
  shownIn("charges", "documents", `UPDATE OF ${MARKS}`, "document_id = NEW.id", { at }),
  shownIn("charges", "bookings", `UPDATE OF ${CUSTOMER}`, "booking_id = NEW.id", { at }),
];

/** What partners are told of: where a row comes that says so, the outbox gets one, in the same batch. */
interface Announcement {
  readonly name: string;
  readonly on: string;
  readonly when?: string;
  /** SQL of the event's columns. */
  readonly type: string;
  readonly subject: string;
  readonly resource: string;
  readonly booking: string;
  readonly at: string;
}

const OF_KIND = "(SELECT kind FROM bookings WHERE id = NEW.booking_id)";
const ISSUED: Omit<Announcement, "name" | "on"> = {
  when: "NEW.invoice_status = 'invoice'",
  type: "'document.issued'",
  subject: "coalesce('booking:' || NEW.booking_id, 'document:' || NEW.id)",
  resource: "NEW.id",
  booking: "NEW.booking_id",
  at: CLOCK,
};
const ANNOUNCEMENTS: readonly Announcement[] = [
  {
    name: "booking_history_is_told",
    on: "INSERT ON booking_history",
    // Charges tell of money.
    when: "NEW.event NOT IN ('paid', 'refunded')",
    type: `CASE WHEN NEW.event IN ('delivered', 'collected') THEN 'check_in.' WHEN ${OF_KIND} = 'transfer' THEN 'transfer.' ELSE 'booking.' END || NEW.event`,
    subject: "'booking:' || NEW.booking_id",
    resource: "NEW.booking_id",
    booking: "NEW.booking_id",
    at: "NEW.at",
  },
  {
    name: "charges_are_told_of",
    on: "INSERT ON charges",
    type: "CASE WHEN NEW.virtual = 1 THEN 'payment.' || NEW.source_doc WHEN NEW.payment_type = 'payment' THEN 'payment.refunded' ELSE 'payment.received' END",
    subject: "coalesce('booking:' || NEW.booking_id, 'document:' || NEW.document_id)",
    resource: "NEW.id",
    booking: "NEW.booking_id",
    at: "NEW.created_at",
  },
  { name: "documents_issued_are_told", on: "INSERT ON documents", ...ISSUED },
  {
    name: "drafts_issued_are_told",
    on: "UPDATE OF invoice_status ON documents",
    ...ISSUED,
    when: "NEW.invoice_status = 'invoice' AND OLD.invoice_status = 'draft'",
  },
  {
    name: "vehicle_history_is_told",
    on: "INSERT ON vehicle_history",
    type: "'vehicle.' || NEW.event",
    subject: "'vehicle:' || NEW.vehicle_reference",
    resource: "NEW.vehicle_reference",
    booking: "NULL",
    at: "NEW.at",
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
    ...searchTriggers(),
    ...ANNOUNCEMENTS.map(announces),
  ];
}

// An account that announces nobody pays nothing for it.
function announces({ name, on, when, type, subject, resource, booking, at: moment }: Announcement): Trigger {
  return trigger(
    name,
    on,
    `EXISTS (SELECT 1 FROM webhooks)${when === undefined ? "" : ` AND ${when}`}`,
    `INSERT INTO webhook_events (uid, type, subject, resource, booking_id, at) VALUES ('msg_' || lower(hex(randomblob(16))), ${type}, ${subject}, ${resource}, ${booking}, ${moment});`,
  );
}

/** What `moves` because it shows something of another table, where that changes. */
function shownIn(moves: string, table: string, event: string, where: string, more: Partial<Cascade> = {}): Cascade {
  return { name: `${table}_move_${moves}`, on: `${event} ON ${table}`, moves, where, ...more };
}

function named(table: string, moves: string, where: string): Cascade {
  return shownIn(moves, table, "UPDATE OF name", where, { when: "NEW.name IS NOT OLD.name" });
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
  const cascade = shownIn(table, table, "UPDATE", `${key} = NEW.${key}`, { when: "NEW.last_update = OLD.last_update" });
  return movesOthers({ ...cascade, name: `${table}_move` });
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
