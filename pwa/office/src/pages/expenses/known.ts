import { useChoices } from "../../desk/choices.tsx";
import { readAll } from "../../desk/read-all.ts";
import type { KnownVehicle } from "./reference.ts";

interface Concept {
  readonly id: number;
  readonly name: string;
  readonly expense_account_id: number;
}

/** Expense concepts and accounts. `isRead` is whether they're loaded. */
export interface Concepts {
  readonly concepts: readonly Concept[];
  readonly accounts: readonly { readonly id: number; readonly name: string }[];
  readonly isRead: boolean;
}

/** Loads the current concepts with their accounts, including new ones. */
export function useConcepts(): Concepts {
  const read = useChoices("expense-concepts", () => readAll<Concept>("/expense-concepts?options=true&"));
  if (!read) return { concepts: [], accounts: [], isRead: false };
  const { expense_account_id: accounts } = read.options as { expense_account_id: Concepts["accounts"] };
  return { concepts: read.rows, accounts, isRead: true };
}

/** Loads the vehicles of the user's branches, including former ones. */
export function useKnownVehicles(): readonly KnownVehicle[] {
  return useChoices("vehicles", () => readAll<KnownVehicle>("/vehicles?"))?.rows ?? [];
}
