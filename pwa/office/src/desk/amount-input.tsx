import { useState } from "preact/hooks";
import { formatAmountInput, plainAmount } from "./typed-amount.ts";

interface AmountInputProps {
  readonly id?: string;
  readonly name?: string;
  readonly disabled?: boolean;
  readonly "aria-label"?: string;
  readonly "aria-describedby"?: string | undefined;
  readonly "aria-invalid"?: boolean;
  /** As the interfaces write it, or as it was typed. */
  readonly value: string;
  /** How what is typed is read: a share has no thousands. */
  readonly read?: ((typed: string) => string) | undefined;
  readonly onPaste?: (event: ClipboardEvent) => void;
  readonly onChange: (typed: string) => void;
}

/** An amount with the decimal mark of whoever reads. What somebody types stays as they type it. */
export function AmountInput({ value, read = plainAmount, onChange, ...rest }: AmountInputProps) {
  const [typed, setTyped] = useState("");
  // A mark that changed under one's hands would be read as another: the "1." of "1.250" is not yet a thousand.
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
