import type { CashClosingMessage, CashClosingRequest } from "#worker/api/office/money-messages.ts";
import { formatDay, formatMoney, formatSignedMoney, getBranchName } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import type { FormField, FormValues } from "../../desk/fields.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { t } from "../../texts.ts";
import {
  addOpeningBalanceToExpectedCash,
  type CashRegister,
  type CashRegisterClosing,
  calculateCashDifference,
} from "./money.ts";

interface CloseSheetProps {
  readonly branch: string;
  readonly date: string;
  readonly cash: NonNullable<CashRegister["cash"]>;
  readonly onDone: (closing: CashRegisterClosing) => void;
  readonly onClose: () => void;
}

/** Closes a branch's cash register with the counted amount. Shows the difference before submitting. */
export function CashClosingSheet({ branch, date, cash, onDone, onClose }: CloseSheetProps) {
  const fields: readonly FormField<keyof CashClosingRequest>[] = [
    { name: "counted", kind: "money", required: true, hint: "countedHint" },
    // The user enters the opening balance only at the first closing. Later, it's what the last closing left.
    ...(cash.last_count === null ? [{ name: "opening", kind: "money", hint: "openingHint" } as const] : []),
    { name: "taken_out", kind: "money", hint: "takenOutHint" },
    { name: "note", kind: "long", label: "in.notes" },
  ];
  return (
    <FormSheet<CashClosingMessage, CashClosingRequest>
      title={`${t("closeCash")} · ${getBranchName(branch)}, ${formatDay(date)}`}
      introduction={t("aboutClosing")}
      draft={["close-cash", `${branch} ${date}`]}
      fields={fields}
      submit={t("closeCash")}
      outcome={(values) => <Outcome formValues={values} cash={cash} />}
      send={(body, key) =>
        sendOfficeRequest<CashClosingMessage, CashClosingRequest>("POST", toOfficePath("/register/close"), {
          body: { ...body, rental_location_code: branch, date },
          key,
        })
      }
      onDone={({ body }) => body.closing && onDone(body.closing)}
      onClose={onClose}
    />
  );
}

function Outcome({ formValues, cash }: { readonly formValues: FormValues; readonly cash: CloseSheetProps["cash"] }) {
  const expected = addOpeningBalanceToExpectedCash(String(formValues["opening"] ?? ""), cash.expected);
  const difference = calculateCashDifference(String(formValues["counted"] ?? ""), expected);
  return (
    <div class="quote" role="status">
      <dl class="outcome">
        <dt>{t("cash.expected")}</dt>
        <dd class="number">{formatMoney(expected)}</dd>
        <dt>{t("difference")}</dt>
        <dd class="number">
          <strong>{difference === undefined ? t("nothing") : formatSignedMoney(difference)}</strong>
        </dd>
      </dl>
    </div>
  );
}
