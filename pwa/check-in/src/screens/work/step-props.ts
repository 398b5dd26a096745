import type { Draft } from "../../offline/items.ts";

/** What each step of handing over and taking back is given. */
export interface StepProps {
  readonly draft: Draft;
  readonly onNext: () => void;
  /** The screen around a step: its title, and its main action. */
  readonly frame: (action: preact.ComponentChildren, content: preact.ComponentChildren) => preact.JSX.Element;
}
