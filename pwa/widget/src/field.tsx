import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  readonly children: (wiring: Wiring) => ComponentChildren;
}

/** What makes a control known to its label and to what is wrong with it. */
export interface Wiring {
  readonly id: string;
  readonly "aria-invalid": "true" | undefined;
  readonly "aria-describedby": string | undefined;
}

/** What a form says of one of its fields below all of them. */
export interface WrongField {
  readonly at: string;
  readonly text: string;
}
export const NONE_WRONG: WrongField = { at: "", text: "" };

/** Everything that was refused in one sentence, at the first field of it. */
export const firstWrong = (refused: Readonly<Record<string, string>> = {}): WrongField => ({
  at: Object.keys(refused)[0] ?? "",
  text: Object.values(refused).join(" "),
});

/** What marks that field: the sentence that stands below, which its own form has once. */
export const wrongAt = ({ at }: WrongField, name: string, id: string) =>
  at === name ? ({ "aria-invalid": "true", "aria-describedby": id } as const) : {};

/** A control with its label above it, and below it what is wrong. */
export function Field({ label, hint, problem, children }: Props) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>
        {label}
        {hint && <small> ({hint})</small>}
      </label>
      {children({
        id,
        "aria-invalid": problem ? "true" : undefined,
        "aria-describedby": problem ? `${id}-problem` : undefined,
      })}
      {problem && (
        <p class="wrong" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

interface PickProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** What is wrong with it, where that is said elsewhere. */
  readonly wrong?: Partial<Wiring>;
  readonly onChange: (value: string) => void;
}

/** One of several. */
export function Pick({ label, name, value, options, wrong, onChange }: PickProps) {
  return (
    <Field label={label}>
      {(wiring) => (
        <select
          {...wiring}
          {...wrong}
          name={name}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} selected={option.value === value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
