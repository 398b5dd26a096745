import type { BookingAnswer } from "./api.ts";
import { decoded, money, Sum } from "./parts.tsx";
import type { Texts } from "./texts.ts";

interface Props {
  readonly texts: Texts;
  readonly answer: BookingAnswer;
  readonly onAgain: () => void;
}

export function Reservation({ texts, answer: { booking, settings }, onAgain }: Props) {
  const [line] = booking.booking_lines;
  return (
    <div class="columns">
      <section class="card" data-status={booking.status} data-payment={booking.payment_status}>
        <p class="quiet">
          {texts.reservation} {booking.id}
        </p>
        <h1>{decoded(booking.summary_status)}</h1>
        {line?.photo_medium && <img src={line.photo_medium} alt="" width="360" height="240" />}
        <dl>
          <dt>{texts.paid}</dt>
          <dd data-paid>{money(booking.total_paid, settings)}</dd>
          <dt>{texts.pending}</dt>
          <dd>{money(booking.total_pending, settings)}</dd>
        </dl>
        <button type="button" class="other" onClick={onAgain}>
          {texts.again}
        </button>
      </section>
      <Sum
        sums={booking}
        vehicle={line?.item_description_customer_translation ?? ""}
        settings={settings}
        texts={texts}
      />
    </div>
  );
}
