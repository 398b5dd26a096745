import { formatMoment, formatMoney } from "../../account.ts";
import { formatChargeKind } from "../../desk/charge-kind.ts";
import type { ReservationDetail } from "../../desk/reservation.ts";
import { sumAmounts } from "../../desk/sum-amounts.ts";
import { t, tOr } from "../../texts.ts";
import { listAuthorisedHolds } from "./card-amounts.ts";
import { DeskChargeForm } from "./desk-charge-form.tsx";
import { OpenDocumentButton } from "./documents.tsx";
import { MoneySums } from "./money-sums.tsx";
import { PaymentLinksAndHolds } from "./payment-links-and-holds.tsx";

interface MoneyProps {
  readonly of: ReservationDetail;
  /** Whether the payment form opens with the page. */
  readonly isTaking: boolean;
  /** Called when a form opens, to load the current amounts. */
  readonly onOpen: () => unknown;
  readonly onDone: (notice: string) => void;
  readonly onLeave: () => void;
}

/** Money of a reservation in one place: sums, payments and deposit, payment links and card holds. */
export function ReservationMoney({ of: detail, isTaking, onOpen, onDone, onLeave }: MoneyProps) {
  const { reservation: of, charges, holds } = detail;
  const held = sumAmounts(listAuthorisedHolds(holds).map(({ amount }) => amount));
  return (
    <section class="panel money" aria-labelledby="money">
      <h2 id="money">{t("money")}</h2>
      <MoneySums of={of} held={held} />
      <h3>{t("payments")}</h3>
      <DeskChargeForm
        key={String(isTaking)}
        of={of}
        isOpen={isTaking}
        onOpen={onOpen}
        onDone={onDone}
        onLeave={onLeave}
      />
      {charges.length === 0 && <p class="soft">{t("noPayments")}</p>}
      <ul class="plain rows">
        {charges.map((charge) => (
          <li key={charge.id}>
            <span>
              {formatChargeKind(charge)}
              <small>
                {tOr(`method.${charge.payment_method_id}`, charge.payment_method_id)} · {formatMoment(charge.date)}
              </small>
            </span>
            <span class="number">{formatMoney(charge.amount)}</span>
            <OpenDocumentButton path={`/charges/${charge.id}.pdf`} name={`${t("receipt")} ${charge.id}`} />
          </li>
        ))}
      </ul>
      <PaymentLinksAndHolds of={detail} onOpen={onOpen} onDone={onDone} />
    </section>
  );
}
