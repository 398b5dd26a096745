import type { Draft } from "../../offline/items.ts";

/** What each step of handing over and taking back is given. */
export interface StepProps {
  readonly draft: Draft;
  /** What of the step is open: a damage. */
  readonly part: string | undefined;
  readonly onNext: () => void;
  /**
   * The screen around a step: its title, and its main action; `actionKey` names what that does where it changes while
   * the screen stays.
   */
  readonly frame: (
    action: preact.ComponentChildren,
    content: preact.ComponentChildren,
    actionKey?: string,
  ) => preact.JSX.Element;
}
