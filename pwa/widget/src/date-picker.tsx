import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { InputWiring } from "./field.tsx";
import { formatDay } from "./format.ts";
import { Month } from "./month.tsx";
import type { Texts } from "./texts.ts";

interface Props {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly least: string;
  readonly locale: string;
  readonly texts: Texts;
  /** Loads the open days between two dates, both yyyy-mm-dd. */
  readonly loadDays: (from: string, to: string) => Promise<readonly string[]>;
  readonly errorAttributes?: Partial<InputWiring>;
  readonly onChange: (date: string) => void;
}

/** Date field with a calendar that marks closed days. */
export function DatePicker({ label, name, value, least, locale, texts, loadDays, errorAttributes, onChange }: Props) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const close = () => {
    setIsOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    const leave = (event: Event) => {
      if (box.current && !event.composedPath().includes(box.current)) setIsOpen(false);
    };
    document.addEventListener("pointerdown", leave);
    return () => document.removeEventListener("pointerdown", leave);
  }, [isOpen]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the calendar wherever the focus is in it.
    <div
      class="field dates"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        event.stopPropagation();
        close();
      }}
      onFocusOut={(event) => {
        if (event.relatedTarget instanceof Node && !box.current?.contains(event.relatedTarget)) setIsOpen(false);
      }}
    >
      <span class="label" id={`${id}-label`}>
        {label}
      </span>
      <button
        type="button"
        class="date"
        id={`${id}-button`}
        ref={button}
        data-date={name}
        {...errorAttributes}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-labelledby={`${id}-label ${id}-button`}
        onClick={() => setIsOpen(!isOpen)}
      >
        {value ? formatDay(value, locale) : "–"}
      </button>
      {isOpen && (
        <div class="calendar" role="dialog" aria-labelledby={`${id}-label`}>
          <Month
            value={value || least}
            least={least}
            locale={locale}
            texts={texts}
            loadDays={loadDays}
            onChoose={(date) => {
              onChange(date);
              close();
            }}
          />
        </div>
      )}
    </div>
  );
}
