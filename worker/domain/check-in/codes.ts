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

/** Parts of the damage diagram. Vans and boats use the same names if they have the part. */
export const VEHICLE_PARTS = [
  "bonnet",
  "front_bumper",
  "windscreen",
  "roof",
  "rear_window",
  "boot",
  "rear_bumper",
  "front_left_wing",
  "front_left_door",
  "rear_left_door",
  "rear_left_wing",
  "front_right_wing",
  "front_right_door",
  "rear_right_door",
  "rear_right_wing",
  "left_sill",
  "right_sill",
  "front_left_wheel",
  "front_right_wheel",
  "rear_left_wheel",
  "rear_right_wheel",
  "left_mirror",
  "right_mirror",
  "interior",
  "other",
] as const;

export const DAMAGE_KINDS = ["scratch", "dent", "crack", "broken", "missing", "stain", "other"] as const;
export const DAMAGE_SEVERITIES = ["light", "medium", "severe"] as const;

/** Checks that staff confirm with the customer. */
export const CUSTOMER_CHECKS = [
  "documents_seen",
  "damage_agreed",
  "conditions_accepted",
  "keys",
  "accessories",
] as const;

/** `payment` is for the rental. A deposit is taken, returned, or retained for amounts owed. */
export const CHARGE_KINDS = ["payment", "deposit_taken", "deposit_returned", "deposit_kept"] as const;
/** Payment methods at the desk, named as in docs/interfaces/integration.md#charges. */
export const DESK_PAYMENT_METHODS = ["credit_card", "cash", "bank_transfer", "check"] as const;

/** Outcomes of a transfer's trip. */
export const TRIP_MOMENTS = ["picked_up", "dropped", "nobody_came"] as const;
