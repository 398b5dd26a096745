import { t } from "../texts.ts";
import { AmountInput } from "./amount-input.tsx";
import { FieldFrame, type Framed } from "./field-frame.tsx";
import { type FormField, getFieldLabel } from "./fields.ts";
import { plainShare } from "./typed-amount.ts";

interface FormInputProps {
  readonly field: FormField;
  readonly value: unknown;
  readonly problem: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** Form field with its hint and error. */
export function FormInput(props: FormInputProps) {
  const { field, problem } = props;
  const isFlag = field.kind === "flag";
  return (
    <FieldFrame
      label={getFieldLabel(field)}
      isRequired={field.required}
      hint={field.hint && t(field.hint)}
      problem={problem}
      isWide={field.isWide || field.kind === "long" || isFlag}
      isFlag={isFlag}
    >
      {(framed) => <Input {...props} {...framed} />}
    </FieldFrame>
  );
}

type InputProps = FormInputProps & Framed;

const TYPES = { date: "date", moment: "datetime-local" } as const;

function Input({ field, value, problem, onChange, id, describedBy }: InputProps) {
  const common = { id, name: field.name, "aria-describedby": describedBy, "aria-invalid": problem !== undefined };
  const text = String(value ?? "");
  const handleInput = (event: { readonly currentTarget: { readonly value: string } }) =>
    onChange(event.currentTarget.value);
  switch (field.kind) {
    case "flag":
      return (
        <input
          {...common}
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case "long":
      return <textarea {...common} rows={3} maxLength={500} value={text} onInput={handleInput} />;
    case "choice":
      return (
        <select {...common} value={text} onChange={handleInput}>
          {!(field.required && text !== "") && <option value="">{t(field.required ? "choose" : "nothing")}</option>}
          {field.choices?.map(([text, name]) => (
            <option key={text} value={text}>
              {name}
            </option>
          ))}
        </select>
      );
    case "date":
    case "moment":
      return <input {...common} type={TYPES[field.kind]} value={text} autocomplete="off" onInput={handleInput} />;
    case "email":
      return <input {...common} type="email" value={text} autocomplete="off" onInput={handleInput} />;
    case "money":
      return <AmountInput {...common} value={text} onChange={onChange} />;
    case "percent":
      return <AmountInput {...common} value={text} read={plainShare} onChange={onChange} />;
    case "whole":
      return <input {...common} inputMode="numeric" value={text} autocomplete="off" onInput={handleInput} />;
    default:
      return (
        <>
          <input
            {...common}
            maxLength={200}
            value={text}
            autocomplete="off"
            list={field.choices && `${id}-known`}
            onInput={handleInput}
          />
          {field.choices && (
            <datalist id={`${id}-known`}>
              {field.choices.map(([text, name]) => (
                <option key={text} value={text}>
                  {name}
                </option>
              ))}
            </datalist>
          )}
        </>
      );
  }
}
