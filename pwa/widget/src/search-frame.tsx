import type { ComponentChildren } from "preact";
import { ActionProblem } from "./action-problem.tsx";
import type { FieldError } from "./field.tsx";
import { Heading } from "./heading.tsx";
import { LiveRegionMessage } from "./live-region.tsx";
import type { BookingFlow } from "./use-booking-flow.ts";
import { useFirstErrorFocus } from "./use-field-errors.ts";

interface Props {
  readonly shop: BookingFlow;
  readonly title: string;
  readonly fieldError: FieldError;
  readonly wrongId: string;
  /** Whether the choices are loaded. */
  readonly isReady?: boolean;
  /** Whether wide pages show the fields in one row. */
  readonly isBar?: boolean;
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}

/** Common frame of both searches with title, errors and button. */
export function SearchFrame({ shop, title, fieldError, wrongId, isReady = true, isBar, onSubmit, children }: Props) {
  const { texts, remembered, problem } = shop;
  const form = useFirstErrorFocus(fieldError);
  return (
    <form
      class={isBar ? "card bar" : "card"}
      part="form"
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Heading>{title}</Heading>
      {children}
      <p class="wrong" role="alert" id={wrongId}>
        <LiveRegionMessage of={fieldError} text={fieldError.text} />
      </p>
      <ActionProblem shop={shop} at={problem?.wrong ? problem.at : "find"} fields="all" />
      {!isReady && !problem && shop.isListMissing && <p class="problem">{texts.unreachable}</p>}
      {!isReady && (problem || shop.isListMissing) && (
        <button type="button" class="other" data-retry onClick={shop.retry}>
          {texts.retry}
        </button>
      )}
      <button type="submit" class="main" part="button" disabled={!isReady}>
        {texts.search}
      </button>
      {remembered.reservation && (
        <button
          type="button"
          class="link"
          data-mine
          onClick={() => shop.go({ step: "reservation", search: {}, reservation: remembered.reservation ?? "" })}
        >
          {texts.mine}
        </button>
      )}
    </form>
  );
}
