import { acmeOwnTexts } from "#scripts/demo/acme/own-texts.ts";
import type { Address, CompanyBranch, CompanyPlace, Storage } from "#scripts/demo/company.ts";
import { closedOnHolidays, openingHours } from "#scripts/demo/company-parts.ts";

const BRANCHES_OF_STORAGE = 2;
const REGIONS = ["Costa Norte", "Costa Sur", "Levante", "Poniente"];
const PLACE_TYPES = ["airport", "train_station", "location", "harbor", "hotel"] as const;
const PLACES_OF_BRANCH = PLACE_TYPES.length;

export const largeStorages: readonly Storage[] = REGIONS.map(storage);

export function largeBranches(years: readonly number[]): CompanyBranch[] {
  return largeStorages.flatMap((one) =>
    Array.from({ length: BRANCHES_OF_STORAGE }, (_, index) => branch(one, index, years)),
  );
}

function storage(region: string, index: number): Storage {
  return {
    id: index + 1,
    name: region,
    classifierId: 1,
    externalCode: `G${index + 1}`,
    ...addressIn(region, index),
  };
}

function addressIn(region: string, number: number): Address {
  return {
    addressStreetAddress: `Avenida del Mar, ${number + 1}`,
    addressCity: region,
    addressState: "Illes Balears",
    addressZip: `07${String(100 + number)}`,
    addressCountryCode: "ES",
    addressLat: 39.5 + number / 50,
    addressLng: 2.6 + number / 50,
  };
}

function branch({ id, name }: Storage, index: number, years: readonly number[]): CompanyBranch {
  const code = `B${id}${index + 1}`;
  return {
    code,
    branchGroupId: id,
    name: `${name} ${index + 1}`,
    classifierId: 1,
    externalCode: code,
    placeType: index === 0 ? "airport" : "location",
    companyId: 1,
    companyName: "Acme Grande, S.A.",
    documentId: "A07999999",
    phoneNumber: `+34 971 99 00 ${id}${index}`,
    email: `${code.toLowerCase()}@large.test`,
    commercialRegister: "R.M. de Palma, tomo 1, folio 1, hoja PM-1",
    ...addressIn(name, index),
    openingHours: openingHours([1, 2, 3, 4, 5, 6, 7], "07:00", "23:00"),
    ...closedOnHolidays(years, acmeOwnTexts),
  };
}

/** The places of a branch; vehicles return within its branch group. */
export function largePlaces({ code, name, branchGroupId }: CompanyBranch, branchIndex: number): CompanyPlace[] {
  const perStorage = PLACES_OF_BRANCH * BRANCHES_OF_STORAGE;
  const firstOfStorage = (branchGroupId - 1) * perStorage + 1;
  const returnPlaceIds = new Set(Array.from({ length: perStorage }, (_, index) => firstOfStorage + index));
  return PLACE_TYPES.map((placeType, index) => {
    const text = `${name}, ${index + 1}`;
    return {
      id: branchIndex * PLACES_OF_BRANCH + index + 1,
      branchCode: code,
      placeType,
      name: text,
      names: { es: text, ca: text, en: text, de: text },
      priceCents: index === PLACES_OF_BRANCH - 1 ? 1500 : 0,
      popularity: PLACES_OF_BRANCH - index,
      isPickup: true,
      isReturn: true,
      webPublic: true,
      returnPlaceIds,
      ...addressIn(name, index),
    };
  });
}
