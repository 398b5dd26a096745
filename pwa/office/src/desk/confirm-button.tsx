import { useState } from "preact/hooks";
import { t } from "../texts.ts";

interface SureButtonProps {
  readonly text: string;
  /** Object of the action, for screen readers. */
  readonly of?: string;
  readonly isDanger?: boolean;
  readonly onSure: () => Promise<unknown>;
}

/** Button that asks for confirmation before an action that is hard to undo. */
export function ConfirmButton({ text, of, isDanger = false, onSure }: SureButtonProps) {
  const [isSure, setSure] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const press = async () => {
    if (!isSure) return setSure(true);
    setBusy(true);
    await onSure();
    setBusy(false);
    setSure(false);
  };
  const buttonText = isSure ? t("reallySo", { what: text }) : text;
  return (
    <button
      type="button"
      class={`small ${isDanger || isSure ? "danger" : ""}`}
      aria-label={of ? `${buttonText}: ${of}` : undefined}
      disabled={isBusy}
      onBlur={() => setSure(false)}
      onClick={press}
    >
      {buttonText}
    </button>
  );
}
