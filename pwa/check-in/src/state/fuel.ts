import { formatFuelLevel } from "#domain/check-in/fuel.ts";
import { t } from "../i18n/texts.ts";
import { getLocale } from "./preferences.ts";

const FRACTIONS = ["0", "⅛", "¼", "⅜", "½", "⅝", "¾", "⅞", "1"] as const;

type Fuelled = { readonly fuel: string } | null | undefined;

/** Whether a vehicle shows its battery level in percent instead of a tank. */
export const isElectric = (vehicle: Fuelled): boolean => vehicle?.fuel === "electric";

const formatLevel = (eighths: number, vehicle: Fuelled): string =>
  formatFuelLevel(eighths, isElectric(vehicle), getLocale());

/** Formats the fuel of a vehicle: percent for an electric one, otherwise eighths. */
export function formatFuel(eighths: number | null | undefined, vehicle: Fuelled): string {
  if (eighths === null || eighths === undefined) return isElectric(vehicle) ? "–" : "–/8";
  return formatLevel(eighths, vehicle);
}

/** Returns the short text of a fuel level in the choice, and its text for screen readers. */
export function describeFuelChoice(
  eighths: number,
  vehicle: Fuelled,
): { readonly text: string; readonly label: string } {
  return isElectric(vehicle)
    ? { text: formatLevel(eighths, vehicle), label: formatLevel(eighths, vehicle) }
    : { text: FRACTIONS[eighths] ?? `${eighths}/8`, label: t("eighths", { n: eighths }) };
}

/** Describes the missing fuel of a return. */
export function formatMissingFuel(eighths: number, vehicle: Fuelled): string {
  return isElectric(vehicle)
    ? t("closingCharge", { percent: formatLevel(eighths, vehicle) })
    : t("closingFuel", { n: eighths });
}
