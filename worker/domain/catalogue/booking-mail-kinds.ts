/** Mails to customers and branches in a booking's life cycle (docs/interfaces/rules.md#mails). */
export type BookingMailKind =
  | "request_received"
  | "confirmed"
  | "changed"
  | "cancelled"
  | "payment_received"
  | "refunded"
  | "deposit_returned"
  | "reminder"
  | "hold_ending"
  | "delivered"
  | "collected"
  | "invoiced"
  | "payment_link";
