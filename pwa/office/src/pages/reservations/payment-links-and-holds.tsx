import { useState } from "preact/hooks";
import { addDays } from "#domain/dates.ts";
import type {
  CapturePreviewMessage,
  CardHoldCaptureRequest,
  CardHoldRequest,
  PaymentLinkRequest,
} from "#worker/api/office/payment-link-messages.ts";
import { formatMoment, formatMoney, getCompanyDateTime, hasUserRight, isZeroAmount } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import { CopyLink } from "../../desk/copy-link.tsx";
import type { FormField } from "../../desk/fields.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { MoneyPreview } from "../../desk/money-preview.tsx";
import { listCaptureLines } from "../../desk/preview-lines.ts";
import { formatGatewayProblem } from "../../desk/problem-texts.ts";
import type { Reservation, ReservationDetail } from "../../desk/reservation.ts";
import { RowAction } from "../../desk/row-action.tsx";
import { parseTypedAmount } from "../../desk/typed-amount.ts";
import { linkTo } from "../../route.ts";
import { t } from "../../texts.ts";
import {
  type CardHold,
  findActionToChargeCapture,
  getUnchargedCapture,
  isHigherAmount,
  listAuthorisedHolds,
  listPaymentLinksWithoutHold,
  type PaymentLink,
  proposeCaptureAmount,
  proposeCardHoldAmount,
  proposePaymentLinkAmount,
} from "./card-amounts.ts";

interface CardMoneyProps {
  readonly of: ReservationDetail;
  /** Called when a form opens, to load the current amounts. */
  readonly onOpen: () => unknown;
  readonly onDone: (notice: string) => void;
}

const LINK_FIELDS: readonly FormField<keyof CardHoldRequest & keyof PaymentLinkRequest>[] = [
  { name: "amount", kind: "money", required: true },
  { name: "expires_at", kind: "moment", label: "linkExpires", required: true },
  { name: "send", kind: "flag", label: "sendLink", isWide: true },
];
const CAPTURE_FIELDS: readonly FormField<keyof CardHoldCaptureRequest>[] = [
  { name: "amount", kind: "money", required: true },
  { name: "reason", kind: "long", label: "captureReason", hint: "captureHint", required: true },
];
const LINK_DAYS = 7;

/** Purposes of a new link, with the path that creates it. */
const PURPOSES = { payment: "payment-links", hold: "holds" } as const;

type Purpose = keyof typeof PURPOSES;

/** Brands, the same in every language. */
const GATEWAYS: Readonly<Record<string, string>> = { tpvA256: "Redsys", stripe: "Stripe" };

/** Payment links and card holds of a reservation with their forms. */
export function PaymentLinksAndHolds({ of, onOpen, onDone }: CardMoneyProps) {
  const { reservation, holds, payment_links: links } = of;
  const [open, setOpen] = useState<Purpose>();
  const [captured, setCaptured] = useState<CardHold>();
  const amounts = { payment: proposePaymentLinkAmount(reservation), hold: proposeCardHoldAmount(reservation, holds) };
  const purposes = (["payment", "hold"] as const).filter((purpose) => amounts[purpose] !== "");
  const finish = (notice: string) => {
    setOpen(undefined);
    setCaptured(undefined);
    onDone(notice);
  };
  return (
    <>
      {hasUserRight("hand_over") && purposes.length > 0 && (
        <p class="buttons">
          {purposes.map((purpose) => (
            <button
              key={purpose}
              type="button"
              class="small"
              onClick={() => {
                setOpen(purpose);
                onOpen();
              }}
            >
              {t(`linkDo.${purpose}`)}
            </button>
          ))}
        </p>
      )}
      <HoldsToEnd of={of} />
      <UnchargedCapture of={reservation} amount={getUnchargedCapture(reservation, holds)} />
      {holds.length > 0 && <h3>{t("cardHolds")}</h3>}
      <ul class="plain rows">
        {holds.map((hold) => (
          <Hold
            key={hold.id}
            hold={hold}
            link={links.find(({ id }) => id === hold.payment_link_id)}
            onCapture={() => {
              setCaptured(hold);
              onOpen();
            }}
            onDone={finish}
          />
        ))}
      </ul>
      {listPaymentLinksWithoutHold(links).length > 0 && <h3>{t("paymentLinks")}</h3>}
      <ul class="plain rows">
        {listPaymentLinksWithoutHold(links).map((link) => (
          <li key={link.id}>
            <Facts
              status={link.status}
              amount={link.amount}
              lines={[`${t("linkExpires")}: ${formatMoment(link.expires_at)}`]}
            />
            <OpenLink link={link} onDone={finish} />
          </li>
        ))}
      </ul>
      {open && (
        <FormSheet<object, CardHoldRequest>
          key={open}
          title={`${t(`linkDo.${open}`)} · ${t("reservationNo", { id: reservation.id })}`}
          introduction={t(`linkAbout.${open}`)}
          draft={[`link-${open}`, String(reservation.id)]}
          fields={LINK_FIELDS}
          begin={{
            amount: amounts[open],
            expires_at: getDefaultExpiry(),
            send: reservation.customer_email !== null,
          }}
          submit={t(`linkDo.${open}`)}
          check={({ amount }) => refuseMoreThanDue(String(amount ?? ""), amounts[open])}
          send={(body, key) =>
            sendOfficeRequest<object, CardHoldRequest & Partial<Pick<PaymentLinkRequest, "purpose">>>(
              "POST",
              toOfficePath(`/reservations/${reservation.id}/${PURPOSES[open]}`),
              {
                body: open === "payment" ? { ...body, purpose: open } : body,
                key,
              },
            )
          }
          onDone={() => finish(t("linkCreated"))}
          onClose={() => setOpen(undefined)}
        />
      )}
      {captured && (
        <FormSheet<object, CardHoldCaptureRequest>
          title={`${t("captureHold")} · ${formatMoney(captured.amount)}`}
          introduction={t("captureAbout")}
          draft={["capture", String(captured.id)]}
          fields={CAPTURE_FIELDS}
          begin={{ amount: proposeCaptureAmount(reservation, captured) }}
          submit={t("captureHold")}
          outcome={({ amount }, onRefused) => (
            <MoneyPreview<CapturePreviewMessage>
              path={`/holds/${captured.id}/capture/quote`}
              amount={amount}
              toLines={listCaptureLines}
              explain={({ capture: { credit } }) => (
                <UnchargedCapture
                  of={reservation}
                  amount={isZeroAmount(credit) ? "" : credit}
                  onLeave={() => setCaptured(undefined)}
                />
              )}
              onRefused={onRefused}
            />
          )}
          send={(body, key) =>
            sendOfficeRequest<object, CardHoldCaptureRequest>("POST", toOfficePath(`/holds/${captured.id}/capture`), {
              body,
              key,
            })
          }
          onDone={({ status }) => finish(t(status === 202 ? "holdWaits" : "holdCaptured"))}
          onClose={() => setCaptured(undefined)}
        />
      )}
    </>
  );
}

// The customer's page asks for at most the amount due, so a link with a higher amount would show a wrong one here.
function refuseMoreThanDue(amount: string, due: string) {
  return isHigherAmount(parseTypedAmount(amount), due)
    ? { amount: t("problem.at_most", { max: formatMoney(due) }) }
    : {};
}

function getDefaultExpiry(): string {
  const { date, time } = getCompanyDateTime();
  return `${addDays(date, LINK_DAYS)}T${time}`;
}

// After the return, each hold is released or captured.
function HoldsToEnd({ of: { reservation, holds } }: Pick<CardMoneyProps, "of">) {
  const authorised = listAuthorisedHolds(holds);
  if (reservation.status !== "done" || authorised.length === 0) return null;
  const due = proposePaymentLinkAmount(reservation);
  return (
    <p class="notice waiting">{due ? t("captureProposed", { amount: formatMoney(due) }) : t("releaseProposed")}</p>
  );
}

interface UnchargedProps {
  readonly of: Reservation;
  /** Empty if there's none. */
  readonly amount: string;
  readonly onLeave?: () => void;
}

/** Explains that a capture without a charge is owed to the customer, with a link to the action that charges it. */
function UnchargedCapture({ of, amount, onLeave }: UnchargedProps) {
  if (amount === "") return null;
  const action = findActionToChargeCapture(of);
  return (
    <p class="notice waiting">
      {t("captureUncharged", { amount: formatMoney(amount) })}{" "}
      {action && (
        <a href={linkTo("reservations", of.id, action)} onClick={onLeave}>
          {t(`do.${action}`)}
        </a>
      )}
    </p>
  );
}

interface FactsProps {
  readonly status: PaymentLink["status"] | CardHold["status"];
  readonly amount: string;
  readonly lines: readonly string[];
}

function Facts({ status, amount, lines }: FactsProps) {
  return (
    <span>
      <strong class="number">{formatMoney(amount)}</strong>{" "}
      <span class="state" data-state={status}>
        {t(`cardState.${status}`)}
      </span>
      {lines.map((line) => (
        <small key={line}>{line}</small>
      ))}
    </span>
  );
}

interface HoldProps {
  readonly hold: CardHold;
  readonly link: PaymentLink | undefined;
  readonly onCapture: () => void;
  readonly onDone: (notice: string) => void;
}

function Hold({ hold, link, onCapture, onDone }: HoldProps) {
  const isAuthorised = listAuthorisedHolds([hold]).length > 0;
  return (
    <li>
      <Facts status={hold.status} amount={hold.amount} lines={describeHold(hold, link)} />
      {isAuthorised && hasUserRight("hand_over") && (
        <span class="buttons">
          <button type="button" class="small" onClick={onCapture}>
            {t("captureHold")}
          </button>
          <RowAction
            label={t("releaseHold")}
            method="POST"
            path={toOfficePath(`/holds/${hold.id}/release`)}
            onDone={() => onDone(t("holdReleased"))}
          />
        </span>
      )}
      {hold.status === "requested" && link && <OpenLink link={link} onDone={onDone} />}
    </li>
  );
}

function describeHold(hold: CardHold, link: PaymentLink | undefined): readonly string[] {
  const { gateway, captured_amount: captured, expires_at: expires, action } = hold;
  const isWaiting = hold.status === "requested" && link;
  return [
    ...(gateway ? [GATEWAYS[gateway] ?? gateway] : []),
    ...(isZeroAmount(captured) ? [] : [t("capturedAmount", { amount: formatMoney(captured) })]),
    ...(hold.status === "authorised" && expires ? [t("holdEnds", { at: formatMoment(expires) })] : []),
    ...(isWaiting ? [`${t("linkExpires")}: ${formatMoment(link.expires_at)}`] : []),
    ...(action ? [t(`holdAction.${action}`)] : []),
    ...(hold.problem ? [formatGatewayProblem("cardHoldWhy", hold.problem)] : []),
  ];
}

// Address and cancellation of a link that the customer hasn't used.
function OpenLink({ link, onDone }: { readonly link: PaymentLink; readonly onDone: (notice: string) => void }) {
  if (link.status !== "open") return null;
  return (
    <span class="buttons">
      <CopyLink url={link.url} of={`${t(`linkFor.${link.purpose}`)} ${formatMoney(link.amount)}`} />
      {hasUserRight("hand_over") && (
        <RowAction
          label={t("cancelLink")}
          method="DELETE"
          path={toOfficePath(`/payment-links/${link.id}`)}
          onDone={() => onDone(t("linkCancelled"))}
        />
      )}
    </span>
  );
}
