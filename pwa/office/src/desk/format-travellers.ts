import { t } from "../texts.ts";

/** Formats the travellers by type, without types that have none. */
export function formatTravellers(travellers: {
  readonly adults: number;
  readonly children: number;
  readonly infants: number;
}): string {
  return [
    t("adults", { n: travellers.adults }),
    travellers.children > 0 && t("children", { n: travellers.children }),
    travellers.infants > 0 && t("infants", { n: travellers.infants }),
  ]
    .filter(Boolean)
    .join(", ");
}
