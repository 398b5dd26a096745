import { useEffect, useState } from "preact/hooks";
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
  const [known, setKnown] = useState<Concepts>({ concepts: [], accounts: [], isRead: false });
  useEffect(() => {
    readAll<Concept>("/expense-concepts?options=true&").then(
      ({ rows, options }) => {
        const { expense_account_id: accounts } = options as { expense_account_id: Concepts["accounts"] };
        setKnown({ concepts: rows, accounts, isRead: true });
      },
      () => undefined,
    );
  }, []);
  return known;
}

/** The vehicles of one's branches, those that left the fleet among them. */
export function useKnownVehicles(): readonly KnownVehicle[] {
  const [vehicles, setVehicles] = useState<readonly KnownVehicle[]>([]);
  useEffect(() => {
    readAll<KnownVehicle>("/vehicles?").then(
      ({ rows }) => setVehicles(rows),
      () => undefined,
    );
  }, []);
  return vehicles;
}
