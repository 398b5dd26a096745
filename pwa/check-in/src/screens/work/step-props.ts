import type { WorkDraft } from "../../offline/items.ts";
import type { ExchangedVehicle } from "../../state/exchange.ts";

/** Props of each hand-over and return step. */
export interface StepProps {
  readonly draft: WorkDraft;
  /** Set for the steps of the outgoing vehicle of an exchange. */
  readonly vehicle?: ExchangedVehicle;
  /** The open part of the step, such as a damage. */
  readonly part: string | undefined;
  readonly onNext: () => void;
  /**
   * Layout of a step with its title and main action. `actionKey` identifies an action that changes while the screen
   * stays.
   */
  readonly frame: (
    action: preact.ComponentChildren,
    content: preact.ComponentChildren,
    actionKey?: string,
  ) => preact.JSX.Element;
}
