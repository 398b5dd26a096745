/** Position and address of a place, as far as the company entered them. */
export interface PlaceAddress {
  readonly street: string | null;
  readonly zip: string | null;
  readonly city: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** Formats an address in one line. Empty if the place has none. */
export function formatAddress({ street, zip, city }: Pick<PlaceAddress, "street" | "zip" | "city">): string {
  return [street, [zip, city].filter(Boolean).join(" ")].filter(Boolean).join(", ");
}

/** Returns the link to a map of a place. Undefined without position and address. */
export function createMapLink(place: PlaceAddress): string | undefined {
  const { latitude, longitude } = place;
  if (latitude !== null && longitude !== null)
    return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  const address = formatAddress(place);
  return address === "" ? undefined : `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`;
}
