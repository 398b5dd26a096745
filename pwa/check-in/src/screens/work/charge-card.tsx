import { useState } from "preact/hooks";
import { DESK_PAYMENT_METHODS } from "#domain/check-in/codes.ts";
import { t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import { formatMoney, toCents } from "../../state/money.ts";
import { getTextTooLongMessage } from "../../state/text-lengths.ts";
import { removeFromWork } from "../../state/undo-removal.ts";
import { changeOpenWork } from "../../state/work.ts";
import { Icon } from "../../ui/icon.tsx";
import { Field } from "../../ui/parts.tsx";
import { ScannableField } from "./scannable-field.tsx";

type Charge = WorkDraft["charges"][number];

interface ChargeProps {
  readonly draft: WorkDraft;
  readonly charge: Charge;
}

/** A payment with its amount, method and card terminal reference. */
export function ChargeCard({ draft, charge }: ChargeProps) {
  const set = (changes: Partial<Charge>) =>
    void changeOpenWork({
      charges: draft.charges.map((item) => (item.charge_id === charge.charge_id ? { ...item, ...changes } : item)),
    });
  const remove = () =>
    removeFromWork(t(`charge_${charge.kind}`), {
      charges: draft.charges.filter(({ charge_id }) => charge_id !== charge.charge_id),
    });
  const cents = toCents(charge.amount);
  return (
    <section class="card charge">
      <div class="row">
        <h2 class="grow">{t(`charge_${charge.kind}`)}</h2>
        <button type="button" class="round" aria-label={t("removeCharge")} onClick={remove}>
          <Icon name="trash" size={20} />
        </button>
      </div>
      <Field label={t("amount")} warning={cents ? undefined : t("warnAmount")}>
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
            const method = DESK_PAYMENT_METHODS.find((item) => item === currentTarget.value);
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
        <ScannableField aim="scanAimTerminal" onCode={(code) => set({ external_operation_number: code })}>
          <Field
            label={t("terminalNumber")}
            warning={getTextTooLongMessage("operationNumber", charge.external_operation_number)}
          >
            <input
              value={charge.external_operation_number ?? ""}
              onInput={({ currentTarget }) => set({ external_operation_number: currentTarget.value })}
            />
          </Field>
        </ScannableField>
      )}
      {charge.payment_method_id === "cash" && isMoneyReceived(charge) && cents !== undefined && (
        <Change cents={cents} />
      )}
    </section>
  );
}

const isMoneyReceived = ({ kind }: Charge) => kind === "payment" || kind === "deposit_taken";

/** Calculates the change for cash received. */
function Change({ cents }: { readonly cents: number }) {
  const [text, setGiven] = useState("");
  const receivedCents = toCents(text.replace(",", "."));
  const back = receivedCents === undefined ? undefined : receivedCents - cents;
  return (
    <Field
      label={t("cashGiven")}
      hint={back !== undefined && back >= 0 ? t("cashChange", { amount: formatMoney(back) }) : undefined}
      warning={back !== undefined && back < 0 ? t("cashShort", { amount: formatMoney(-back) }) : undefined}
    >
      <input inputMode="decimal" value={text} onInput={({ currentTarget }) => setGiven(currentTarget.value)} />
    </Field>
  );
}
