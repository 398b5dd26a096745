import { decoded } from "#shared/decoded.ts";
import type { Vehicle } from "../api/messages.ts";
import { folded } from "./entries.ts";

/** What to look for by the text of a code: of an address its last part, without spaces and dashes. */
export function vehicleCodeOf(text: string): string {
  const trimmed = text.trim();
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const last = isAddress ? trimmed.split(/[/?&#=]/).findLast((part) => part !== "") : trimmed;
  return folded(decoded(last ?? ""));
}

/** Whether a vehicle answers to what somebody looks for: its plate, alias or reference, its make, model or colour. */
export function answersTo(vehicle: Vehicle, wanted: string): boolean {
  const { name, stock_brand, stock_model, stock_color } = vehicle;
  const looks = [name, stock_brand, stock_model, stock_color].flatMap((word) => (word ? [folded(word)] : []));
  return [...wordsOf(vehicle), ...looks].some((word) => word.includes(wanted));
}

const namedBy = (vehicle: Vehicle, code: string) => wordsOf(vehicle).some((word) => word.includes(code));

const wordsOf = ({ stock_plate, stock_reference, reference }: Vehicle) =>
  [stock_plate, stock_reference, reference].flatMap((word) => (word === null ? [] : [folded(word)]));

/** The one vehicle that a code means; undefined where none or several could be meant. */
export function vehicleOfCode(all: readonly Vehicle[], code: string): Vehicle | undefined {
  if (code === "") return undefined;
  const named = all.filter((vehicle) => wordsOf(vehicle).includes(code));
  const meant = named.length > 0 ? named : all.filter((vehicle) => namedBy(vehicle, code));
  return meant.length === 1 ? meant[0] : undefined;
}
