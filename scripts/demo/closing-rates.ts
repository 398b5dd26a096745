import type { Category } from "#domain/catalogue/catalogue.ts";

/** What is charged at the end of a rental: petrol is dearer by the eighth than a charge; vans drive without limit. */
export function closingRatesOf({ fuel, seats }: Pick<Category, "fuel" | "seats">) {
  const isElectric = fuel === "electric" || fuel === "none";
  const isUnlimited = (seats ?? 0) > 6;
  return {
    fuelEighthCents: isElectric ? 350 : 950,
    kilometresPerDay: isUnlimited ? undefined : 250,
    extraKilometreCents: isUnlimited ? 0 : 22,
  };
}
