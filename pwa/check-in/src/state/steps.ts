import type { Operation } from "../api/messages.ts";
import type { Draft } from "../offline/items.ts";
import { isReplacementComplete } from "./exchange.ts";

const STEPS = ["vehicle", "readings", "photos", "damage", "extras", "money", "sign", "review"] as const;
export type Step = (typeof STEPS)[number] | "replacement";

const ORDER: Readonly<Record<Operation["kind"], readonly Step[]>> = {
  delivery: STEPS,
  collection: ["readings", "photos", "damage", "extras", "money", "sign", "review"],
  exchange: ["readings", "photos", "damage", "replacement", "review"],
  evidence: ["photos", "review"],
  correction: ["readings", "money", "review"],
};

export const getSteps = (kind: Operation["kind"]): readonly Step[] => ORDER[kind];

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

/**
 * Whether a step holds what it is for, or somebody said that there is nothing; having seen it is not enough, and
 * nothing keeps anybody from going on without. `isSettled`: no money is left open.
 */
export function isStepDone(draft: Draft, step: Step, isSettled: boolean): boolean {
  switch (step) {
    case "vehicle":
      return draft.vehicle_reference !== "";
    case "replacement":
      return isReplacementComplete(draft.exchange);
    case "readings":
      return draft.kilometres !== "" && draft.fuel_eighths !== null;
    case "photos":
      return nextView(draft) === undefined;
    case "sign":
      return draft.signature !== null;
    case "damage":
      return draft.damages.length > 0 || isNothing(draft, step);
    case "extras":
      return draft.extras.length > 0 || isNothing(draft, step);
    case "money":
      return isSettled;
    case "review":
      return false;
  }
}

/** Whether somebody said that there is nothing to record at a step. */
const isNothing = ({ nothing_at = [] }: Draft, step: Step) => nothing_at.includes(step);

/** That there is nothing to record at a step, as a change of its work. */
export const nothingAt = ({ nothing_at = [] }: Draft, step: Step): Partial<Draft> => ({
  nothing_at: [...new Set([...nothing_at, step])],
});
