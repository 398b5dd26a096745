import { useEffect, useState } from "preact/hooks";
import type { Typed } from "#shared/typed-requests.ts";
import type { ActionQuoteRequest } from "#worker/api/office/hand-over-messages.ts";
import type { ReservationChangeRequest } from "#worker/api/office/request-messages.ts";
import { hasUserRight } from "../../account.ts";
import { type OfficeResponse, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { toActionQuote } from "../../desk/action-quote.ts";
import type { FormField, FormValues } from "../../desk/fields.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import type { ActionQuote, RefusalReason } from "../../desk/quote.ts";
import { ActionQuoteView } from "../../desk/quote-view.tsx";
import { type RefusalTexts, splitReasonsByField } from "../../desk/refusals.ts";
import type { Reservation, ReservationDetail } from "../../desk/reservation.ts";
import { useReservationConflict } from "../../desk/reservation-conflict.tsx";
import { parseTypedAmount } from "../../desk/typed-amount.ts";
import { t } from "../../texts.ts";

type ReservationDiscount = NonNullable<ReservationChangeRequest["discount"]>;

const createFields = (): readonly FormField<keyof DiscountForm>[] => [
  {
    name: "discount.kind",
    kind: "choice",
    label: "discountKind",
    required: true,
    choices: [
      ["percentage", t("discountPercentage")],
      ["amount", t("in.amount")],
    ],
  },
  { name: "discount.value", kind: "money", label: "discountValue", required: true },
  { name: "discount.reason", kind: "text", label: "in.reason", required: true, isWide: true },
];

// Removes the prefix `discount.` for the request. The form's fields have it, because error responses name them so.
type DiscountForm = { readonly [Name in keyof ReservationDiscount as `discount.${Name}`]: unknown };

type VersionedDiscountForm = DiscountForm & Pick<ReservationChangeRequest, "expected_version">;

const toDiscount = (values: FormValues | DiscountForm): Typed<ReservationDiscount> => {
  const { "discount.kind": kind, "discount.value": value, "discount.reason": reason } = values as DiscountForm;
  return { kind: String(kind), value: String(value), reason: String(reason ?? "") };
};

// The server names no field if a discount exceeds the user's limit. Show that error at the discount's value.
const LIMIT = "discount_limit_exceeded";
const LIMITED_FIELD = "discount.value";
const placeLimit = (reason: RefusalReason): RefusalReason =>
  reason.code === LIMIT ? { ...reason, field: LIMITED_FIELD } : reason;
const placeRefusal = (answer: OfficeResponse<ReservationDetail>): OfficeResponse<ReservationDetail> =>
  answer.body.code === LIMIT
    ? { ...answer, body: { ...answer.body, detail: [{ field: LIMITED_FIELD, message: "" }] } }
    : answer;

const WAIT_MILLISECONDS = 250;

interface DiscountProps {
  readonly of: Reservation;
  readonly onDone: (after: Partial<ReservationDetail>, notice: string) => void;
}

/** Discount on the price of a reservation, with the new total before it is given. */
export default function ReservationDiscount({ of, onDone }: DiscountProps) {
  const [isOpen, setOpen] = useState(false);
  const { now, sheet } = useReservationConflict(of);
  if (!of.allowed.includes("change") || !hasUserRight("sell")) return null;
  return (
    <>
      <p>
        <button type="button" class="small" onClick={() => setOpen(true)}>
          {t(of.discount ? "changeDiscount" : "giveDiscount")}
        </button>
      </p>
      {isOpen && (
        <FormSheet<ReservationDetail, VersionedDiscountForm>
          title={`${t("giveDiscount")} · ${t("reservationNo", { id: of.id })}`}
          draft={["discount", String(of.id)]}
          fields={createFields()}
          begin={{ "discount.kind": of.discount?.kind ?? "percentage", "discount.value": of.discount?.value ?? "" }}
          submit={t("giveDiscount")}
          outcome={(values, onRefused) => <DiscountQuote of={now} values={values} onRefused={onRefused} />}
          {...sheet}
          send={({ expected_version: version, ...values }, key) =>
            sendOfficeRequest<ReservationDetail, Typed<ReservationChangeRequest>>(
              "PATCH",
              toOfficePath(`/reservations/${of.id}`),
              {
                body: { expected_version: version, discount: toDiscount(values) },
                key,
              },
            ).then(placeRefusal)
          }
          onDone={({ body }) => {
            setOpen(false);
            onDone(body, t("discountGiven"));
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface DiscountQuoteProps extends Pick<DiscountProps, "of"> {
  readonly values: FormValues;
  readonly onRefused: (fields: RefusalTexts["fields"]) => void;
}

function DiscountQuote({ of: { id, total_cost: total }, values, onRefused }: DiscountQuoteProps) {
  const [quote, setQuote] = useState<ActionQuote>();
  const [isReading, setReading] = useState(false);
  const { kind, reason } = toDiscount(values);
  const value = parseTypedAmount(String(values["discount.value"] ?? ""));
  useEffect(() => {
    setQuote(undefined);
    onRefused({});
    if (value === "") return setReading(false);
    let isOver = false;
    setReading(true);
    const take = (quote?: ActionQuote) => {
      if (isOver) return;
      const { fields, others } = splitReasonsByField((quote?.reasons ?? []).map(placeLimit));
      setReading(false);
      onRefused(fields);
      setQuote(quote && { ...quote, reasons: others });
    };
    const timer = setTimeout(() => {
      const discount = { kind, value, reason: reason.trim() || "–" };
      sendOfficeRequest<ActionQuote, Typed<ActionQuoteRequest>>("POST", toOfficePath(`/reservations/${id}/quote`), {
        body: { move: "change", discount },
      }).then(
        (answer) => take(toActionQuote("change", answer)),
        () => take(),
      );
    }, WAIT_MILLISECONDS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [id, kind, value]);
  return value === "" ? null : <ActionQuoteView quote={quote} total={total} isReading={isReading} />;
}
