import type { Operation } from "../api/messages.ts";
import type { Draft } from "../offline/items.ts";

export const STEPS = ["vehicle", "readings", "photos", "damage", "extras", "money", "sign", "review"] as const;
export type Step = (typeof STEPS)[number];

const ORDER: Readonly<Record<Operation["kind"], readonly Step[]>> = {
  delivery: STEPS,
  collection: ["readings", "photos", "damage", "extras", "money", "sign", "review"],
  evidence: ["photos", "review"],
  correction: ["readings", "review"],
};

export const stepsOf = (kind: Operation["kind"]): readonly Step[] => ORDER[kind];

/** The eight views that every vehicle is photographed from. */
export const GUIDED_VIEWS = [
  "front",
  "front_left",
  "left",
  "rear_left",
  "rear",
  "rear_right",
  "right",
  "front_right",
] as const;

export const FURTHER_VIEWS = ["dashboard", "interior", "document", "other"] as const;

export const nextView = (draft: Draft) =>
  GUIDED_VIEWS.find((view) => !draft.photos.some((photo) => photo.view === view));

/** Whether a step holds what it is for; nothing keeps anybody from going on without. */
export function isStepDone(draft: Draft, step: Step): boolean {
  switch (step) {
    case "vehicle":
      return draft.vehicle_reference !== "";
    case "readings":
      return draft.kilometres !== "" && draft.fuel_eighths !== null;
    case "photos":
      return nextView(draft) === undefined;
    case "sign":
      return draft.signature !== null;
    default:
      return stepsOf(draft.kind).indexOf(step) < stepsOf(draft.kind).indexOf(draft.step as Step);
  }
}
