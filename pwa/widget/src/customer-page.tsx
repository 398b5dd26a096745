import { useState } from "preact/hooks";
import { FindBooking } from "./find-booking.tsx";
import { formatAmount, formatDay } from "./format.ts";
import { Heading } from "./heading.tsx";
import type { OwnReservationListItem, Settings } from "./model.ts";
import { SignIn, type SignInMode } from "./sign-in.tsx";
import type { Texts } from "./texts.ts";
import type { BookingFlow } from "./use-booking-flow.ts";

interface Props {
  readonly shop: BookingFlow;
  readonly settings: Settings;
}

/** Reservations of the signed-in customer, otherwise the sign-in form. */
export function CustomerPage({ shop, settings }: Props) {
  const { texts, customer, listed } = shop;
  const [way, setWay] = useState<SignInMode>("in");
  const isOpen = settings.engine_customer_access === true;
  const take = (next: SignInMode) => {
    shop.forgive();
    setWay(next);
  };
  return (
    <>
      <button type="button" class="link" onClick={() => shop.go({ step: "search", search: shop.place.search })}>
        ← {texts.again}
      </button>
      {!customer && isOpen && <SignIn key={way} shop={shop} way={way} onWay={take} />}
      {!customer && <FindBooking shop={shop} />}
      {customer && (
        <section class="card" data-listed={listed?.length}>
          <Heading>{texts.mineAll}</Heading>
          {listed?.length === 0 && <p>{texts.noneYet}</p>}
          <ul class="extras">
            {listed?.map((listed) => (
              <Row key={listed.id} reservation={listed} shop={shop} settings={settings} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Row({ reservation, shop, settings }: Props & { readonly reservation: OwnReservationListItem }) {
  const { texts, locale } = shop;
  const day = (date: string) => formatDay(date, locale);
  return (
    <li>
      <span>
        <b>{reservation.item_description}</b> <small>{statusText(reservation.status, texts)}</small>
        <br />
        {day(reservation.date_from)}, {reservation.time_from} · {reservation.pickup_place}
        <br />
        {day(reservation.date_to)}, {reservation.time_to} · {reservation.return_place}
        <br />
        <span class="quiet">{formatAmount(reservation.total_cost, settings)}</span>
      </span>
      <button
        type="button"
        class="link"
        aria-label={`${texts.open}: ${reservation.item_description}, ${day(reservation.date_from)}`}
        onClick={() => shop.go({ step: "reservation", search: {}, reservation: reservation.free_access_id })}
      >
        {texts.open}
      </button>
    </li>
  );
}

function statusText(status: string, texts: Texts): string {
  const statusTexts: Readonly<Record<string, string | undefined>> = texts;
  return statusTexts[`status_${status}`] ?? status;
}
