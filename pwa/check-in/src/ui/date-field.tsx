import { MAX_DATE } from "#shared/max-date.ts";
import { formatDay } from "../state/format-time.ts";
import { Field } from "./parts.tsx";

interface DateFieldProps {
  readonly label: string;
  readonly name?: string;
  readonly value: string;
  readonly onChange: (date: string) => void;
}

/** Field of a date. It repeats the date in the app's language, because browsers show dates in their own. */
export function DateField({ label, name, value, onChange }: DateFieldProps) {
  return (
    <Field label={label} hint={formatDay(value)}>
      <input
        type="date"
        max={MAX_DATE}
        name={name}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </Field>
  );
}
