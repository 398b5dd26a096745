import { useId } from "preact/hooks";
import { hasUserRight } from "../../account.ts";
import { FieldFrame } from "../../desk/field-frame.tsx";
import { Select } from "../../desk/inputs.tsx";
import { useOptions } from "../../desk/use-options.ts";
import { t } from "../../texts.ts";
import { getCustomerName } from "../customers/customer.ts";
import { CustomerFinder } from "./customer-choice.tsx";
import type { SaleFormValues } from "./sale-form.ts";

interface SaleFieldsProps {
  readonly onSay: (changes: Partial<SaleFormValues>) => void;
}

interface MoreProps extends SaleFieldsProps {
  readonly sale: SaleFormValues;
  readonly problemOf: (name: string) => string | undefined;
  /** Whether the sale is new. A change of a quote can't change its payer. */
  readonly isNew: boolean;
}

type TextName =
  | "quantity"
  | "driver_age"
  | "promotion_code"
  | "other_price"
  | "other_price_reason"
  | "rule_reason"
  | "notes";

const PLAIN: readonly TextName[] = ["quantity", "driver_age", "promotion_code"];

/**
 * Rarely used fields: quantity, driver's age, promotion code, channel, agent, manual price, and a hold instead of a
 * confirmed reservation.
 */
export function AdditionalSaleFields({ sale, problemOf, isNew, onSay }: MoreProps) {
  const channels = useOptions("sales-channels");
  const agents = useOptions("agents");
  const id = useId();
  const names: readonly TextName[] = [
    ...PLAIN,
    ...(hasUserRight("give_away") ? (["other_price", "other_price_reason"] as const) : []),
    ...(hasUserRight("manage") ? (["rule_reason"] as const) : []),
    "notes",
  ];
  const hasAdditionalValues =
    sale.payer_id !== null ||
    sale.is_billed_monthly ||
    names.some((name) => sale[name] !== "" && !(name === "quantity" && sale.quantity === "1"));
  return (
    <details class="more-of-sale" open={hasAdditionalValues}>
      <summary>{t("moreOfSale")}</summary>
      <div class="fields">
        {names.map((name) => (
          <SaleFieldInput
            key={name}
            name={name}
            value={sale[name]}
            problem={problemOf(toWireFieldName(name))}
            onSay={onSay}
          />
        ))}
        <div class="field">
          <label for={`${id}-channel`}>{t("channel")}</label>
          <Select
            id={`${id}-channel`}
            value={sale.sales_channel_code}
            none={t("ownChannel")}
            choices={channels.map(({ code, name }) => [code, name])}
            onChange={(code) => onSay({ sales_channel_code: code })}
          />
        </div>
        {agents.length > 0 && (
          <div class="field">
            <label for={`${id}-agent`}>{t("back.agent")}</label>
            <Select
              id={`${id}-agent`}
              value={sale.agent_id}
              none={t("noAgent")}
              choices={agents.map(({ id: value, name }) => [value, name])}
              onChange={(agent) => onSay({ agent_id: agent })}
            />
          </div>
        )}
        {!sale.is_quote && <HoldChoice status={sale.status} onSay={onSay} />}
        {isNew && <Payer sale={sale} problem={problemOf("billing_customer_id")} onSay={onSay} />}
      </div>
    </details>
  );
}

// Customer who pays instead of the driver, usually a company.
function Payer({
  sale,
  problem,
  onSay,
}: { readonly sale: SaleFormValues; readonly problem: string | undefined } & SaleFieldsProps) {
  return (
    <div class="wide payer">
      {sale.payer_id === null ? (
        <CustomerFinder
          label="payer"
          problem={problem}
          onChoose={(customer) => onSay({ payer_id: customer.id, payer_name: getCustomerName(customer) })}
        />
      ) : (
        <div class="chosen">
          <p>
            {t("payer")}: <span class="strong">{sale.payer_name}</span>
          </p>
          <button type="button" onClick={() => onSay({ payer_id: null, payer_name: "" })}>
            {t("removePayer")}
          </button>
          {problem && <p class="problem">{problem}</p>}
        </div>
      )}
      <label class="check">
        <input
          type="checkbox"
          name="is_billed_monthly"
          checked={sale.is_billed_monthly}
          onChange={(event) => onSay({ is_billed_monthly: event.currentTarget.checked })}
        />
        {t("billedMonthly")}
      </label>
    </div>
  );
}

interface OnHoldProps {
  readonly status: SaleFormValues["status"];
  readonly onSay: (changes: Pick<SaleFormValues, "status">) => void;
}

/** Whether the reservation is only held for a while. */
export function HoldChoice({ status, onSay }: OnHoldProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={status === "pending_confirmation"}
        onChange={(event) => onSay({ status: event.currentTarget.checked ? "pending_confirmation" : "confirmed" })}
      />
      {t("onHold")}
    </label>
  );
}

/** Returns the API name of a field. */
export const toWireFieldName = (name: TextName) => (name === "other_price" ? "price_override.total_cost" : name);

interface SaleFieldInputProps {
  readonly name: TextName;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onSay: (changes: Partial<Record<TextName, string>>) => void;
}

/** Rarely used field of a reservation. */
export function SaleFieldInput({ name, value, problem, onSay }: SaleFieldInputProps) {
  return (
    <FieldFrame label={t(name === "notes" ? "in.comments" : `in.${name}`)} problem={problem}>
      {({ id, describedBy }) => (
        <input
          id={id}
          name={name}
          value={value}
          autocomplete="off"
          inputMode={
            name === "quantity" || name === "driver_age" ? "numeric" : name === "other_price" ? "decimal" : "text"
          }
          aria-invalid={problem !== undefined}
          aria-describedby={describedBy}
          onInput={(event) => onSay({ [name]: event.currentTarget.value })}
        />
      )}
    </FieldFrame>
  );
}
