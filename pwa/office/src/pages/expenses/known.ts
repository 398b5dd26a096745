import { useEffect, useState } from "preact/hooks";
import { ask, office } from "../../api.ts";
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

const MOST_PAGES = 25;

async function readAll<Row>(path: string): Promise<{ readonly rows: readonly Row[]; readonly options: unknown }> {
  const rows: Row[] = [];
  let after = "";
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { status, body } = await ask("GET", office(`${path}page_size=200${after}`));
    if (status !== 200) throw new Error(String(status));
    rows.push(...(body["data"] as readonly Row[]));
    if (body["next"] === null) return { rows, options: body["options"] };
    after = `&after=${encodeURIComponent(String(body["next"]))}`;
  }
  return { rows, options: undefined };
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
