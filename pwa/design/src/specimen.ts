import type { ComponentChildren } from "preact";
import type { State } from "./texts.ts";

/** A component in each of its states. */
export interface Specimen {
  /** Name of the exported component, or of a class in the style sheets. */
  readonly name: string;
  /** Whether it covers the page, so that it is only shown alone. */
  readonly isOverlay?: boolean;
  readonly states: Readonly<Partial<Record<State, () => ComponentChildren>>>;
}

/** Handler of a specimen whose events change nothing. */
export const ignoreEvent = () => undefined;
