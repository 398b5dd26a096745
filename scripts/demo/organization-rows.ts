import {
  branches,
  branchGroups,
  classifiers,
  closedDates,
  openingHours,
  pickupPlaces,
  returnPlaces,
  salesChannels,
  settings,
} from "#worker/store/schema/organization.ts";
import type { Company } from "./company.ts";
import { rowsOf, type TableRows } from "./insert.ts";

/** Settings come last of all, in the batch that makes an account complete. */
export function settingsRow({ settings: { row } }: Company, sesPasswordSealed: string | undefined): TableRows {
  return rowsOf(settings, [{ ...row, sesPasswordSealed, id: 1 }]);
}

/** Branch groups, branches and places; `since` in epoch ms. */
export function organizationRows(company: Company, since: number): TableRows[] {
  const { storages, places } = company;
  const { timezone, currency } = company.settings;
  const dates = { createdAt: since, lastUpdate: since };
  return [
    rowsOf(classifiers, company.classifiers),
    rowsOf(salesChannels, company.salesChannels),
    rowsOf(
      branchGroups,
      storages.map((storage) => ({ ...storage, timezone, ...dates })),
    ),
    rowsOf(
      branches,
      company.branches.map((branch) => ({
        ...branch,
        timezone,
        currency,
        whatsappNumber: branch.phoneNumber,
        emergencyNumber: branch.phoneNumber,
        ...dates,
      })),
    ),
    rowsOf(
      openingHours,
      company.branches.flatMap((branch) => branch.openingHours.map((hours) => ({ ...hours, branchCode: branch.code }))),
    ),
    rowsOf(
      closedDates,
      company.branches.flatMap(({ code, closures }) => closures.map((closure) => ({ ...closure, branchCode: code }))),
    ),
    rowsOf(
      pickupPlaces,
      places.map((place, position) => ({ ...place, position, ...dates })),
    ),
    rowsOf(
      returnPlaces,
      places.flatMap(({ id, returnPlaceIds }) =>
        [...returnPlaceIds].map((returnPlaceId) => ({ pickupPlaceId: id, returnPlaceId })),
      ),
    ),
  ];
}
