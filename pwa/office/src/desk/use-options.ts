import type { ResourceAnswer } from "#domain/catalogue/resources/answer-types.ts";
import type { ResourceListMessage } from "#worker/api/office/resources/resource-messages.ts";
import { readAllPages } from "./read-all-pages.ts";
import { useLoadedChoices } from "./use-choices.tsx";

export type PlaceOption = ResourceAnswer<"places">;

export type AgencyOption = ResourceAnswer<"agencies">;

export type UserOption = ResourceAnswer<"users">;

type OptionName =
  | "transfer-points"
  | "transfer-vehicles"
  | "transfer-extras"
  | "places"
  | "extras"
  | "sales-channels"
  | "agents"
  | "agencies"
  | "users";

const CACHE_MS = 60_000;
const optionsCache = new Map<string, { readonly at: number; readonly read: Promise<readonly unknown[]> }>();

/** Loads the options of a kind, cached for one minute. Empty while loading or if not needed. */
export function useOptions<Name extends OptionName>(name: Name, isNeeded = true): readonly ResourceAnswer<Name>[] {
  const options = useLoadedChoices(
    isNeeded ? name : undefined,
    () => readCachedOptions(name) as Promise<readonly ResourceAnswer<Name>[]>,
  );
  return options ?? [];
}

function readCachedOptions(name: string): Promise<readonly unknown[]> {
  const before = optionsCache.get(name);
  if (before && Date.now() - before.at < CACHE_MS) return before.read;
  const read = readAllPages<ResourceListMessage>(`/${name}?`).then(({ rows }) => rows);
  optionsCache.set(name, { at: Date.now(), read });
  read.catch(() => optionsCache.delete(name));
  return read;
}
