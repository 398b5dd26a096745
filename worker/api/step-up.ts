/**
 * Effect of an operation that may need a recent proof of the second factor. It moves money, opens or ends access, or
 * exports data of people.
 */
export type StepUpKind = "money" | "access" | "people";

/** Whether a session must have proved its second factor within 15 minutes. A reason explains exceptions. */
type StepUp =
  | { readonly kind: StepUpKind; readonly required: "always" }
  | { readonly kind: StepUpKind; readonly required: "sometimes" | "never"; readonly reason: string };

interface StepUpExtension {
  readonly "x-step-up": StepUp;
}

/** Declares that a route always refuses a session with a stale second factor. */
export function declareStepUp(kind: StepUpKind): StepUpExtension {
  return { "x-step-up": { kind, required: "always" } };
}

/** Declares the condition under which a route refuses a session with a stale second factor. */
export function declareConditionalStepUp(kind: StepUpKind, condition: string): StepUpExtension {
  return { "x-step-up": { kind, required: "sometimes", reason: condition } };
}

/** Declares why a route of this kind accepts a session with a stale second factor. */
export function declareNoStepUp(kind: StepUpKind, reason: string): StepUpExtension {
  return { "x-step-up": { kind, required: "never", reason } };
}
