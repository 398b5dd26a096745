import { t } from "../texts.ts";

/** Who travels, those of whom there are none left out. */
export function peopleText(of: {
  readonly adults: number;
  readonly children: number;
  readonly infants: number;
}): string {
  return [
    t("adults", { n: of.adults }),
    of.children > 0 && t("children", { n: of.children }),
    of.infants > 0 && t("infants", { n: of.infants }),
  ]
    .filter(Boolean)
    .join(", ");
}
