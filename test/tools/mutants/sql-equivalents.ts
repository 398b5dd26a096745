/** Mutant of a trigger that no statement can show. */
export interface SqlEquivalent {
  readonly trigger: string;
  /** Changed text. */
  readonly text: string;
  readonly replacement: string;
  readonly reason: string;
}

const ONE_ROW = "The table has one row, with this id.";
const NO_NULL = "A comparison with NULL matches no row, so the rule doesn't abort without this condition either.";
const ISSUED = "An issued document's status can't be changed: documents_update_prevent_issued refuses it, too.";

/** Survivors that were examined. */
export const SQL_EQUIVALENTS: readonly SqlEquivalent[] = [
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
