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

/** Props of an input or select field, with the attributes of an error shown elsewhere. */
interface ControlProps extends Omit<Props, "children">, Partial<InputWiring> {
  readonly name: string;
  readonly value: string;
  readonly autocomplete?: string;
  readonly "aria-required"?: boolean;
}

interface InputFieldProps extends ControlProps {
  readonly type?: string | undefined;
  readonly inputMode?: string;
  readonly min?: number;
  readonly max?: number;
  readonly onInput: (value: string) => void;
}

/** Input of text or a number with label and error. */
export function InputField({ label, hint, problem, onInput, ...attributes }: InputFieldProps) {
  return (
    <Field {...{ label, hint, problem }}>
      {(wiring) => {
        const all: object = { ...wiring, ...attributes };
        return <input {...all} onInput={(event) => onInput(event.currentTarget.value)} />;
      }}
    </Field>
  );
}

/** Option of a select field. */
export interface SelectOption {
  readonly value: string;
  readonly label: string;
}

interface SelectProps extends ControlProps {
  readonly options: readonly SelectOption[];
  readonly onChange: (value: string) => void;
}

/** Select field. */
export function SelectField(props: SelectProps) {
  const { label, hint, problem, options, onChange, ...attributes } = props;
  return (
    <Field {...{ label, hint, problem }}>
      {(wiring) => (
        <select {...wiring} {...attributes} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value} selected={option.value === attributes.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
