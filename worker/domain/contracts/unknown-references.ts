import type { InvalidInput } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { createReason } from "#domain/problems.ts";
import type { ReservationRequest } from "./requests.ts";

type Problems = NonNullable<InvalidInput["others"]>;

/** Lists the places, categories and extras of a sale that don't exist, at most one for each field. */
export function listUnknownReferenceProblems(
  { places, categories, extras }: Pick<Catalogue, "places" | "categories" | "extras">,
  { rental, products, extras: choices }: Pick<ReservationRequest, "rental" | "products" | "extras">,
): Problems {
  const product = products.find(({ code }) => !categories.has(code));
  const extra = choices.find(({ code }) => !extras.has(code));
  const problems: readonly (Problems[number] | undefined)[] = [
    places.has(rental.pickupPlaceId)
      ? undefined
      : { field: "pickupPlace", reason: createReason("no_pickup_place", rental.pickupPlaceId) },
    places.has(rental.returnPlaceId)
      ? undefined
      : { field: "returnPlace", reason: createReason("no_return_place", rental.returnPlaceId) },
    product && { field: "product", reason: createReason("no_product", product.code) },
    extra && { field: "extra", reason: createReason("no_extra", extra.code) },
  ];
  return problems.filter((item) => item !== undefined);
}
