import { decodeUrlComponent } from "#shared/decode-url.ts";
import type { Vehicle } from "../api/messages.ts";
import { foldSearchText } from "./day-entries.ts";

/**
 * Extracts the search text from a scanned code: the last part of a URL or the whole text, without spaces and dashes.
 */
export function parseVehicleCode(text: string): string {
  const trimmed = text.trim();
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const last = isAddress ? trimmed.split(/[/?&#=]/).findLast((part) => part !== "") : trimmed;
  return foldSearchText(decodeUrlComponent(last ?? ""));
}

/** Whether a vehicle matches a search text by plate, alias, reference, make, model or colour. */
export function matchesVehicleText(vehicle: Vehicle, searchText: string): boolean {
  const { name, stock_brand, stock_model, stock_color } = vehicle;
  const appearanceTexts = [name, stock_brand, stock_model, stock_color].flatMap((word) =>
    word ? [foldSearchText(word)] : [],
  );
  return [...getSearchTexts(vehicle), ...appearanceTexts].some((word) => word.includes(searchText));
}

const namedBy = (vehicle: Vehicle, code: string) => getSearchTexts(vehicle).some((word) => word.includes(code));

const getSearchTexts = ({ stock_plate, stock_reference, reference }: Vehicle) =>
  [stock_plate, stock_reference, reference].flatMap((word) => (word === null ? [] : [foldSearchText(word)]));

/** Returns the only vehicle that matches a code, or undefined if none or several match. */
export function findVehicleByCode(all: readonly Vehicle[], code: string): Vehicle | undefined {
  if (code === "") return undefined;
  const exactMatches = all.filter((vehicle) => getSearchTexts(vehicle).includes(code));
  const matches = exactMatches.length > 0 ? exactMatches : all.filter((vehicle) => namedBy(vehicle, code));
  return matches.length === 1 ? matches[0] : undefined;
}
