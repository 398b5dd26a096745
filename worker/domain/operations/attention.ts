import type { StockOrTransferShortage } from "#domain/operations/stock-shortages.ts";

/** Kinds of pending tasks. */
export const ATTENTION_KINDS = [
  "overdue",
  "shortage",
  "extra_shortage",
  "transfer_shortage",
  "no_show",
  "do_not_rent",
  "unconfirmed_import",
  "paid_unconfirmed",
  "paid_too_late",
  "overpaid",
  "refund_due",
  "deposit_held",
  "refund_waiting",
  "refund_at_gateway",
  "card_hold",
  "document_incomplete",
  "document_not_integrated",
  "einvoice_incomplete",
  "reopened",
  "field_work_refused",
  "field_work_held",
  "check_in_to_review",
  "device_work_missing",
  "payment_mismatch",
  "suspicious_hold",
  "quote_sold_out",
  "task_overdue",
  "vehicle_due",
  "backup_overdue",
  "drill_overdue",
  "nearly_full",
  "certificate_expiring",
  "security_alert",
  "webhook_failing",
  "tax_records_unsent",
  "tax_record_refused",
  "tax_record_flawed",
  "tax_chain_broken",
  "ministry_report_late",
  "ministry_report_refused",
  "ministry_report_to_annul",
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** Pending task by its subject. `state` changes with the subject. */
export interface PendingTask {
  readonly kind: AttentionKind;
  readonly resource: string;
  readonly state: string;
  /** Epoch ms, except for the kinds in `LOCAL_TIME_ATTENTION_KINDS`. */
  readonly at: number;
  readonly bookingId: number | null;
  readonly branchCode: string | null;
  readonly returnBranchCode: string | null;
  /** Customer, and their vehicles: plates, otherwise references. */
  readonly customer: string | null;
  readonly phone: string | null;
  readonly vehicles: string | null;
  /** Values for the task's text. */
  readonly facts: Readonly<Record<string, string | number | null>>;
}

/** Pending task with an id that changes with its subject. */
export type AttentionItem = PendingTask & {
  readonly id: string;
  /** Whether staff can mark the task as done after a review. */
  readonly canBeDone: boolean;
};

/** Pending tasks of the full account: counts, and the latest of each kind. Amounts in minor units. */
export interface AttentionSummary {
  readonly checkInRefused: number;
  readonly checkInHeld: number;
  readonly checkInToReview: number;
  readonly filesMissing: number;
  readonly mailsUnsent: number;
  readonly documentsNotIntegrated: number;
  readonly bookingsPaidTooLate: number;
  readonly paymentsMismatching: number;
  readonly overdue: number;
  readonly lastOverdue: readonly { readonly id: number; readonly date: string; readonly time: string }[];
  /** Overbookings because of late, blocked or misplaced units, from a civil minute on. */
  readonly shortages: readonly StockOrTransferShortage[];
  readonly lastDocuments: readonly { readonly id: number; readonly number: number | null; readonly error: string }[];
  readonly lastBookings: readonly { readonly id: number; readonly status: string; readonly paid: number }[];
  readonly lastPayments: readonly {
    readonly order: string;
    readonly method: string;
    readonly outcome: string;
    readonly amount: number | null;
  }[];
  readonly lastMails: readonly { readonly subject: string; readonly attempts: number; readonly error: string }[];
}
