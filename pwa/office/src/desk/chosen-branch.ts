import { signal } from "@preact/signals";
import { account } from "../account.ts";

/** Branch that Today, the lists and the planning are limited to. Empty for all. */
export const chosenBranchCode = signal("");

/** API name of the branch in lists. */
export const BRANCH_PARAMETER = "rental_location_code";

// Each tab has its own branch. A new tab starts with the person's last one.
const TAB_KEY = "office-branch";
const getPersonKey = () => `office branch ${account.value.user?.full_name ?? ""}`;

/** Restores the branch of this tab, or the last one of the person, if it still exists. */
export function restoreBranch(): void {
  chosenBranchCode.value = "";
  try {
    const stored = sessionStorage.getItem(TAB_KEY) ?? localStorage.getItem(getPersonKey()) ?? "";
    const isKnown = account.value.rental_locations.some(({ code }) => code === stored);
    if (isKnown) chosenBranchCode.value = stored;
  } catch {
    // The browser blocks storage.
  }
}

/** Limits the pages to a branch, or to none. */
export function chooseBranch(code: string): void {
  chosenBranchCode.value = code;
  try {
    sessionStorage.setItem(TAB_KEY, code);
    localStorage.setItem(getPersonKey(), code);
  } catch {
    // The browser blocks storage.
  }
}

/** Returns a filter of a list from the URL, or the chosen branch if the list can be limited to it. */
export const readFilterValue = (query: URLSearchParams, name: string): string =>
  query.get(name) ?? (name === BRANCH_PARAMETER ? chosenBranchCode.value : "");
