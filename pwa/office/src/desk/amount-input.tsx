import { useState } from "preact/hooks";
import { formatAmountInput, parseTypedAmount } from "./typed-amount.ts";

interface AmountInputProps {
  readonly id?: string;
  readonly name?: string;
  readonly disabled?: boolean;
  readonly "aria-label"?: string;
  readonly "aria-describedby"?: string | undefined;
  readonly "aria-invalid"?: boolean;
  /** Amount in API format, or the typed text if that isn't an amount. */
  readonly value: string;
  /** Parser of the typed text. Percentages have no thousands separator. */
  readonly read?: ((text: string) => string) | undefined;
  readonly onPaste?: (event: ClipboardEvent) => void;
  readonly onChange: (text: string) => void;
}

/** Amount input with the user's decimal mark. Typed text isn't reformatted. */
export function AmountInput({ value, read = parseTypedAmount, onChange, ...rest }: AmountInputProps) {
  const [typed, setTyped] = useState("");
  // Show the text as typed, because an unfinished "1." would be reformatted before it becomes "1.250".
  const isOwn = typed === value || read(typed) === value;
  return (
    <input
      {...rest}
      inputMode="decimal"
      autocomplete="off"
      value={isOwn ? typed : formatAmountInput(value, read)}
      onInput={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(currentTarget.value);
      }}
    />
  );
}
