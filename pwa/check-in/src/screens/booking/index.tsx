import { useEffect } from "preact/hooks";
import type { Booking, Operation, RentalUnit } from "../../api/messages.ts";
import { t } from "../../i18n/texts.ts";
import { getDraftKey } from "../../offline/drafts.ts";
import type { OutboxItem } from "../../offline/items.ts";
import { getBookingSettlement } from "../../state/booking-settlement.ts";
import { findLoadedBooking, loadBookingFromCache, loadStoredFleet } from "../../state/day.ts";
import {
  findNextWork,
  findRecordedWork,
  getItemStatus,
  getWorkStatus,
  type HandOverSide,
  STATUS_TONES,
} from "../../state/day-entries.ts";
import { session } from "../../state/device-session.ts";
import { applyLocalExchange } from "../../state/exchange.ts";
import { formatCount } from "../../state/format-time.ts";
import { formatFuel } from "../../state/fuel.ts";
import { findUnmetChecks } from "../../state/hand-over-checks.ts";
import { localizeBooking } from "../../state/names.ts";
import { itemsByBooking, visibleDrafts } from "../../state/outbox.ts";
import { isNoShowDue } from "../../state/reservation-actions.ts";
import { createSamePageCheck, openRoute, route, toHref } from "../../state/route.ts";
import { getCompanyNow, getToday } from "../../state/settings.ts";
import { startWork } from "../../state/work.ts";
import { HandOverWarnings } from "../../ui/hand-over-warnings.tsx";
import { Icon } from "../../ui/icon.tsx";
import { LatenessLabel } from "../../ui/lateness-label.tsx";
import { createLazyComponent } from "../../ui/lazy.tsx";
import { Chip, EmptyState, Plate } from "../../ui/parts.tsx";
import { Screen } from "../../ui/screen.tsx";
import { ItemCard } from "../outbox/item-card.tsx";
import { ParkingLocation } from "../work/vehicle-state.tsx";
import { BookingMoney, ContractPersons, FieldWorkHistory, PickupOrReturn } from "./details.tsx";

/** A booking with the actions of each vehicle. */
export default function BookingScreen() {
  const id = Number(route.value[1]);
  useEffect(() => void Promise.all([loadBookingFromCache(id), loadStoredFleet()]), [id]);
  const stored = findLoadedBooking(id);
  const booking = stored && localizeBooking(stored);
  const outboxItems = itemsByBooking.value.get(id) ?? [];
  if (!booking) {
    // The booking may be in no list, because overdue bookings and returns at other branches disappear once they're
    // done.
    return (
      <Screen title={t("booking", { id })} back={toHref("day")} action={outboxItems.length > 0 && <ToDay />}>
        {outboxItems.length > 0 ? (
          <FromThisPhone items={outboxItems} />
        ) : (
          <EmptyState icon="search" title={t("bookingMissing")} />
        )}
      </Screen>
    );
  }
  return (
    <Screen
      title={booking.customer.full_name}
      eyebrow={t("booking", { id })}
      back={toHref("day")}
      action={<NextAction booking={booking} />}
    >
      {booking.status === "cancelled" && (
        <p class="note" data-tone="refused">
          <Icon name="refused" />
          {t("bookingCancelled")}
        </p>
      )}
      <HandOverWarnings booking={booking} unmet={findUnmetChecks(booking, getBookingSettlement(booking))} />
      <dl class="legs">
        <PickupOrReturn
          label={t("delivery")}
          date={booking.date_from}
          time={booking.time_from}
          place={booking.pickup_place}
        >
          <LateWork booking={booking} side="delivery" />
        </PickupOrReturn>
        <PickupOrReturn
          label={t("collection")}
          date={booking.date_to}
          time={booking.time_to}
          place={booking.return_place}
        >
          <LateWork booking={booking} side="collection" />
        </PickupOrReturn>
      </dl>
      {booking.notes && <p class="note">{booking.notes}</p>}
      {booking.resources.map((unit) => (
        <UnitCard key={unit.resource_id} booking={booking} unit={unit} />
      ))}
      {outboxItems.length > 0 && <FromThisPhone items={outboxItems} />}
      <ContractPersons booking={booking} />
      <BookingMoney booking={booking} />
      <MayChange booking={booking} />
      <FieldWorkHistory booking={booking} />
      <button type="button" class="other" onClick={() => void begin(booking, undefined, "evidence")}>
        <Icon name="camera" />
        {t("addEvidence")}
      </button>
    </Screen>
  );
}

// Shows by how much a hand-over or return is late. The return of a vehicle that was never handed over isn't.
function LateWork({ booking, side }: { readonly booking: Booking; readonly side: HandOverSide }) {
  const workStatus = getWorkStatus(booking, side);
  if (booking.status === "cancelled" || workStatus === "undelivered") return null;
  return <LatenessLabel booking={booking} workStatus={workStatus} side={side} />;
}

function FromThisPhone({ items }: { readonly items: readonly OutboxItem[] }) {
  return (
    <section>
      <h2>{t("fromThisPhone")}</h2>
      <ul class="plain">
        {items.map((item) => (
          <ItemCard key={item.op_id} item={item} />
        ))}
      </ul>
    </section>
  );
}

const ToDay = () => (
  <a class="main" href={toHref("day")}>
    {t("backToDay")}
  </a>
);

const Changes = createLazyComponent(() => import("./changes.tsx"));

/** Links to the changes that office staff may make. Operators only do hand-overs and returns. */
function MayChange({ booking }: { readonly booking: Booking }) {
  if (session.value?.role === "operator") return null;
  const isOut = booking.resources.some(({ state }) => state === "out");
  const isDue = isNoShowDue(booking, getCompanyNow());
  return isOut || isDue ? <Changes booking={booking} isNoShowDue={isDue} /> : null;
}

async function begin(booking: Booking, unit: RentalUnit | undefined, kind: Operation["kind"]) {
  const isHere = createSamePageCheck();
  const key = await startWork(booking, unit, kind);
  if (key && isHere()) openRoute("work", key);
}

function NextAction({ booking }: { readonly booking: Booking }) {
  const next = findNextWork(booking, getToday());
  if (!next || booking.status === "cancelled") {
    return <ToDay />;
  }
  const { unit, kind } = next;
  const isStarted = visibleDrafts.value.has(`${booking.booking_id}:${unit.resource_id}:${kind}`);
  const verb = isStarted ? (`continue_${kind}` as const) : (`start_${kind}` as const);
  return (
    <button type="button" class="main" onClick={() => void begin(booking, unit, kind)}>
      <Icon name={kind === "delivery" ? "up" : "down"} />
      {t(verb)}
    </button>
  );
}

function UnitCard({ booking, unit: storedUnit }: { readonly booking: Booking; readonly unit: RentalUnit }) {
  const unit = applyLocalExchange(booking, storedUnit);
  const { vehicle } = unit;
  const recordedWork =
    findRecordedWork(unit, booking.booking_id, "collection") ??
    findRecordedWork(unit, booking.booking_id, "exchange") ??
    findRecordedWork(unit, booking.booking_id, "delivery");
  const isStarted = visibleDrafts.value.has(getDraftKey(booking.booking_id, unit.resource_id, "exchange"));
  const plate = recordedWork?.plate || vehicle?.stock_plate || vehicle?.reference;
  return (
    <section class="card">
      <div class="row">
        {plate ? <Plate text={plate} isLarge /> : <b>{t("noVehicleYet")}</b>}
        <UnitState unit={unit} recordedWork={recordedWork} />
      </div>
      <p>
        {unit.category_name}
        {vehicle && ` · ${vehicle.name}`}
      </p>
      {vehicle && unit.state === "to_deliver" && <ParkingLocation vehicle={vehicle} />}
      <LastRead unit={unit} />
      {isWithCustomer(booking, unit) && (
        <button type="button" class="other" onClick={() => void begin(booking, unit, "exchange")}>
          <Icon name="car" />
          {t(isStarted ? "continue_exchange" : "exchange")}
        </button>
      )}
      {isEarly(booking, unit) && (
        <button type="button" class="other" onClick={() => void begin(booking, unit, "collection")}>
          <Icon name="down" />
          {t("takeBackEarly")}
        </button>
      )}
      {unit.state !== "to_deliver" && (
        <button type="button" class="link" onClick={() => void begin(booking, unit, "correction")}>
          {t("correctReadings")}
        </button>
      )}
    </section>
  );
}

function LastRead({ unit }: { readonly unit: RentalUnit }) {
  const last = unit.collection ?? unit.delivery;
  if (!last) return null;
  const readings = t("readings", {
    km: last.kilometres === null ? "–" : formatCount(last.kilometres),
    fuel: formatFuel(last.fuel_eighths, unit.vehicle),
  });
  return <p class="soft">{[readings, last.by].filter(Boolean).join(" · ")}</p>;
}

/** Whether the unit is out and hasn't been returned on this device. */
const isWithCustomer = (booking: Booking, unit: RentalUnit) =>
  unit.state === "out" && !findRecordedWork(unit, booking.booking_id, "collection");

/** Whether the unit is out and not yet due. */
const isEarly = (booking: Booking, unit: RentalUnit) => booking.date_to > getToday() && isWithCustomer(booking, unit);

const UNIT_TONES = { to_deliver: "todo", out: "held", collected: "done" } as const;

function UnitState({
  unit,
  recordedWork,
}: {
  readonly unit: RentalUnit;
  readonly recordedWork: OutboxItem | undefined;
}) {
  if (recordedWork && recordedWork.state !== "confirmed") {
    return <Chip tone={STATUS_TONES[getItemStatus(recordedWork)]}>{t(`standing_${getItemStatus(recordedWork)}`)}</Chip>;
  }
  return <Chip tone={UNIT_TONES[unit.state]}>{t(`unit_${unit.state}`)}</Chip>;
}
