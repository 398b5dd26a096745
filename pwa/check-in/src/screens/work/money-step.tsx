import { DESK_PAYMENT_METHODS } from "#domain/check-in/codes.ts";
import { t } from "../../i18n/texts.ts";
import { newId } from "../../offline/ids.ts";
import type { Draft } from "../../offline/items.ts";
import { bookingOf } from "../../state/day.ts";
import { fromCents, moneyText, toCents } from "../../state/money.ts";
import { change } from "../../state/work.ts";
import { Icon } from "../../ui/icon.tsx";
import { Field } from "../../ui/parts.tsx";
import { closingCents, closingOf } from "./closing.ts";
import { ClosingLines } from "./closing-lines.tsx";
import type { StepProps } from "./step-props.ts";

type Charge = Draft["charges"][number];
type Kind = Charge["kind"];

const KINDS: Readonly<Record<"delivery" | "collection", readonly Kind[]>> = {
  delivery: ["payment", "deposit_taken"],
  collection: ["payment", "deposit_returned", "deposit_kept"],
};

/** What changes hands at the desk: recorded here, charged by the card terminal or the till. */
export function MoneyStep({ draft, frame, onNext }: StepProps) {
  const side = draft.kind === "collection" ? "collection" : "delivery";
  const closing = side === "collection" ? closingOf(draft) : undefined;
  return frame(
    <button type="button" class="main" onClick={onNext}>
      {t("continue")}
    </button>,
    <>
      {closing && <ClosingLines closing={closing} />}
      {KINDS[side].map((kind) => (
        <ChargeCard key={kind} draft={draft} kind={kind} suggestedCents={suggested(draft, kind)} />
      ))}
    </>,
  );
}

function suggested(draft: Draft, kind: Kind): number {
  const booking = bookingOf(draft.booking_id);
  const amountOf = (text: string | undefined) => toCents(text ?? "0") ?? 0;
  const owed = closingCents(draft.kind === "collection" ? closingOf(draft) : undefined);
  const held = amountOf(booking?.deposit.held);
  if (kind === "payment") return amountOf(booking?.amounts.total_pending) + owed;
  if (kind === "deposit_taken") return amountOf(booking?.deposit.pending);
  return kind === "deposit_returned" ? held : Math.min(held, owed);
}

interface ChargeProps {
  readonly draft: Draft;
  readonly kind: Kind;
  readonly suggestedCents: number;
}

function ChargeCard({ draft, kind, suggestedCents }: ChargeProps) {
  const charge = draft.charges.find((one) => one.kind === kind);
  const others = draft.charges.filter((one) => one.kind !== kind);
  const start = () =>
    void change({
      charges: [
        ...others,
        { charge_id: newId(Date.now()), kind, amount: fromCents(suggestedCents), payment_method_id: "credit_card" },
      ],
    });
  if (!charge) {
    return (
      <section class="card row">
        <div class="grow">
          <h2>{t(`charge_${kind}`)}</h2>
          <p class="soft">{t("chargeDue", { amount: moneyText(suggestedCents) })}</p>
        </div>
        <button type="button" class="small" onClick={start}>
          {t("record")}
        </button>
      </section>
    );
  }
  const set = (changes: Partial<Charge>) => void change({ charges: [...others, { ...charge, ...changes }] });
  const cents = toCents(charge.amount);
  const isShort = kind === "deposit_taken" && cents !== undefined && cents < suggestedCents;
  return (
    <section class="card">
      <div class="row">
        <h2 class="grow">{t(`charge_${kind}`)}</h2>
        <button
          type="button"
          class="round"
          aria-label={t("removeCharge")}
          onClick={() => void change({ charges: others })}
        >
          <Icon name="trash" size={20} />
        </button>
      </div>
      <Field
        label={t("amount")}
        warning={cents === undefined ? t("warnAmount") : isShort ? t("warnDepositShort") : undefined}
      >
        <input
          inputMode="decimal"
          value={charge.amount}
          onInput={({ currentTarget }) => set({ amount: currentTarget.value.replace(",", ".") })}
        />
      </Field>
      <Field label={t("method")}>
        <select
          value={charge.payment_method_id}
          onChange={({ currentTarget }) => {
            const method = DESK_PAYMENT_METHODS.find((one) => one === currentTarget.value);
            if (method) set({ payment_method_id: method });
          }}
        >
          {DESK_PAYMENT_METHODS.map((method) => (
            <option key={method} value={method}>
              {t(`method_${method}`)}
            </option>
          ))}
        </select>
      </Field>
      {charge.payment_method_id === "credit_card" && (
        <Field label={t("terminalNumber")}>
          <input
            value={charge.external_operation_number ?? ""}
            maxLength={60}
            onInput={({ currentTarget }) => set({ external_operation_number: currentTarget.value })}
          />
        </Field>
      )}
    </section>
  );
}
