import type { ComponentChildren } from "preact";
import type { Settings, Sums } from "./api.ts";
import { type Language, languages, type Texts } from "./texts.ts";

/** An amount as the account writes its currency. */
export function money(amount: string, settings: Settings): string {
  const [whole = "", cents] = amount.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, settings.currency_thousands_separator);
  const number = cents === undefined ? grouped : grouped + settings.currency_decimal_mark + cents;
  return settings.currency_symbol_position === "first"
    ? settings.currency_symbol + number
    : `${number} ${settings.currency_symbol}`;
}

/** The summary of a reservation is written for pages that put it in as markup; here it is text. */
export function decoded(markup: string): string {
  return markup.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

export function Field({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child.
    <label class="field">
      <span>{label}</span>
      {children}
    </label>
  );
}

function Steps({ texts, at }: { readonly texts: Texts; readonly at: number }) {
  return (
    <ol class="steps">
      {texts.steps.map((step, index) => (
        <li key={step} aria-current={index === at ? "step" : undefined} class={index < at ? "done" : undefined}>
          {step}
        </li>
      ))}
    </ol>
  );
}

/** The sums of a cart or a booking: each line a part of the total. */
export function Sum({
  sums,
  vehicle,
  settings,
  texts,
}: {
  readonly sums: Sums;
  readonly vehicle: string;
  readonly settings: Settings;
  readonly texts: Texts;
}) {
  const supplements = [
    sums.time_from_cost,
    sums.time_to_cost,
    sums.pickup_place_cost,
    sums.return_place_cost,
    sums.category_supplement_1_cost,
  ];
  return (
    <section class="card sum" aria-label={texts.yourRental}>
      <h2>{texts.yourRental}</h2>
      <p>
        <b>{sums.pickup_place_customer_translation}</b>
        <br />
        {sums.date_from_full_format}, {sums.time_from}
      </p>
      <p>
        <b>{sums.return_place_customer_translation}</b>
        <br />
        {sums.date_to_full_format}, {sums.time_to}
      </p>
      <dl>
        <dt>
          {vehicle || texts.vehicle} · {sums.days} {sums.days === 1 ? texts.day : texts.days}
        </dt>
        <dd>{money(sums.item_cost, settings)}</dd>
        <dt>{texts.extras}</dt>
        <dd>{money(sums.extras_cost, settings)}</dd>
        {supplements.some((cost) => Number(cost) > 0) && (
          <>
            <dt>{texts.supplements}</dt>
            <dd>{money(addUp([sums.total_cost], [sums.item_cost, sums.extras_cost]), settings)}</dd>
          </>
        )}
        <dt class="total">{texts.total}</dt>
        <dd class="total" data-total>
          {money(sums.total_cost, settings)}
        </dd>
        {Number(sums.total_deposit) > 0 && (
          <>
            <dt class="quiet">{texts.deposit}</dt>
            <dd class="quiet">{money(sums.total_deposit, settings)}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

// Whole cents: what a page shows has to add up.
function addUp(plus: readonly string[], minus: readonly string[]): string {
  const cents = (amounts: readonly string[]) =>
    amounts.reduce((sum, amount) => sum + Math.round(Number(amount) * 100), 0);
  return ((cents(plus) - cents(minus)) / 100).toFixed(2);
}

interface FrameProps {
  readonly language: Language;
  readonly onLanguage: (language: Language) => void;
  readonly isBusy: boolean;
  readonly step: (typeof STEPS)[number];
  readonly problem: string;
  readonly children: ComponentChildren;
}

export const STEPS = ["search", "choose", "complete", "reservation"] as const;

/** What is around every page of the shop. */
export function Frame({ language, onLanguage, isBusy, step, problem, children }: FrameProps) {
  return (
    <>
      <header>
        <strong>Rent & go</strong>
        <nav aria-label="Language">
          {(Object.keys(languages) as Language[]).map((one) => (
            <button key={one} type="button" aria-pressed={one === language} onClick={() => onLanguage(one)}>
              {one}
            </button>
          ))}
        </nav>
      </header>
      <main aria-busy={isBusy} data-step={step}>
        <Steps texts={languages[language]} at={STEPS.indexOf(step)} />
        <p class="problem" role="alert">
          {problem}
        </p>
        {children}
      </main>
    </>
  );
}
