import { t } from "../texts.ts";
import { type FieldAttributes, FieldFrame } from "./field-frame.tsx";
import { type FormField, getFieldLabel } from "./fields.ts";
import { BasicInput, getEmptyChoiceText, type InputAttributes, Select } from "./inputs.tsx";
import { parseTypedPercent } from "./typed-amount.ts";

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
      isWarning={field.isWarning}
      problem={problem}
      isWide={field.isWide || field.kind === "long" || isFlag}
      isFlag={isFlag}
    >
      {(framed) => <Input {...props} {...framed} />}
    </FieldFrame>
  );
}

type InputProps = FormInputProps & FieldAttributes;

function Input({ field, value, problem, onChange, id, describedBy }: InputProps) {
  const common = { id, name: field.name, "aria-describedby": describedBy, "aria-invalid": problem !== undefined };
  const text = String(value ?? "");
  switch (field.kind) {
    case "long":
      return <BasicInput {...common} kind="long" value={text} onChange={onChange} />;
    case "choice":
      return (
        <Select
          {...common}
          value={text}
          none={getEmptyChoiceText(text, field.required)}
          choices={field.choices ?? []}
          onChange={onChange}
        />
      );
    case "percent":
      return <BasicInput {...common} kind="money" read={parseTypedPercent} value={text} onChange={onChange} />;
    case "text":
      return <SuggestingInput {...common} id={id} choices={field.choices} value={text} onChange={onChange} />;
    default:
      return <BasicInput {...common} kind={field.kind} value={value} onChange={onChange} />;
  }
}

interface SuggestingInputProps extends InputAttributes {
  readonly choices: FormField["choices"];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

// Text with suggestions, if any.
function SuggestingInput({ choices, onChange, ...rest }: SuggestingInputProps) {
  const list = choices && `${rest.id}-known`;
  return (
    <>
      <input {...rest} autocomplete="off" list={list} onInput={(event) => onChange(event.currentTarget.value)} />
      {choices && (
        <datalist id={list}>
          {choices.map(([text, name]) => (
            <option key={text} value={text}>
              {name}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}
