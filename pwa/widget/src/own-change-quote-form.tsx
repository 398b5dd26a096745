import type { ComponentChildren } from "preact";
import { ActionProblem } from "./action-problem.tsx";
import type { FieldError } from "./field.tsx";
import { LiveRegionMessage } from "./live-region.tsx";
import type { BookingFlow } from "./use-booking-flow.ts";
import { useFirstErrorFocus } from "./use-field-errors.ts";

interface Props {
  readonly shop: BookingFlow;
  readonly children: ComponentChildren;
  /** Error of the form, empty if there's none. Each error is a new object. */
  readonly formError: FieldError;
  readonly wrongId: string;
  readonly onAsk: () => void;
}

/** Form to change one's own reservation, with fields, errors and a quote button. */
export function OwnChangeQuoteForm({ shop, children, formError, wrongId, onAsk }: Props) {
  const { texts } = shop;
  const form = useFirstErrorFocus(formError);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onAsk();
      }}
    >
      {children}
      <p class="wrong" role="alert" id={wrongId}>
        <LiveRegionMessage of={formError} text={formError.text} />
      </p>
      <ActionProblem shop={shop} at="quote" fields="all" />
      <button type="submit" class="main" part="button" data-ask>
        {texts.showPrice}
      </button>
    </form>
  );
}
