import type { ResourceListMessage } from "#worker/api/office/resources/resource-messages.ts";
import { useChoices } from "./choices.tsx";
import { readAll } from "./read-all.ts";

export interface Place {
  readonly id: number;
  readonly name: string;
  readonly rental_location_code: string;
  readonly is_pickup: boolean;
  readonly is_return: boolean;
}

export interface Extra {
  readonly code: string;
  readonly name: string;
  readonly price: string;
  readonly price_per: string;
  readonly max_quantity: number;
  readonly active: boolean;
}

export interface Channel {
  readonly code: string;
  readonly name: string;
}

export interface AgentOption {
  readonly id: number;
  readonly name: string;
}

export interface AgencyOption {
  readonly id: number;
  readonly name: string;
}

export interface UserOption {
  readonly id: number;
  readonly full_name: string;
}

export interface TransferPoint {
  readonly id: number;
  readonly name: string;
  readonly active: boolean;
}

export interface TransferVehicle {
  readonly id: number;
  readonly name: string;
  readonly seats: number;
  readonly active: boolean;
}

interface Options {
  readonly "transfer-points": readonly TransferPoint[];
  readonly "transfer-vehicles": readonly TransferVehicle[];
  readonly "transfer-extras": readonly Extra[];
  readonly places: readonly Place[];
  readonly extras: readonly Extra[];
  readonly "sales-channels": readonly Channel[];
  readonly agents: readonly AgentOption[];
  readonly agencies: readonly AgencyOption[];
  readonly users: readonly UserOption[];
}

const CACHE_MS = 60_000;
const optionsCache = new Map<string, { readonly at: number; readonly read: Promise<readonly unknown[]> }>();

/** Loads the options of a kind, cached for one minute. Empty while loading or if not needed. */
export function useOptions<Name extends keyof Options>(name: Name, isNeeded = true): Options[Name] {
  const options = useChoices(isNeeded ? name : undefined, () => readCachedOptions(name) as Promise<Options[Name]>);
  return options ?? ([] as unknown as Options[Name]);
}

function readCachedOptions(name: string): Promise<readonly unknown[]> {
  const before = optionsCache.get(name);
  if (before && Date.now() - before.at < CACHE_MS) return before.read;
  const read = readAll<ResourceListMessage>(`/${name}?`).then(({ rows }) => rows);
  optionsCache.set(name, { at: Date.now(), read });
  read.catch(() => optionsCache.delete(name));
  return read;
}
