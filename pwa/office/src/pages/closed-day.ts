import type { PlannedContract, Planning } from "./planning/planning.ts";

/** A pickup or return at a branch on a day. */
export interface ExpectedVisit {
  readonly id: number;
  readonly time: string;
  readonly side: "pickup" | "return";
  readonly customer: string;
}

/** Lists the pickups and returns at a branch on a day, once per contract, by time. */
export function listExpectedVisits(
  branch: string,
  date: string,
  { vehicles, unassigned }: Planning,
): readonly ExpectedVisit[] {
  const contracts = [...vehicles, ...unassigned].flatMap((item) => item.contracts);
  const open = new Map(contracts.filter(({ status }) => status !== "done").map((contract) => [contract.id, contract]));
  return [...open.values()]
    .flatMap((plannedContract) => listContractVisits(plannedContract, branch, date))
    .toSorted((coming, other) => coming.time.localeCompare(other.time));
}

function listContractVisits(contract: PlannedContract, branch: string, date: string): readonly ExpectedVisit[] {
  const { id, customer_fullname: customer } = contract;
  const isFetched = contract.status !== "in_progress" && contract.rental_location_code === branch;
  const isBack = contract.return_rental_location_code === branch;
  return [
    ...(isFetched && contract.date_from === date
      ? [{ id, customer, side: "pickup" as const, time: contract.time_from }]
      : []),
    ...(isBack && contract.date_to === date ? [{ id, customer, side: "return" as const, time: contract.time_to }] : []),
  ];
}
