import type { PlannedContract, Planning } from "./planning.ts";

/** Lists the confirmed contracts of a vehicle that a block or extension in this time would take from it. */
export const listDisplacedContracts = (contracts: readonly PlannedContract[], from: string, to: string) =>
  contracts.filter((contract) => contract.status === "confirmed" && contract.from < to && contract.to > from);

/** Lists the customers whose reservations lose their vehicle, with the vehicle if there are several. */
export function listDisplacedCustomerNames(
  pieces: readonly Pick<Planning, "vehicles">[],
  references: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): readonly string[] {
  const names = pieces.flatMap(({ vehicles }) =>
    vehicles
      .filter(({ reference }) => references.includes(reference))
      .flatMap(({ reference, contracts }) =>
        listDisplacedContracts(contracts, from, to).map(({ customer_fullname: name, id }) =>
          references.length > 1 ? `${name} (${id}, ${reference})` : `${name} (${id})`,
        ),
      ),
  );
  return [...new Set(names)];
}
