import { expect, test } from "vitest";
import { listExpectedVisits } from "../../pwa/office/src/pages/closed-day.ts";
import type { PlannedContract, Planning } from "../../pwa/office/src/pages/planning/planning.ts";

const contract = (id: number, changes: Partial<PlannedContract> = {}): PlannedContract => ({
  id,
  version: 1,
  status: "confirmed",
  unit_id: id,
  date_from: "2030-06-10",
  time_from: "10:00",
  date_to: "2030-06-13",
  time_to: "09:00",
  customer_fullname: `Customer ${id}`,
  rental_location_code: "AIR",
  return_rental_location_code: "AIR",
  from: "2030-06-10T10:00",
  to: "2030-06-13T09:00",
  ...changes,
});
const planning = (...contracts: readonly PlannedContract[]) =>
  ({ vehicles: [{ contracts }], unassigned: [{ category_code: "A", contracts }] }) as unknown as Planning;

test("lists the pickups and returns booked on a closed day, each once, earliest first", () => {
  const board = planning(
    contract(1),
    contract(2, { date_from: "2030-06-05", date_to: "2030-06-10", time_to: "08:00", status: "in_progress" }),
    contract(3, { rental_location_code: "TOWN", return_rental_location_code: "AIR" }),
    contract(4, { status: "done" }),
    contract(5, { status: "in_progress" }),
  );
  const listVisits = (date: string) => listExpectedVisits("AIR", date, board).map(({ id, side }) => [id, side]);
  expect(listVisits("2030-06-10")).toEqual([
    [2, "return"],
    [1, "pickup"],
  ]);
  expect(listVisits("2030-06-13")).toEqual([
    [1, "return"],
    [3, "return"],
    [5, "return"],
  ]);
  expect(listVisits("2030-06-11")).toEqual([]);
});
