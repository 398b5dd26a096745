import type { ResourceAnswer } from "#domain/catalogue/resources/answer-types.ts";
import type { VehicleListMessage } from "#worker/api/office/vehicle-messages.ts";
import { readAllPages } from "../../desk/read-all-pages.ts";
import { useLoadedChoices } from "../../desk/use-choices.tsx";
import type { ResourceList, ResourceOptions } from "../resources.ts";
import type { VehicleOption } from "./find-vehicle-reference.ts";

type Concept = ResourceAnswer<"expense-concepts">;

/** Expense concepts and the bookkeeping accounts that they belong to. `isRead` is whether they're loaded. */
export interface ExpenseConcepts {
  readonly concepts: readonly Concept[];
  readonly accounts: ResourceOptions[string];
  readonly isRead: boolean;
}

/** Loads the current expense concepts with their bookkeeping accounts, including new ones. */
export function useExpenseConcepts(): ExpenseConcepts {
  const read = useLoadedChoices("expense-concepts", () =>
    readAllPages<ResourceList<Concept>>("/expense-concepts?options=true&"),
  );
  if (!read) return { concepts: [], accounts: [], isRead: false };
  return { concepts: read.rows, accounts: read.options?.["expense_account_id"] ?? [], isRead: true };
}

/** Loads the vehicles of the user's branches, including former ones. */
export function useExpenseVehicles(): readonly VehicleOption[] {
  return useLoadedChoices("vehicles", () => readAllPages<VehicleListMessage>("/vehicles?"))?.rows ?? [];
}
