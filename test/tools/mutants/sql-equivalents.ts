/** Mutant of a trigger that no statement can show. */
export interface EquivalentSqlMutant {
  readonly trigger: string;
  /** Changed text, or where it occurs often, with its surroundings. */
  readonly text: string;
  readonly replacement: string;
  readonly reason: string;
}

const ONE_ROW = "The table has one row, with this id.";
const NO_NULL = "A comparison with NULL matches no row, so the rule doesn't abort without this condition either.";
const ISSUED = "An issued document's status can't be changed: documents_update_prevent_issued refuses it, too.";

const ZERO_QUANTITY = "An allocation of no unit changes no sum.";
const OUTSIDE =
  "A row outside of the period, or without a length, is excluded twice or changes no maximum. The condition saves time.";

/** Survivors in the guard of vehicles and extras. */
const STOCK: readonly (readonly [text: string, replacement: string, reason: string])[] = [
  ["SELECT iif(quantity ⟦<⟧ 0 AND is_out AND returns_at <", "<=", ZERO_QUANTITY],
  ["code = NEW.code AND starts_at ⟦<⟧ NEW.ends_at AND", "<=", OUTSIDE],
  ["starts_at AND block.starts_at ⟦<⟧ NEW.ends_at - NEW.preparation", "<=", OUTSIDE],
  ["epoch(sold_release_date) / 60 ⟦<⟧ NEW.ends_at - NEW.preparation", "<=", OUTSIDE],
  ["dge WHERE starts_at ⟦<⟧ ends_at AND starts_at < NEW.e", "<=", OUTSIDE],
  ["ts_at < ends_at AND starts_at ⟦<⟧ NEW.ends_at AND ends_at > ask", "<=", OUTSIDE],
  ["t, iif(quantity ⟦>⟧ 0 AND is_out AND returns_at <", ">=", ZERO_QUANTITY],
  ["at AND (ends_at ⟦>⟧ asked.starts_at OR is_out) AN", ">=", OUTSIDE],
  ["AND block.ends_at ⟦>⟧ asked.starts_at AND block.sta", ">=", OUTSIDE],
  ["_at < NEW.ends_at AND ends_at ⟦>⟧ asked.starts_at AND (edge.val", ">=", OUTSIDE],
  ["ue_minutes FROM settings WHERE⟦ id = 1⟧), 240) AS overdue ) AS aske", "1", ONE_ROW],
  ["W.kind AND code = NEW.code AND⟦ starts_at < NEW.ends_at ⟧AND (ends_at > asked.starts_at", "1", OUTSIDE],
  ["NEW.ends_at AND⟦ (ends_at > asked.starts_at OR is_out) ⟧AND (expires_at IS NULL OR exp", "1", OUTSIDE],
  ["starts_at) AND⟦ block.ends_at > asked.starts_at ⟧AND block.starts_at < NEW.ends", "1", OUTSIDE],
  [
    ".ends_at > asked.starts_at AND⟦ block.starts_at < NEW.ends_at - NEW.preparation_minutes ⟧UNION ALL SELECT",
    "1",
    OUTSIDE,
  ],
  ["gnable = 1 AND⟦ sold_release_date IS NOT NULL ⟧AND unixepoch(sold_release_dat", "1", NO_NULL],
  [
    ".starts_at AND⟦ unixepoch(sold_release_date) / 60 < NEW.ends_at - NEW.preparation_minutes ⟧) ) AS stretch JOIN",
    "1",
    OUTSIDE,
  ],
  [",-1]') AS edge WHERE⟦ starts_at < ends_at ⟧AND starts_at < NEW.ends_at AN", "1", OUTSIDE],
  ["WHERE starts_at < ends_at AND⟦ starts_at < NEW.ends_at ⟧AND ends_at > asked.starts_at", "1", OUTSIDE],
  ["ND starts_at < NEW.ends_at AND⟦ ends_at > asked.starts_at ⟧AND (edge.value = 1 OR ends_at", "1", OUTSIDE],
];

/** Survivors that were examined. */
export const EQUIVALENT_SQL_MUTANTS: readonly EquivalentSqlMutant[] = [
  ...STOCK.map(([text, replacement, reason]) => {
    return { trigger: "stock_allocations_insert_limit_stock", text, replacement, reason };
  }),
  { trigger: "catalogue_version_guards_insert_check_version", text: "id = 1", replacement: "1", reason: ONE_ROW },
  { trigger: "bookings_insert_limit_visitor_holds", text: "id = 1", replacement: "1", reason: ONE_ROW },
  {
    trigger: "bookings_insert_limit_visitor_holds",
    text: "NEW.visitor_network IS NOT NULL",
    replacement: "1",
    reason: "No booking has an unknown network equal to another, and the limit is at least one.",
  },
  ...[
    "documents_issue_limit_credit",
    "documents_issue_prevent_credit_of_replaced",
    "documents_issue_check_date_order",
    "documents_issue_check_sums",
  ].map((trigger) => ({ trigger, text: "OLD.invoice_status = 'draft'", replacement: "1", reason: ISSUED })),
  ...["documents_issue_limit_credit", "documents_issue_prevent_credit_of_replaced"].map((trigger) => {
    return { trigger, text: "NEW.corrects_document_id IS NOT NULL", replacement: "1", reason: NO_NULL };
  }),
  {
    trigger: "documents_issue_check_date_order",
    text: "NEW.invoice_status = 'invoice'",
    replacement: "1",
    reason: "A draft has neither number nor date: a CHECK of the table.",
  },
  ...["booking_units_update_prevent_double_assignment", "booking_units_update_prevent_double_delivery"].map(
    (trigger) => {
      return { trigger, text: "NEW.vehicle_reference IS NOT NULL", replacement: "1", reason: NO_NULL };
    },
  ),
  {
    trigger: "booking_units_update_prevent_double_assignment",
    text: "other.id <> NEW.id",
    replacement: "1",
    reason: "The unit has another vehicle before the update, so it isn't one of the others.",
  },
];
