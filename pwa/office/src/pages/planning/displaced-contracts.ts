import type { PlannedContract } from "./planning.ts";

/** Lists the confirmed contracts of a vehicle that a block in this time would take from it. */
export const listDisplacedContracts = (contracts: readonly PlannedContract[], from: string, to: string) =>
  contracts.filter((contract) => contract.status === "confirmed" && contract.from < to && contract.to > from);
