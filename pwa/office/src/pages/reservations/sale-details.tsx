import { useId } from "preact/hooks";
import { account, hasUserRight } from "../../account.ts";
import { FieldFrame } from "../../desk/field-frame.tsx";
import { CheckBox, Select } from "../../desk/inputs.tsx";
import { getLanguageName } from "../../desk/names.ts";
import { useOptions } from "../../desk/use-options.ts";
import { t } from "../../texts.ts";
import { getCustomerName } from "../customers/customer.ts";
import { listCustomerLanguages } from "../text-languages.ts";
import { CustomerFinder } from "./customer-choice.tsx";
import { type SaleFormValues, type ShortageDecision, toWireFieldName } from "./sale-form.ts";

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
  | "discount_value"
  | "discount_reason"
  | "shortage_reason"
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
    sale.customer_language !== "" ||
    sale.discount_value !== "" ||
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
        <DiscountFields sale={sale} problemOf={problemOf} onSay={onSay} />
        <div class="field">
          <label for={`${id}-language`}>{t("in.customer_language")}</label>
          <Select
            id={`${id}-language`}
            name="customer_language"
            value={sale.customer_language}
            none={t("customersOwnLanguage")}
            choices={listCustomerLanguages(account.value).map((code) => [code, getLanguageName(code)])}
            onChange={(code) => onSay({ customer_language: code })}
          />
        </div>
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

// Discount on the price, which has a reason and is checked against the user's limit.
function DiscountFields({ sale, problemOf, onSay }: Omit<MoreProps, "isNew">) {
  const id = useId();
  return (
    <>
      <div class="field">
        <label for={id}>{t("discountKind")}</label>
        <Select
          id={id}
          name="discount_kind"
          value={sale.discount_kind}
          choices={[
            ["percentage", t("discountPercentage")],
            ["amount", t("in.amount")],
          ]}
          onChange={(kind) => onSay({ discount_kind: kind === "amount" ? "amount" : "percentage" })}
        />
      </div>
      <SaleFieldInput
        name="discount_value"
        value={sale.discount_value}
        problem={problemOf("discount.value") ?? problemOf("discount")}
        onSay={onSay}
      />
      {sale.discount_value !== "" && (
        <SaleFieldInput
          name="discount_reason"
          value={sale.discount_reason}
          problem={problemOf("discount.reason")}
          onSay={onSay}
        />
      )}
    </>
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
      <CheckBox
        label={t("billedMonthly")}
        name="is_billed_monthly"
        checked={sale.is_billed_monthly}
        onChange={(isChecked) => onSay({ is_billed_monthly: isChecked })}
      />
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
    <CheckBox
      label={t("onHold")}
      checked={status === "pending_confirmation"}
      onChange={(isChecked) => onSay({ status: isChecked ? "pending_confirmation" : "confirmed" })}
    />
  );
}

interface ShortageProps {
  readonly sale: ShortageDecision;
  /** Whether the server refuses the sale because no vehicle is free. */
  readonly isSoldOut: boolean;
  readonly problem: string | undefined;
  readonly onSay: (changes: Partial<ShortageDecision>) => void;
}

/** Manager's decision to sell what is sold out, with a reason. */
export function ShortageChoice({ sale, isSoldOut, problem, onSay }: ShortageProps) {
  if (!hasUserRight("manage") || !(isSoldOut || sale.accept_shortage)) return null;
  return (
    <div class="quote-terms">
      <CheckBox
        label={t("in.accept_shortage")}
        name="accept_shortage"
        checked={sale.accept_shortage}
        onChange={(isChecked) => onSay({ accept_shortage: isChecked })}
      />
      {sale.accept_shortage && (
        <SaleFieldInput name="shortage_reason" value={sale.shortage_reason} problem={problem} onSay={onSay} />
      )}
    </div>
  );
}

const INPUT_MODES: Partial<Readonly<Record<TextName, "numeric" | "decimal">>> = {
  ...{ quantity: "numeric", driver_age: "numeric" },
  ...{ other_price: "decimal", discount_value: "decimal" },
};

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
          inputMode={INPUT_MODES[name] ?? "text"}
          aria-invalid={problem !== undefined}
          aria-describedby={describedBy}
          onInput={(event) => onSay({ [name]: event.currentTarget.value })}
        />
      )}
    </FieldFrame>
  );
}
