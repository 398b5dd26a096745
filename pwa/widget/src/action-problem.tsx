import { useLayoutEffect } from "preact/hooks";
import { LiveRegionMessage } from "./live-region.tsx";
import type { BookingFlow } from "./use-booking-flow.ts";

interface Props {
  readonly shop: BookingFlow;
  /** Action that the element shows the error of. */
  readonly at: string | undefined;
  /** Fields whose errors the form shows. */
  readonly fields?: readonly string[] | "all";
}

/** Error of an action, next to its button. Empty if the fields show it. */
export function ActionProblem({ shop: { problem, setShownProblem }, at, fields }: Props) {
  const shown = at && problem?.at === at ? problem : undefined;
  useLayoutEffect(() => {
    if (!shown) return;
    setShownProblem(shown);
    return () => setShownProblem(undefined);
  }, [shown]);
  if (!shown) return null;
  const { wrong, text } = shown;
  const isAtFields = wrong && Object.keys(wrong).every((name) => fields === "all" || fields?.includes(name));
  return (
    <p class="problem" role="alert" data-problem={at}>
      <LiveRegionMessage of={shown} text={isAtFields ? "" : text} />
    </p>
  );
}
