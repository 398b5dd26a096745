// The words of check-in that the Worker and the app share.

/** The eight views that the app guides through, and what else may be in a photo. */
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

/** The parts of the damage diagram. Vans and boats use the same names where they have them. */
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

/** What staff tick with the customer. */
export const CUSTOMER_CHECKS = [
  "documents_seen",
  "damage_agreed",
  "conditions_accepted",
  "keys",
  "accessories",
] as const;

/** `payment`: for the rental. The deposit is taken, given back, or kept for what is owed. */
export const CHARGE_KINDS = ["payment", "deposit_taken", "deposit_returned", "deposit_kept"] as const;
/** How money changes hands at the desk, by the names of docs/interfaces/integration.md#charges. */
export const DESK_PAYMENT_METHODS = ["credit_card", "cash", "bank_transfer", "check"] as const;

/** What becomes of a transfer's trip. */
export const TRIP_MOMENTS = ["picked_up", "dropped", "nobody_came"] as const;
