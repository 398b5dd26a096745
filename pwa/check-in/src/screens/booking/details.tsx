import type { ComponentChildren } from "preact";
import { toMailLink, toPhoneLink, toSmsLink } from "#shared/links.ts";
import { isolateRightToLeft } from "#shared/locale.ts";
import type { Booking } from "../../api/messages.ts";
import { t, tOr } from "../../i18n/texts.ts";
import { getBookingSettlement, getContractAmounts } from "../../state/booking-settlement.ts";
import { formatDay, formatMoment } from "../../state/format-time.ts";
import { formatMoney } from "../../state/money.ts";
import { Icon } from "../../ui/icon.tsx";

interface LegProps {
  readonly label: string;
  readonly date: string;
  readonly time: string;
  readonly place: string;
  readonly children?: ComponentChildren;
}

export const PickupOrReturn = ({ label, date, time, place, children }: LegProps) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <b class="time">{time}</b> {formatDay(date)}
      <a class="place" href={toMapUrl(place)} target="_blank" rel="noreferrer">
        <Icon name="map" size={18} />
        {place}
      </a>
      {children}
    </dd>
  </div>
);

/**
 * Creates the URL of a map. The link is opened only on tap, so that the map service gets no request without the user.
 */
const toMapUrl = (place: string) => `https://www.openstreetmap.org/search?query=${encodeURIComponent(place)}`;

export function ContractPersons({ booking }: { readonly booking: Booking }) {
  const { customer, drivers, flight } = booking;
  return (
    <section class="card">
      <h2>{t("people")}</h2>
      {customer.phone && (
        <>
          <a class="line" href={toPhoneLink(customer.phone)}>
            <Icon name="phone" />
            {customer.phone}
          </a>
          <a class="line" href={toSmsLink(customer.phone)}>
            <Icon name="message" />
            {t("sendMessage")}
          </a>
        </>
      )}
      {customer.email && (
        <a class="line" href={toMailLink(customer.email)}>
          <Icon name="message" />
          <span class="grow mail">{customer.email}</span>
        </a>
      )}
      {flight && (
        <p class="line">
          <Icon name="flight" />
          {flight}
        </p>
      )}
      {drivers.map((driver) => (
        <dl class="facts" key={driver.full_name}>
          <dt>{t("driver")}</dt>
          <dd>{driver.full_name}</dd>
          <dt>{t("document")}</dt>
          <dd>{driver.document_id ?? "–"}</dd>
          <dt>{t("licence")}</dt>
          <dd>
            {driver.driving_license_number ?? "–"}
            {driver.driving_license_expiration_date &&
              ` · ${t("until", { date: formatDay(driver.driving_license_expiration_date) })}`}
          </dd>
        </dl>
      ))}
    </section>
  );
}

export function BookingMoney({ booking }: { readonly booking: Booking }) {
  const { totalCents, paidCents } = getContractAmounts(booking, false);
  const { openCents, heldCents, depositOpenCents } = getBookingSettlement(booking);
  return (
    <section class="card">
      <h2>{t("money")}</h2>
      <dl class="facts amounts">
        {booking.extras.map(({ extra_code, name, quantity, cost }) => (
          <Amount key={extra_code} label={`${quantity} × ${name}`} value={cost} />
        ))}
        <Amount label={t("total")} value={totalCents} />
        <Amount label={t("paid")} value={paidCents} />
        <Amount label={t("toPay")} value={openCents} isStrong />
        <Amount label={t("depositHeld")} value={heldCents} />
        {depositOpenCents > 0 && <Amount label={t("depositPending")} value={depositOpenCents} isStrong />}
      </dl>
    </section>
  );
}

const Amount = (props: { readonly label: string; readonly value: string | number; readonly isStrong?: boolean }) => (
  <>
    <dt>{props.label}</dt>
    <dd>{props.isStrong ? <b>{formatMoney(props.value)}</b> : formatMoney(props.value)}</dd>
  </>
);

export function FieldWorkHistory({ booking: { operations } }: { readonly booking: Booking }) {
  if (operations.length === 0) return null;
  return (
    <section class="card">
      <h2>{t("history")}</h2>
      <ul class="plain">
        {operations.map(({ op_id, kind, state, by, at, files_arrived, files_total, notes }) => (
          <li key={op_id} class="soft">
            {tOr(`kind_${kind}`, kind)} · {tOr(`record_${state}`, state)} · {isolateRightToLeft(by)} ·{" "}
            {formatMoment(at)}
            {files_total > 0 && ` · ${t("photosOf", { n: files_arrived, of: files_total })}`}
            {notes && <p class="said">{notes}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
