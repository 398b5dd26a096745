import { MAX_DATE, MAX_DATE_TIME } from "#shared/max-date.ts";
import { t } from "../texts.ts";
import { AmountInput } from "./amount-input.tsx";

/** Attributes that every input accepts. */
export interface InputAttributes {
  readonly id?: string;
  readonly name?: string;
  readonly disabled?: boolean;
  readonly "aria-label"?: string;
  readonly "aria-describedby"?: string | undefined;
  readonly "aria-invalid"?: boolean;
}

export type SelectChoice = readonly [value: string | number, text: string];

interface SelectProps extends InputAttributes {
  readonly value: string | undefined;
  readonly choices: readonly SelectChoice[];
  /** Text of the empty choice. If not set, there's no empty choice. */
  readonly none?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Choice among values. */
export function Select({ choices, none, onChange, ...rest }: SelectProps) {
  return (
    <select {...rest} onChange={(event) => onChange(event.currentTarget.value)}>
      {none !== undefined && <option value="">{none}</option>}
      {choices.map(([value, text]) => (
        <option key={value} value={String(value)}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** Returns the text of the empty choice. A required value that is chosen can't be emptied. */
export function getEmptyChoiceText(value: string, isRequired: boolean | undefined): string | undefined {
  if (isRequired && value !== "") return undefined;
  return t(isRequired ? "choose" : "nothing");
}

interface CheckBoxProps extends InputAttributes {
  readonly label: string | number;
  readonly checked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

/** Check box in front of its label. */
export function CheckBox({ label, onChange, ...rest }: CheckBoxProps) {
  return (
    <label class="check">
      <input {...rest} type="checkbox" onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

const MAX_VALUES = { date: MAX_DATE, moment: MAX_DATE_TIME, time: undefined } as const;
const TYPES = { date: "date", moment: "datetime-local", time: "time" } as const;

/** Kinds of values with a plain input. */
export type BasicKind = keyof typeof TYPES | "email" | "flag" | "long" | "money" | "whole" | "text";

interface BasicInputProps extends InputAttributes {
  readonly kind: BasicKind;
  readonly value: unknown;
  readonly rows?: number;
  /** Parser of a typed amount. */
  readonly read?: ((text: string) => string) | undefined;
  readonly onChange: (value: string | boolean) => void;
}

/** Input of a value that needs no list or options. */
export function BasicInput({ kind, value, rows = 3, read, onChange, ...rest }: BasicInputProps) {
  const text = String(value ?? "");
  const handleInput = (event: { readonly currentTarget: { readonly value: string } }) =>
    onChange(event.currentTarget.value);
  switch (kind) {
    case "flag":
      return (
        <input
          {...rest}
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case "long":
      return <textarea {...rest} rows={rows} value={text} onInput={handleInput} />;
    case "money":
      return <AmountInput {...rest} value={text} read={read} onChange={onChange} />;
    case "email":
      return <input {...rest} type="email" autocomplete="off" value={text} onInput={handleInput} />;
    case "whole":
      return <input {...rest} inputMode="numeric" autocomplete="off" value={text} onInput={handleInput} />;
    case "text":
      return <input {...rest} autocomplete="off" value={text} onInput={handleInput} />;
    default:
      return (
        <input
          {...rest}
          type={TYPES[kind]}
          max={MAX_VALUES[kind]}
          autocomplete="off"
          value={text}
          onInput={handleInput}
        />
      );
  }
}
