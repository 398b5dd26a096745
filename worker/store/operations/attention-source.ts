import type { SQL } from "drizzle-orm";

/** What kinds of things wait for a person. */
export const ATTENTION_KINDS = [
  "overdue",
  "shortage",
  "extra_shortage",
  "transfer_shortage",
  "no_show",
  "paid_unconfirmed",
  "paid_too_late",
  "overpaid",
  "owed_back",
  "deposit_held",
  "refund_waiting",
  "refund_at_gateway",
  "document_incomplete",
  "reopened",
  "field_work_refused",
  "field_work_held",
  "field_work_to_look_at",
  "payment_mismatch",
  "suspicious_hold",
  "backup_overdue",
  "drill_overdue",
  "nearly_full",
  "security_alert",
  "tax_records_unsent",
  "tax_record_refused",
  "tax_record_flawed",
  "tax_chain_broken",
  "communication_late",
  "communication_refused",
  "communication_to_annul",
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** A kind of thing: its rows with the alias `one`, each a booking or something with one beside it. */
export interface AttentionSource {
  readonly kind: AttentionKind;
  readonly from: SQL;
  readonly at: SQL;
  /** By what the last ones are found, where not by the moment. */
  readonly order?: SQL;
  readonly resource?: SQL;
  readonly state?: SQL;
  readonly facts: SQL;
}
