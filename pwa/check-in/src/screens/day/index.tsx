import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Booking, TransferTrip } from "../../api/messages.ts";
import { type TextKey, t } from "../../i18n/texts.ts";
import { shiftDate } from "../../state/civil-time.ts";
import {
  type CompanySearchResult,
  companySearchResults,
  searchCompanyBookings,
  switchToBookingBranch,
} from "../../state/company-search.ts";
import {
  bookingsOnDevice,
  isDayLoading,
  prefetchShift,
  refreshShownDay,
  showDay,
  shownDate,
  shownDay,
} from "../../state/day.ts";
import {
  foldSearchText,
  getStatusGroup,
  getWorkStatus,
  type HandOverSide,
  matchesBooking,
  matchesTrip,
  STATUS_GROUPS,
  type StatusGroup,
} from "../../state/day-entries.ts";
import { session } from "../../state/device-session.ts";
import { formatDay, formatDeviceMoment } from "../../state/format-time.ts";
import { createSamePageCheck, openRoute, toHref } from "../../state/route.ts";
import { chooseBranch, getToday, selectedBranchCode, settings } from "../../state/settings.ts";
import { trips } from "../../state/transfers.ts";
import { Icon } from "../../ui/icon.tsx";
import { EmptyState } from "../../ui/parts.tsx";
import { Screen } from "../../ui/screen.tsx";
import { DayBookingList } from "./entry-list.tsx";
import { TripList } from "./trip-list.tsx";

type Tab = HandOverSide | "transfer";

const tab = signal<Tab>("delivery");
const searchText = signal("");
const group = signal<StatusGroup>("todo");

const SIDES: Readonly<Record<HandOverSide, TextKey>> = { delivery: "deliveries", collection: "collections" };
const GROUP_TEXTS: Readonly<Record<StatusGroup, TextKey>> = {
  todo: "groupTodo",
  waiting: "groupWaiting",
  done: "groupDone",
};

/** Deliveries, collections and transfers of a day at a branch. */
export default function DayScreen() {
  useEffect(() => {
    if (isDayLoading.peek()) return;
    void (shownDate.peek() ? refreshShownDay() : showDay(getToday()));
  }, []);
  const dayTrips = trips.value?.data.data ?? [];
  // Without transfers, the tab is hidden.
  const visibleTab = dayTrips.length === 0 && tab.value === "transfer" ? "delivery" : tab.value;
  return (
    <Screen
      title={formatDay(shownDate.value || getToday())}
      eyebrow={settings.value?.account_name}
      aside={<DateSwitch />}
    >
      <BranchChoice />
      <fieldset class="tabs" aria-label={t("whichSide")}>
        {(["delivery", "collection"] as const).map((item) => (
          <button key={item} type="button" aria-pressed={visibleTab === item} onClick={() => choose(item)}>
            <Icon name={item === "delivery" ? "up" : "down"} />
            {t(SIDES[item])} <b>{getBookings(item).length}</b>
          </button>
        ))}
        {dayTrips.length > 0 && (
          <button type="button" aria-pressed={visibleTab === "transfer"} onClick={() => choose("transfer")}>
            {t("transfers")} <b>{dayTrips.filter(({ status }) => status !== "cancelled").length}</b>
          </button>
        )}
      </fieldset>
      <label class="search">
        <Icon name="search" />
        <input
          type="search"
          placeholder={t("searchDay")}
          aria-label={t("searchDay")}
          value={searchText.value}
          onInput={({ currentTarget }) => {
            searchText.value = currentTarget.value;
            searchCompanyBookings(currentTarget.value);
          }}
        />
      </label>
      {visibleTab === "transfer" ? <Trips trips={dayTrips} /> : <Entries side={visibleTab} />}
      {session.value?.role !== "operator" && (
        <a class="other" href={toHref("walk-in")}>
          <Icon name="plus" />
          {t("walkIn")}
        </a>
      )}
      <Freshness />
    </Screen>
  );
}

function Trips({ trips: all }: { readonly trips: readonly TransferTrip[] }) {
  const text = foldSearchText(searchText.value);
  const matchingTrips = all.filter((trip) => matchesTrip(trip, text));
  return matchingTrips.length > 0 ? (
    <TripList trips={matchingTrips} />
  ) : (
    <EmptyState icon="search" title={t("nothingFound")} />
  );
}

function Entries({ side }: { readonly side: HandOverSide }) {
  const entries = sorted(side);
  const text = foldSearchText(searchText.value);
  const matchingTrips = entries.filter(([booking, standing]) => {
    // A search covers all statuses of the day. Without one, only the chosen status is listed.
    return text === "" ? getStatusGroup(standing) === group.value : matchesBooking(booking, text);
  });
  const otherMatches = text === "" ? [] : findOtherMatches(side, text);
  const count = (group: StatusGroup) => entries.filter(([, standing]) => getStatusGroup(standing) === group).length;
  return (
    <>
      {searchText.value === "" && (
        <fieldset class="groups" aria-label={t("whichState")}>
          {STATUS_GROUPS.map((item) => (
            <button key={item} type="button" aria-pressed={group.value === item} onClick={() => pick(item)}>
              {t(GROUP_TEXTS[item])} <b>{count(item)}</b>
            </button>
          ))}
        </fieldset>
      )}
      <DayBookingList entries={matchingTrips} side={side} />
      {matchingTrips.length === 0 && otherMatches.length === 0 && !companySearchResults.value?.length && (
        <Nothing isSearch={searchText.value !== ""} />
      )}
      <Everywhere known={bookingsOnDevice.value} />
      {otherMatches.length > 0 && (
        <section class="plain">
          <h2>{t("otherDays")}</h2>
          <DayBookingList entries={otherMatches} side={side} />
        </section>
      )}
    </>
  );
}

const choose = (item: Tab) => {
  tab.value = item;
};
const pick = (item: StatusGroup) => {
  group.value = item;
};

const getBookings = (side: HandOverSide) =>
  (side === "delivery" ? shownDay.value?.data.deliveries : shownDay.value?.data.collections) ?? [];

function sorted(side: HandOverSide) {
  const timed = getBookings(side).map((booking: Booking) => [booking, getWorkStatus(booking, side)] as const);
  const formatTime = (booking: Booking) =>
    side === "delivery" ? `${booking.date_from}${booking.time_from}` : `${booking.date_to}${booking.time_to}`;
  return timed.toSorted(([a], [b]) => formatTime(a).localeCompare(formatTime(b)));
}

/**
 * Searches the other stored days, and the other list of this day: collections while deliveries are shown, or vice
 * versa.
 */
function findOtherMatches(side: HandOverSide, text: string) {
  const listedBookingIds = new Set(getBookings(side).map(({ booking_id }) => booking_id));
  return [...bookingsOnDevice.value.values()]
    .filter((booking) => !listedBookingIds.has(booking.booking_id) && matchesBooking(booking, text))
    .toSorted((a, b) => a.date_from.localeCompare(b.date_from))
    .map((booking) => [booking, getWorkStatus(booking, side)] as const);
}

/** Results of the company-wide search for bookings that aren't on this device. */
function Everywhere({ known }: { readonly known: ReadonlyMap<number, Booking> }) {
  const matchingTrips = (companySearchResults.value ?? []).filter(({ id }) => !known.has(id));
  if (matchingTrips.length === 0) return null;
  const open = async (booking: CompanySearchResult) => {
    const isHere = createSamePageCheck();
    await showDay(await switchToBookingBranch(booking, booking.status !== "confirmed"));
    if (isHere()) openRoute("booking", booking.id);
  };
  return (
    <section class="plain">
      <h2>{t("foundEverywhere")}</h2>
      <ul class="entries">
        {matchingTrips.map((booking) => (
          <li key={booking.id}>
            <button type="button" class="entry" onClick={() => void open(booking)}>
              <span class="grow">
                <b class="who">{booking.customer_fullname}</b>
                <span class="where">
                  {t("booking", { id: booking.id })} · {formatDay(booking.date_from)} {booking.time_from} ·{" "}
                  {booking.pickup_place}
                </span>
              </span>
              <Icon name="next" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function DateSwitch() {
  const now = getToday();
  const visibleTab = shownDate.value || now;
  return (
    <div class="dates">
      <button
        type="button"
        class="round"
        aria-label={t("dayBefore")}
        onClick={() => void showDay(shiftDate(visibleTab, -1))}
      >
        <Icon name="back" />
      </button>
      {visibleTab !== now && (
        <button type="button" class="small" onClick={() => void showDay(now)}>
          {t("today")}
        </button>
      )}
      <button
        type="button"
        class="round"
        aria-label={t("dayAfter")}
        onClick={() => void showDay(shiftDate(visibleTab, 1))}
      >
        <Icon name="next" />
      </button>
    </div>
  );
}

function BranchChoice() {
  const locations = settings.value?.rental_locations ?? [];
  if (locations.length < 2) return null;
  const change = async (code: string) => {
    await chooseBranch(code);
    await showDay(shownDate.value || getToday());
    await prefetchShift();
  };
  return (
    <label class="branch">
      <span class="hidden">{t("branch")}</span>
      <select value={selectedBranchCode.value} onChange={({ currentTarget }) => void change(currentTarget.value)}>
        {locations.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Nothing({ isSearch }: { readonly isSearch: boolean }) {
  if (!shownDay.value) {
    return (
      <EmptyState icon="offline" title={t(isDayLoading.value ? "loading" : "dayMissing")}>
        {!isDayLoading.value && <p>{t("dayMissingHint")}</p>}
      </EmptyState>
    );
  }
  if (isSearch) return <EmptyState icon="search" title={t("nothingFound")} />;
  return <EmptyState icon={group.value === "done" ? "car" : "check"} title={t(`empty_${group.value}`)} />;
}

function Freshness() {
  if (!shownDay.value) return null;
  return (
    <p class="fresh">
      {t("asOf", { time: formatDeviceMoment(shownDay.value.fetchedAt) })}
      <button type="button" class="link" disabled={isDayLoading.value} onClick={() => void refreshShownDay()}>
        {t(isDayLoading.value ? "loading" : "refresh")}
      </button>
    </p>
  );
}
