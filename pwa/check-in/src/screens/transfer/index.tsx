import { useEffect, useRef, useState } from "preact/hooks";
import { type CivilDate, fromCivilMinute, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { toPhoneLink } from "#shared/links.ts";
import type { TransferTrip } from "../../api/messages.ts";
import { t } from "../../i18n/texts.ts";
import { formatDate } from "../../state/civil-time.ts";
import { hasOfficeRole } from "../../state/device-session.ts";
import { formatMoney } from "../../state/money.ts";
import { language } from "../../state/preferences.ts";
import { route, toHref } from "../../state/route.ts";
import { findTransferTrip, isReservationCancellable, loadTripFromCache } from "../../state/transfers.ts";
import {
  canReportNoShow,
  getNextTripEvent,
  isTripEarly,
  listTripResults,
  recordTripEvent,
  type TripEventKind,
} from "../../state/trip-events.ts";
import { Icon } from "../../ui/icon.tsx";
import { EmptyState } from "../../ui/parts.tsx";
import { OperationRemarks } from "../../ui/remarks.tsx";
import { Screen } from "../../ui/screen.tsx";
import { TripStateChip } from "../../ui/trip-state.tsx";
import { PickupOrReturn } from "../booking/details.tsx";
import { TransferCancellation } from "./cancellation.tsx";

/** A transfer trip: origin, destination, passengers and open balance. */
export default function TransferScreen() {
  const id = Number(route.value[1]);
  const position = route.value[2] ?? "outward";
  useEffect(() => void loadTripFromCache(id, position), [id, position]);
  const trip = findTransferTrip(id, position);
  if (!trip) {
    return (
      <Screen title={t("transfer", { id })} back={toHref("day")}>
        <EmptyState icon="search" title={t("transferMissing")} />
      </Screen>
    );
  }
  return (
    <Screen
      title={trip.customer.full_name}
      eyebrow={`${t("transfer", { id })} · ${t(`trip_${trip.position}`)}`}
      back={toHref("day")}
      action={<Actions trip={trip} />}
      actionKey={getNextTripEvent(trip) ?? "over"}
    >
      <TripStateChip trip={trip} />
      {listTripResults(trip).map((answer) => (
        <OperationRemarks key={answer.op_id} {...answer} />
      ))}
      <Way trip={trip} />
      {trip.comments && <p class="note">{trip.comments}</p>}
      <TransferDetails trip={trip} />
      <Money trip={trip} />
      <Customer trip={trip} />
      {canReportNoShow(trip) && <Missed trip={trip} />}
      {trip.status === "cancelled" && (
        <p class="note" data-tone="refused" role="status">
          <Icon name="refused" />
          {t("tripCancelledPaid", { amount: formatMoney(trip.amounts.total_paid) })}
        </p>
      )}
      {hasOfficeRole.value && isReservationCancellable(trip) && <TransferCancellation trip={trip} />}
    </Screen>
  );
}

/** Next step of the trip, and the customer's phone number. */
function Actions({ trip }: { readonly trip: TransferTrip }) {
  const { phone } = trip.customer;
  const next = getNextTripEvent(trip);
  return (
    <>
      {next ? (
        <Mark key={next} trip={trip} moment={next} />
      ) : (
        <a class="main" href={toHref("day")}>
          {t("backToDay")}
        </a>
      )}
      {phone && (
        <a class="other" href={toPhoneLink(phone)}>
          <Icon name="phone" />
          {t("callCustomer")}
        </a>
      )}
    </>
  );
}

// Reports a no-show. Needs a confirmation because it may cause a fee.
function Missed({ trip }: { readonly trip: TransferTrip }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const question = useRef<HTMLDivElement>(null);
  // The question opens below the visible area.
  useEffect(() => question.current?.scrollIntoView({ block: "center" }), [isConfirming]);
  // The result is shown at the top.
  const recordNoShow = () => void recordTripEvent(trip, "nobody_came").then(() => scrollTo({ top: 0 }));
  if (!isConfirming) {
    return (
      <button type="button" class="other" onClick={() => setIsConfirming(true)}>
        <Icon name="refused" />
        {t("mark_nobody_came")}
      </button>
    );
  }
  return (
    <div ref={question} class="card" role="alertdialog" aria-label={t("mark_nobody_came")}>
      <p>{t("nobodyCameAsked")}</p>
      <button type="button" class="other" onClick={recordNoShow}>
        <Icon name="refused" />
        {t("sayNobodyCame")}
      </button>
    </div>
  );
}

// Records a step of the trip. Asks for confirmation if it's implausible, because it can't be undone.
function Mark({ trip, moment }: { readonly trip: TransferTrip; readonly moment: TripEventKind }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const press = () => {
    if (!isConfirming && isTripEarly(trip, moment)) return setIsConfirming(true);
    setIsConfirming(false);
    void recordTripEvent(trip, moment);
  };
  return (
    <>
      {isConfirming && (
        <p class="note" data-tone="waiting" role="alert">
          <Icon name="clock" />
          {t("tripEarly", { when: `${formatDate(trip.date)} ${trip.time}` })}
        </p>
      )}
      <button type="button" class="main" onClick={press}>
        <Icon name={moment === "dropped" ? "check" : "up"} />
        {t(isConfirming ? "markAnyway" : `mark_${moment}`)}
      </button>
    </>
  );
}

function Way({ trip }: { readonly trip: TransferTrip }) {
  const departure = toCivilMinute(trip.date as CivilDate, trip.time as TimeText);
  const arrival = fromCivilMinute(departure + trip.minutes);
  return (
    <dl class="legs">
      <PickupOrReturn label={t("departure")} date={trip.date} time={trip.time} place={trip.origin.name}>
        <End end={trip.origin} />
      </PickupOrReturn>
      <PickupOrReturn label={t("arrival")} date={arrival.date} time={arrival.time} place={trip.destination.name}>
        <End end={trip.destination} />
      </PickupOrReturn>
    </dl>
  );
}

/** Customer's details about the origin or destination. */
function End({ end: { flight, address } }: { readonly end: TransferTrip["origin"] }) {
  return (
    <>
      {address && <span class="end">{address}</span>}
      {flight && (
        <span class="end">
          <Icon name="flight" size={18} />
          {flight}
        </span>
      )}
    </>
  );
}

function TransferDetails({ trip }: { readonly trip: TransferTrip }) {
  // Trips stored by an earlier version of the app have no number of bags and large items.
  const luggage = [["bags", trip.bags] as const, ["largeItems", trip.large_items] as const].filter(
    ([, value]) => typeof value === "number",
  );
  const passengerKinds = (["adults", "children", "infants"] as const).filter((item) => trip[item] > 0);
  return (
    <section class="card">
      <h2>{trip.vehicle}</h2>
      <dl class="facts">
        <dt>{t("duration")}</dt>
        <dd>{t("minutes", { n: trip.minutes })}</dd>
        {passengerKinds.map((item) => (
          <Fact key={item} label={t(item)} value={String(trip[item])} />
        ))}
        {luggage.map(([label, value]) => (
          <Fact key={label} label={t(label)} value={String(value)} />
        ))}
        {trip.extras.map(({ name, quantity }) => (
          <Fact key={name} label={name} value={String(quantity)} />
        ))}
      </dl>
    </section>
  );
}

function Customer({ trip: { customer } }: { readonly trip: TransferTrip }) {
  const languageName = new Intl.DisplayNames([language.value], { type: "language" }).of(customer.language);
  return (
    <section class="card">
      <h2>{t("customer")}</h2>
      {customer.phone && (
        <a class="line" href={toPhoneLink(customer.phone)}>
          <Icon name="phone" />
          {customer.phone}
        </a>
      )}
      <dl class="facts">
        {customer.email && <Fact label={t("email")} value={customer.email} />}
        {languageName && <Fact label={t("language")} value={languageName} />}
        {customer.address && <Fact label={t("address")} value={customer.address} />}
      </dl>
    </section>
  );
}

function Money({ trip: { amounts, status } }: { readonly trip: TransferTrip }) {
  return (
    <section class="card">
      <h2>{t("money")}</h2>
      <dl class="facts amounts">
        <Fact label={t("total")} value={formatMoney(amounts.total_cost)} />
        <Fact label={t("paid")} value={formatMoney(amounts.total_paid)} />
        {status !== "cancelled" && <Fact label={t("toPay")} value={formatMoney(amounts.total_pending)} isStrong />}
      </dl>
    </section>
  );
}

const Fact = (props: { readonly label: string; readonly value: string; readonly isStrong?: boolean }) => (
  <>
    <dt>{props.label}</dt>
    <dd>{props.isStrong ? <b>{props.value}</b> : props.value}</dd>
  </>
);
