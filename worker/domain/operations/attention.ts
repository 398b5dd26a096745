import type { Shortage } from "#domain/bookings/shortages.ts";

/** What kinds of things wait for a person. */
export const ATTENTION_KINDS = [
  "overdue",
  "shortage",
  "extra_shortage",
  "transfer_shortage",
  "no_show",
  "unconfirmed_import",
  "paid_unconfirmed",
  "paid_too_late",
  "overpaid",
  "refund_due",
  "deposit_held",
  "refund_waiting",
  "refund_at_gateway",
  "document_incomplete",
  "reopened",
  "field_work_refused",
  "field_work_held",
  "check_in_to_review",
  "payment_mismatch",
  "suspicious_hold",
  "vehicle_due",
  "backup_overdue",
  "drill_overdue",
  "nearly_full",
  "security_alert",
  "webhook_failing",
  "tax_records_unsent",
  "tax_record_refused",
  "tax_record_flawed",
  "tax_chain_broken",
  "communication_late",
  "communication_refused",
  "communication_to_annul",
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** Something that waits, by what it is about; `state` moves where that changes. */
export interface PendingTask {
  readonly kind: AttentionKind;
  readonly resource: string;
  readonly state: string;
  /** Epoch ms, but for the kinds of `ON_THE_ACCOUNTS_CLOCK`. */
  readonly at: number;
  readonly bookingId: number | null;
  readonly branchCode: string | null;
  readonly returnBranchCode: string | null;
  /** Whose it is, and what is out with them: plates, else references. */
  readonly customer: string | null;
  readonly phone: string | null;
  readonly vehicles: string | null;
  /** What the sentence about it needs. */
  readonly facts: Readonly<Record<string, string | number | null>>;
}

/** Something that waits, under a name of its own that changes when the thing does. */
export type AttentionItem = PendingTask & {
  readonly id: string;
  /** Whether looking is all there is to do. */
  readonly canBeDone: boolean;
};

/** What waits for a person in the whole account, in numbers, and the last of each kind. Amounts in minor units. */
export interface Attention {
  readonly checkInRefused: number;
  readonly checkInHeld: number;
  readonly checkInToLookAt: number;
  readonly filesMissing: number;
  readonly mailsUnsent: number;
  readonly documentsNotIntegrated: number;
  readonly bookingsPaidTooLate: number;
  readonly paymentsMismatching: number;
  readonly overdue: number;
  readonly lastOverdue: readonly { readonly id: number; readonly date: string; readonly time: string }[];
  /** Where more is sold than is there, because something is late, blocked or left elsewhere; from a civil minute on. */
  readonly shortages: readonly Shortage[];
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
