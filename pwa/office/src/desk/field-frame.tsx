import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** Accessibility attributes of an input: its id and the elements that describe it. */
export interface FieldAttributes {
  readonly id: string;
  readonly describedBy: string | undefined;
}

interface FieldFrameProps {
  readonly label: string;
  readonly isRequired?: boolean | undefined;
  readonly hint?: string | undefined;
  /** Whether the hint warns about the value, which is accepted anyway. */
  readonly isWarning?: boolean | undefined;
  readonly problem: string | undefined;
  readonly isWide?: boolean;
  /** Whether the input is a checkbox, which stands before its label. */
  readonly isFlag?: boolean;
  readonly children: (framed: FieldAttributes) => ComponentChildren;
}

/** Form field with label, input, hint and error. */
export function FieldFrame({ label, isRequired, hint, problem, isWide, isFlag, ...rest }: FieldFrameProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ");
  return (
    <div class={`field ${isWide ? "wide" : ""} ${isFlag ? "check" : ""}`}>
      <label for={id}>
        <span>
          {label}
          {isRequired && <span aria-hidden="true"> *</span>}
        </span>
      </label>
      {rest.children({ id, describedBy: described || undefined })}
      {hint && (
        <p class={rest.isWarning ? "waits" : "soft"} role={rest.isWarning ? "status" : undefined} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}
