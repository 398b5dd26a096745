import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  readonly children: (wiring: InputWiring) => ComponentChildren;
}

/** Attributes that connect an input with its label and error. */
export interface InputWiring {
  readonly id: string;
  readonly "aria-invalid": "true" | undefined;
  readonly "aria-describedby": string | undefined;
}

/** A form's error, shown below all fields. */
export interface FieldError {
  readonly at: string;
  readonly text: string;
}
export const NO_FIELD_ERROR: FieldError = { at: "", text: "" };

/** Combines all errors into one, at the first invalid field. */
export const joinFieldErrors = (refused: Readonly<Record<string, string>> = {}): FieldError => ({
  at: Object.keys(refused)[0] ?? "",
  text: [...new Set(Object.values(refused))].join(" "),
});

/** Returns the attributes that connect the invalid field with its error text. */
export const getErrorAttributes = ({ at }: FieldError, name: string, id: string) =>
  at === name ? ({ "aria-invalid": "true", "aria-describedby": id } as const) : {};

/** Input with label and error. */
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
  /** Attributes of an error shown elsewhere. */
  readonly errorAttributes?: Partial<InputWiring>;
  readonly problem?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Select field. */
export function SelectField({ label, name, value, options, errorAttributes, problem, onChange }: PickProps) {
  return (
    <Field label={label} problem={problem}>
      {(wiring) => (
        <select
          {...wiring}
          {...errorAttributes}
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
