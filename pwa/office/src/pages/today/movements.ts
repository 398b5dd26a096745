import { getExtraName, getPlaceName } from "../../account.ts";
import type { ReservationListItem } from "../../desk/reservation.ts";

/** A pickup or return of the day: of a rental, or the outward or return trip of a transfer. */
export interface DayMovement {
  readonly reservation: ReservationListItem;
  readonly time: string;
  readonly place: string;
  readonly flight: string | null;
  readonly isDone: boolean;
}

/** The day's movements by hour. Done ones are separate. */
export interface DayMovements {
  readonly open: readonly DayMovement[];
  readonly done: readonly DayMovement[];
}

/** Returns the pickups of the day from its view of the list. A rental that is out or back is done. */
export function toDayPickups(reservations: readonly ReservationListItem[]): DayMovements {
  return split(
    reservations.map((reservation) => {
      const { status, time_from: time, pickup_place_id: id, pickup_place: place, flight } = reservation;
      const isDone = status === "in_progress" || status === "done";
      return findTrip(reservation, "outward") ?? { reservation, time, place: getPlaceName(id, place), flight, isDone };
    }),
  );
}

/** Returns the returns of the day from its view of the list. */
export function toDayReturns(reservations: readonly ReservationListItem[]): DayMovements {
  return split(
    reservations.map((reservation) => {
      const { status, time_to: time, return_place_id: id, return_place } = reservation;
      const place = getPlaceName(id, return_place);
      const isDone = status === "done";
      return findTrip(reservation, "return") ?? { reservation, time, place, flight: null, isDone };
    }),
  );
}

// A transfer stays confirmed, so its trip is done with the report of a drop-off or a no-show.
function findTrip(
  reservation: ReservationListItem,
  position: ReservationListItem["trips"][number]["position"],
): DayMovement | undefined {
  const trip = reservation.trips.find((item) => item.position === position);
  if (!trip) return undefined;
  const { time, origin: place, flight, dropped, nobody_came: isMissed } = trip;
  return { reservation, time, place, flight, isDone: dropped || isMissed };
}

/** Lists the checks of identity and licence that a hand-over still lacks. */
export const listMissingDriverChecks = ({ missing }: Pick<ReservationListItem, "missing">) =>
  missing.filter((check) => check === "licence" || check === "identity");

function split(movements: readonly DayMovement[]): DayMovements {
  const byTime = movements.toSorted((movement, other) => movement.time.localeCompare(other.time));
  return { open: byTime.filter(({ isDone }) => !isDone), done: byTime.filter(({ isDone }) => isDone) };
}

/** Returns plates of vehicles, or categories of units without one, and the extras with their quantities. */
export function describeVehiclesAndExtras(
  { reservation_lines: lines, reservation_extras: extras }: ReservationListItem,
  getItemName: (category: string) => string,
): string {
  const vehicles = lines.flatMap(({ reservation_line_resources: resources, item_id: code, quantity }) => {
    const category = getItemName(code);
    const plates = resources.flatMap(({ stock_plate: plate, reference }) => plate ?? reference ?? []);
    const without = quantity - plates.length;
    return [
      ...plates.map((plate) => `${plate} · ${category}`),
      ...(without > 0 ? [without > 1 ? `${without} × ${category}` : category] : []),
    ];
  });
  const extraTexts = extras.map(({ extra_id: code, extra_description: agreed, quantity }) => {
    const name = getExtraName(code, agreed);
    return quantity > 1 ? `${quantity} × ${name}` : name;
  });
  return [...vehicles, ...extraTexts].join(", ");
}

interface SoldDay {
  readonly category_code: string;
  readonly sold: number;
  readonly stock: number;
}

/** Free vehicles of a category. Negative if more are sold than there are. */
export interface FreeCategory {
  readonly code: string;
  readonly free: number;
  readonly stock: number;
}

/** Returns the free vehicles by category. */
export const toFreeCategories = (soldDays: readonly SoldDay[]): readonly FreeCategory[] =>
  soldDays.map(({ category_code: code, sold, stock }) => ({ code, free: stock - sold, stock }));
