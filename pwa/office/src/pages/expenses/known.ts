import { useChoices } from "../../desk/choices.tsx";
import { readAll } from "../../desk/read-all.ts";
import type { KnownVehicle } from "./reference.ts";

interface Concept {
  readonly id: number;
  readonly name: string;
  readonly expense_account_id: number;
}

/** What expenses are sorted by; `isRead` once that is known. */
export interface Concepts {
  readonly concepts: readonly Concept[];
  readonly accounts: readonly { readonly id: number; readonly name: string }[];
  readonly isRead: boolean;
}

/** Concepts with their accounts, as they are now: one that was just made is among them. */
export function useConcepts(): Concepts {
  const read = useChoices("expense-concepts", () => readAll<Concept>("/expense-concepts?options=true&"));
  if (!read) return { concepts: [], accounts: [], isRead: false };
  const { expense_account_id: accounts } = read.options as { expense_account_id: Concepts["accounts"] };
  return { concepts: read.rows, accounts, isRead: true };
}

/** The vehicles of one's branches, those that left the fleet among them. */
export function useKnownVehicles(): readonly KnownVehicle[] {
  return useChoices("vehicles", () => readAll<KnownVehicle>("/vehicles?"))?.rows ?? [];
}
