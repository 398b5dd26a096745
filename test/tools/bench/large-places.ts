import type { CompanyData, FixtureRow } from "#scripts/demo/company.ts";

const BRANCHES_PER_GROUP = 2;
const REGIONS = ["Costa Norte", "Costa Sur", "Levante", "Poniente"];
const PLACE_TYPES = ["airport", "train_station", "location", "harbor", "hotel"];
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
const HOLIDAYS = { "{year}-01-01": "Año Nuevo", "{year}-12-25": "Navidad" };

export const LARGE_COMPANY_BRANCH_GROUPS = REGIONS.map((name, index) => ({
  id: index + 1,
  name,
  classifierId: 1,
  externalCode: `G${index + 1}`,
  ...addressIn(name, index),
}));

export const LARGE_COMPANY_BRANCHES = LARGE_COMPANY_BRANCH_GROUPS.flatMap(({ id, name }) =>
  Array.from({ length: BRANCHES_PER_GROUP }, (_, index) => branch(id, name, index)),
);

function addressIn(region: string, number: number) {
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

function branch(branchGroupId: number, region: string, index: number) {
  const code = `B${branchGroupId}${index + 1}`;
  const phoneNumber = `+34 971 99 00 ${branchGroupId}${index}`;
  return {
    code,
    branchGroupId,
    name: `${region} ${index + 1}`,
    classifierId: 1,
    externalCode: code,
    placeType: index === 0 ? "airport" : "location",
    companyName: "Acme Grande, S.A.",
    documentId: "A07999999",
    phoneNumber,
    whatsappNumber: phoneNumber,
    emergencyNumber: phoneNumber,
    email: `${code.toLowerCase()}@large.test`,
    commercialRegister: "R.M. de Palma, tomo 1, folio 1, hoja PM-1",
    ...addressIn(region, index),
  };
}

/** Creates branch groups with branches and places. Vehicles return within their branch group. */
export function createBranchAndPlaceRows(): CompanyData["rows"] {
  const places = LARGE_COMPANY_BRANCHES.flatMap(createPlaces);
  return {
    branchGroups: LARGE_COMPANY_BRANCH_GROUPS,
    branches: LARGE_COMPANY_BRANCHES,
    openingHours: repeatForBranches(WEEKDAYS.map((weekday) => ({ weekday, opens: "07:00", closes: "23:00" }))),
    closedDates: repeatForBranches(Object.entries(HOLIDAYS).map(([date, reason]) => ({ date, reason }))),
    pickupPlaces: places,
    returnPlaces: LARGE_COMPANY_BRANCH_GROUPS.flatMap(returnsWithin),
  };
}

function returnsWithin(_: unknown, group: number): readonly FixtureRow[] {
  const count = BRANCHES_PER_GROUP * PLACE_TYPES.length;
  const ids = Array.from({ length: count }, (_place, index) => group * count + index + 1);
  return ids.flatMap((pickupPlaceId) => ids.map((returnPlaceId) => ({ pickupPlaceId, returnPlaceId })));
}

function repeatForBranches(rows: readonly FixtureRow[]): readonly FixtureRow[] {
  return LARGE_COMPANY_BRANCHES.flatMap(({ code }) => rows.map((row) => ({ ...row, branchCode: code })));
}

function createPlaces({ code, name }: (typeof LARGE_COMPANY_BRANCHES)[number], branchIndex: number) {
  return PLACE_TYPES.map((placeType, index) => {
    const text = `${name}, ${index + 1}`;
    return {
      id: branchIndex * PLACE_TYPES.length + index + 1,
      branchCode: code,
      placeType,
      name: { es: text, ca: text, en: text, de: text },
      priceCents: index === PLACE_TYPES.length - 1 ? 1500 : 0,
      popularity: PLACE_TYPES.length - index,
      ...addressIn(name, index),
    };
  });
}
