import type { ComponentChildren } from "preact";
import { t } from "../i18n/texts.ts";
import { settings } from "../state/settings.ts";
import { Icon, type IconName } from "./icon.tsx";

/** Number plate as on the car. With the EU band if the company's currency is the euro. */
export function Plate({ text, isLarge = false }: { readonly text: string; readonly isLarge?: boolean }) {
  const classNames = ["plate", isLarge && "large", settings.value?.currency === "EUR" && "banded"];
  return <span class={classNames.filter(Boolean).join(" ")}>{text}</span>;
}

export type StatusTone = "todo" | "draft" | "waiting" | "sending" | "done" | "refused" | "held";

const ICONS: Readonly<Record<StatusTone, IconName>> = {
  todo: "next",
  draft: "draft",
  waiting: "clock",
  sending: "up",
  done: "check",
  refused: "refused",
  held: "clock",
};

/** Status label with an icon and a text, never colour alone. */
export function Chip({ tone, children }: { readonly tone: StatusTone; readonly children: ComponentChildren }) {
  return (
    <span class="chip" data-tone={tone}>
      <Icon name={ICONS[tone]} size={16} />
      {children}
    </span>
  );
}

/** Error message that screen readers announce immediately. */
export function AlertMessage({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="note" data-tone="refused" role="alert">
      <Icon name="refused" />
      {children}
    </p>
  );
}

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}

export function EmptyState({ icon, title, children }: EmptyProps) {
  return (
    <div class="empty">
      <span class="bay">
        <Icon name={icon} size={40} />
      </span>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

interface CounterProps {
  readonly label: string;
  readonly value: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
}

export function Counter({ label, value, most, onChange }: CounterProps) {
  return (
    <fieldset class="counter" aria-label={label}>
      <button
        type="button"
        class="round"
        aria-label={t("less", { what: label })}
        disabled={value <= 0}
        onClick={() => onChange(value - 1)}
      >
        <Icon name="minus" />
      </button>
      <output>{value}</output>
      <button
        type="button"
        class="round"
        aria-label={t("moreOf", { what: label })}
        disabled={value >= most}
        onClick={() => onChange(value + 1)}
      >
        <Icon name="plus" />
      </button>
    </fieldset>
  );
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly warning?: string | undefined;
  readonly children: ComponentChildren;
}

export function Field({ label, hint, warning, children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is what the field is given
    <label class="field">
      <span class="label">{label}</span>
      {children}
      {hint && <span class="hint">{hint}</span>}
      {warning && (
        <span class="warning" role="status">
          <Icon name="refused" size={18} />
          {warning}
        </span>
      )}
    </label>
  );
}

interface ChoiceProps<T extends string> {
  readonly legend: string;
  readonly name: string;
  readonly options: readonly (readonly [T, string])[];
  readonly value: T | undefined;
  readonly onChange: (value: T) => void;
}

/** Radio group with large buttons and arrow-key navigation. */
export function Choice<T extends string>({ legend, name, options, value, onChange }: ChoiceProps<T>) {
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      <div class="options">
        {options.map(([option, text]) => (
          <label key={option}>
            <input type="radio" name={name} checked={value === option} onChange={() => onChange(option)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
