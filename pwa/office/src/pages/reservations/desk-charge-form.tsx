import { useState } from "preact/hooks";
import { parseAmount, toAmount } from "#domain/amount-text.ts";
import { DESK_PAYMENT_METHODS } from "#domain/check-in/codes.ts";
import type { DeskChargeRequest } from "#worker/api/documents/messages.ts";
import { account, formatMoney, isZeroAmount } from "../../account.ts";
import { sendOfficeRequest } from "../../api.ts";
import type { FormField, FormValues } from "../../desk/fields.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import type { Reservation } from "../../desk/reservation.ts";
import { t } from "../../texts.ts";

// A refund is a separate action with limits and an approval.
const CHARGE_KINDS = ["charge", "deposit_received", "deposit_returned", "deposit_kept"] as const;

type ChargeFields = Omit<DeskChargeRequest, "request_id">;

const fields = (): readonly FormField<keyof ChargeFields>[] => [
  {
    name: "kind",
    kind: "choice",
    label: "moneyKind",
    required: true,
    isWide: true,
    choices: CHARGE_KINDS.map((kind) => [kind, t(`moneyKind.${kind}`)] as const),
  },
  { name: "amount", kind: "money", required: true },
  {
    name: "payment_method_id",
    kind: "choice",
    label: "paymentWay",
    required: true,
    choices: DESK_PAYMENT_METHODS.map((item) => [item, t(`method.${item}`)] as const),
  },
  { name: "external_operation_number", kind: "text", label: "operationNumber" },
];

// The request key makes retries record the payment once.
const recordCharge = (id: number, key: string, body: ChargeFields) =>
  sendOfficeRequest<object, DeskChargeRequest>("POST", `/api/v1/booking/${id}/charges`, {
    body: { request_id: key, ...body },
  });

interface DeskChargeFormProps {
  readonly of: Reservation;
  readonly isOpen: boolean;
  /** Called when the form opens, to load the current amounts. */
  readonly onOpen: () => unknown;
  readonly onDone: (notice: string) => void;
  readonly onLeave: () => void;
}

/** Records payments at the desk, and deposits received, returned or retained. */
export function DeskChargeForm({ of, isOpen, onOpen, onDone, onLeave }: DeskChargeFormProps) {
  const [isFormOpen, setFormOpen] = useState(isOpen);
  const close = () => {
    setFormOpen(false);
    onLeave();
  };
  return (
    <>
      <p>
        <button
          type="button"
          class="small"
          onClick={() => {
            setFormOpen(true);
            onOpen();
          }}
        >
          {t("takeMoney")}
        </button>
      </p>
      {isFormOpen && (
        <FormSheet<object, ChargeFields>
          title={`${t("takeMoney")} · ${t("reservationNo", { id: of.id })}`}
          {...(!isZeroAmount(of.deposit_held) && {
            introduction: `${t("depositHeld")}: ${formatMoney(of.deposit_held)}`,
          })}
          draft={["money", String(of.id)]}
          fields={fields()}
          begin={proposeCharge(of)}
          submit={t("takeMoney")}
          send={(body, key) => recordCharge(of.id, key, body)}
          onDone={() => {
            close();
            onDone(t("moneyEntered"));
          }}
          onClose={close}
        />
      )}
    </>
  );
}

// Proposes the pending amount, or a deposit return once everything is finished and paid. An unpaid cancellation fee
// isn't a debt but may still be paid.
function proposeCharge({ status, total_pending: pending, deposit_held: held, ...of }: Reservation): FormValues {
  if (Number(pending) > 0) return { kind: "charge", amount: pending };
  const isOver = status === "done" || status === "cancelled";
  if (isOver && !isZeroAmount(held)) return { kind: "deposit_returned", amount: held };
  return { kind: "charge", amount: status === "cancelled" ? getUnpaidFee(of) : "" };
}

function getUnpaidFee({
  cancellation_fee: fee,
  total_paid: paid,
}: Pick<Reservation, "cancellation_fee" | "total_paid">) {
  const decimals = account.value.currency_decimals;
  const missingCents = (parseAmount(fee, decimals) ?? 0) - (parseAmount(paid, decimals) ?? 0);
  return missingCents > 0 ? toAmount(missingCents, decimals) : "";
}
