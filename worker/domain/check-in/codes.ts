// Check-in codes shared by the Worker and the app.

/** Eight guided photo views, and other subjects. */
export const PHOTO_VIEWS = [
  "front",
  "front_left",
  "left",
  "rear_left",
  "rear",
  "rear_right",
  "right",
  "front_right",
  "dashboard",
  "interior",
  "damage",
  "document",
  "other",
] as const;

/** Checks that staff confirm with the customer. */
export const STAFF_CONFIRMATIONS = [
  "documents_seen",
  "damage_agreed",
  "conditions_accepted",
  "keys",
  "accessories",
] as const;

/** `payment` is for the rental. A deposit is taken, returned, or retained for amounts owed. */
export const DESK_CHARGE_KINDS = ["payment", "deposit_taken", "deposit_returned", "deposit_kept"] as const;
/** Payment methods at the desk, named as in docs/interfaces/integration.md#charges. */
export const DESK_PAYMENT_METHODS = ["credit_card", "cash", "bank_transfer", "check"] as const;

/** Outcomes of a transfer's trip. */
export const TRIP_OUTCOMES = ["picked_up", "dropped", "nobody_came"] as const;
