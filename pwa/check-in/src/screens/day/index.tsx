import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Booking, TransferTrip } from "../../api/messages.ts";
import { type TextKey, t } from "../../i18n/texts.ts";
import { dayAfter } from "../../state/civil.ts";
import { date, day, everyBooking, fetchAhead, isLoading, renewDay, showDay } from "../../state/day.ts";
import {
  folded,
  GROUPS,
  type Group,
  groupOf,
  matches,
  matchesTrip,
  type Side,
  standingOf,
} from "../../state/entries.ts";
import { type FoundBooking, foundEverywhere, goToBranchOf, searchEverywhere } from "../../state/everywhere.ts";
import { dayText, phoneMomentText } from "../../state/moments.ts";
import { session } from "../../state/phone.ts";
import { fromHere, go, hrefOf } from "../../state/route.ts";
import { branch, chooseBranch, settings, today } from "../../state/settings.ts";
import { trips } from "../../state/transfers.ts";
import { Icon } from "../../ui/icon.tsx";
import { Empty } from "../../ui/parts.tsx";
import { Screen } from "../../ui/screen.tsx";
import { EntryList } from "./entry-list.tsx";
import { TripList } from "./trip-list.tsx";

type Tab = Side | "transfer";

const tab = signal<Tab>("delivery");
const wanted = signal("");
const group = signal<Group>("todo");

const SIDES: Readonly<Record<Side, TextKey>> = { delivery: "deliveries", collection: "collections" };
const GROUP_TEXTS: Readonly<Record<Group, TextKey>> = { todo: "groupTodo", waiting: "groupWaiting", done: "groupDone" };

/** The deliveries, collections and transfers of a day and a branch. */
export default function DayScreen() {
  useEffect(() => {
    if (isLoading.peek()) return;
    void (date.peek() ? renewDay() : showDay(today()));
  }, []);
  const tripsOfDay = trips.value?.data.data ?? [];
  // Companies and days without transfers have no place for them.
  const shown = tripsOfDay.length === 0 && tab.value === "transfer" ? "delivery" : tab.value;
  return (
    <Screen title={dayText(date.value || today())} eyebrow={settings.value?.account_name} aside={<DateSwitch />}>
      <BranchChoice />
      <fieldset class="tabs" aria-label={t("whichSide")}>
        {(["delivery", "collection"] as const).map((one) => (
          <button key={one} type="button" aria-pressed={shown === one} onClick={() => choose(one)}>
            <Icon name={one === "delivery" ? "up" : "down"} />
            {t(SIDES[one])} <b>{listOf(one).length}</b>
          </button>
        ))}
        {tripsOfDay.length > 0 && (
          <button type="button" aria-pressed={shown === "transfer"} onClick={() => choose("transfer")}>
            {t("transfers")} <b>{tripsOfDay.filter(({ status }) => status !== "cancelled").length}</b>
          </button>
        )}
      </fieldset>
      <label class="search">
        <Icon name="search" />
        <input
          type="search"
          placeholder={t("searchDay")}
          aria-label={t("searchDay")}
          value={wanted.value}
          onInput={({ currentTarget }) => {
            wanted.value = currentTarget.value;
            searchEverywhere(currentTarget.value);
          }}
        />
      </label>
      {shown === "transfer" ? <Trips trips={tripsOfDay} /> : <Entries side={shown} />}
      {session.value?.role !== "operator" && (
        <a class="other" href={hrefOf("walk-in")}>
          <Icon name="plus" />
          {t("walkIn")}
        </a>
      )}
      <Freshness />
    </Screen>
  );
}

function Trips({ trips: all }: { readonly trips: readonly TransferTrip[] }) {
  const text = folded(wanted.value);
  const found = all.filter((trip) => matchesTrip(trip, text));
  return found.length > 0 ? <TripList trips={found} /> : <Empty icon="search" title={t("nothingFound")} />;
}

function Entries({ side }: { readonly side: Side }) {
  const entries = sorted(side);
  const text = folded(wanted.value);
  const found = entries.filter(([booking, standing]) => {
    // Who searches means all of the day.
    return text === "" ? groupOf(standing) === group.value : matches(booking, text);
  });
  const elsewhere = text === "" ? [] : foundElsewhere(side, text);
  const count = (one: Group) => entries.filter(([, standing]) => groupOf(standing) === one).length;
  return (
    <>
      {wanted.value === "" && (
        <fieldset class="groups" aria-label={t("whichState")}>
          {GROUPS.map((one) => (
            <button key={one} type="button" aria-pressed={group.value === one} onClick={() => pick(one)}>
              {t(GROUP_TEXTS[one])} <b>{count(one)}</b>
            </button>
          ))}
        </fieldset>
      )}
      <EntryList entries={found} side={side} />
      {found.length === 0 && elsewhere.length === 0 && !foundEverywhere.value?.length && (
        <Nothing isSearch={wanted.value !== ""} />
      )}
      <Everywhere known={everyBooking.value} />
      {elsewhere.length > 0 && (
        <section class="plain">
          <h2>{t("otherDays")}</h2>
          <EntryList entries={elsewhere} side={side} />
        </section>
      )}
    </>
  );
}

const choose = (one: Tab) => {
  tab.value = one;
};
const pick = (one: Group) => {
  group.value = one;
};

const listOf = (one: Side) => (one === "delivery" ? day.value?.data.deliveries : day.value?.data.collections) ?? [];

function sorted(one: Side) {
  const timed = listOf(one).map((booking: Booking) => [booking, standingOf(booking, one)] as const);
  const timeOf = (booking: Booking) =>
    one === "delivery" ? `${booking.date_from}${booking.time_from}` : `${booking.date_to}${booking.time_to}`;
  return timed.toSorted(([a], [b]) => timeOf(a).localeCompare(timeOf(b)));
}

/** What other days on the phone, and the other side of this one, have of what is looked for. */
function foundElsewhere(side: Side, text: string) {
  const here = new Set(listOf(side).map(({ booking_id }) => booking_id));
  return [...everyBooking.value.values()]
    .filter((booking) => !here.has(booking.booking_id) && matches(booking, text))
    .toSorted((a, b) => a.date_from.localeCompare(b.date_from))
    .map((booking) => [booking, standingOf(booking, side)] as const);
}

/** Bookings of any day that the company has and this phone has not. */
function Everywhere({ known }: { readonly known: ReadonlyMap<number, Booking> }) {
  const found = (foundEverywhere.value ?? []).filter(({ id }) => !known.has(id));
  if (found.length === 0) return null;
  const open = async (booking: FoundBooking) => {
    const isHere = fromHere();
    await showDay(await goToBranchOf(booking, booking.status !== "confirmed"));
    if (isHere()) go("booking", booking.id);
  };
  return (
    <section class="plain">
      <h2>{t("foundEverywhere")}</h2>
      <ul class="entries">
        {found.map((booking) => (
          <li key={booking.id}>
            <button type="button" class="entry" onClick={() => void open(booking)}>
              <span class="grow">
                <b class="who">{booking.customer_fullname}</b>
                <span class="where">
                  {t("booking", { id: booking.id })} · {dayText(booking.date_from)} {booking.time_from} ·{" "}
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
  const now = today();
  const shown = date.value || now;
  return (
    <div class="dates">
      <button type="button" class="round" aria-label={t("dayBefore")} onClick={() => void showDay(dayAfter(shown, -1))}>
        <Icon name="back" />
      </button>
      {shown !== now && (
        <button type="button" class="small" onClick={() => void showDay(now)}>
          {t("today")}
        </button>
      )}
      <button type="button" class="round" aria-label={t("dayAfter")} onClick={() => void showDay(dayAfter(shown, 1))}>
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
    await showDay(date.value || today());
    await fetchAhead();
  };
  return (
    <label class="branch">
      <span class="hidden">{t("branch")}</span>
      <select value={branch.value} onChange={({ currentTarget }) => void change(currentTarget.value)}>
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
  if (!day.value) {
    return (
      <Empty icon="offline" title={t(isLoading.value ? "loading" : "dayMissing")}>
        {!isLoading.value && <p>{t("dayMissingHint")}</p>}
      </Empty>
    );
  }
  if (isSearch) return <Empty icon="search" title={t("nothingFound")} />;
  return <Empty icon={group.value === "done" ? "car" : "check"} title={t(`empty_${group.value}`)} />;
}

function Freshness() {
  if (!day.value) return null;
  return (
    <p class="fresh">
      {t("asOf", { time: phoneMomentText(day.value.fetchedAt) })}
      <button type="button" class="link" disabled={isLoading.value} onClick={() => void renewDay()}>
        {t(isLoading.value ? "loading" : "refresh")}
      </button>
    </p>
  );
}
