import type { Operation } from "../api/messages.ts";
import type { WorkDraft } from "../offline/items.ts";
import { type ExchangedVehicle, isReplacementComplete } from "./exchange.ts";

const STEPS = ["vehicle", "readings", "photos", "damage", "extras", "money", "sign", "review"] as const;
export type WorkStep = (typeof STEPS)[number] | "replacement" | "photos_out" | "damage_out";

const ORDER: Readonly<Record<Operation["kind"], readonly WorkStep[]>> = {
  delivery: STEPS,
  collection: ["readings", "photos", "damage", "extras", "money", "sign", "review"],
  exchange: ["readings", "photos", "damage", "replacement", "photos_out", "damage_out", "money", "sign", "review"],
  evidence: ["photos", "review"],
  correction: ["readings", "money", "review"],
};

export const getWorkSteps = (kind: Operation["kind"]): readonly WorkStep[] => ORDER[kind];

/** The eight standard views of each vehicle. */
export const GUIDED_PHOTO_VIEWS = [
  "front",
  "front_left",
  "left",
  "rear_left",
  "rear",
  "rear_right",
  "right",
  "front_right",
] as const;

/** Photos that can be taken in addition to those of the sides. */
export const FURTHER_PHOTO_VIEWS = ["dashboard", "interior", "document", "other"] as const;

/** Returns the first view without a photo of a vehicle: the one that the work is about, or the replacement. */
export const getNextPhotoView = (draft: WorkDraft, vehicle?: ExchangedVehicle) =>
  GUIDED_PHOTO_VIEWS.find((view) => !draft.photos.some((photo) => photo.view === view && photo.vehicle === vehicle));

/**
 * Whether a step has its data or was marked as having nothing to record. Opening it isn't enough, but no step is
 * mandatory. `isSettled` means there's no open balance.
 */
export function isWorkStepDone(draft: WorkDraft, step: WorkStep, isSettled: boolean): boolean {
  switch (step) {
    case "vehicle":
      return draft.vehicle_reference !== "";
    case "replacement":
      return isReplacementComplete(draft.exchange);
    case "readings":
      return draft.kilometres !== "" && draft.fuel_eighths !== null;
    case "photos":
      return getNextPhotoView(draft) === undefined;
    case "photos_out":
      return getNextPhotoView(draft, "replacement") === undefined;
    case "sign":
      return draft.signature !== null;
    case "damage":
      return hasDamage(draft, undefined) || isNothing(draft, step);
    case "damage_out":
      return hasDamage(draft, "replacement") || isNothing(draft, step);
    case "extras":
      return draft.extras.length > 0 || isNothing(draft, step);
    case "money":
      return isSettled;
    case "review":
      return false;
  }
}

const hasDamage = ({ damages }: WorkDraft, vehicle: ExchangedVehicle) =>
  damages.some((damage) => damage.vehicle === vehicle);

/** Returns unsaved damage with a photo or note. Unsaved damage without both counts as an accidental tap. */
export const findUnfinishedDamage = ({ open_damage: damage }: WorkDraft) =>
  damage?.photos?.length || damage?.note?.trim() ? damage : undefined;

/** Whether the user marked a step as having nothing to record. */
const isNothing = ({ nothing_at = [] }: WorkDraft, step: WorkStep) => nothing_at.includes(step);

/** Returns the change that marks a step as having nothing to record. */
export const getNothingFoundChange = ({ nothing_at = [] }: WorkDraft, step: WorkStep): Partial<WorkDraft> => ({
  nothing_at: [...new Set([...nothing_at, step])],
});
