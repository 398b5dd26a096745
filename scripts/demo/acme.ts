import { addDays, type CivilDate } from "#domain/dates.ts";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import { acmeCategories, acmeFamilies } from "./acme/categories.ts";
import { acmeDriverAgeRules, acmeExtras } from "./acme/extras.ts";
import { acmeFleet } from "./acme/fleet.ts";
import { acmeBranches, acmeSettings, acmeStorages } from "./acme/organization.ts";
import { acmePlaces } from "./acme/places.ts";
import { acmeOffers, acmePromotionCodes, acmeSeasons, acmeTariffs, HIGH_SEASON } from "./acme/prices.ts";
import { acmeTransfers } from "./acme/transfers.ts";
import { acmeWords } from "./acme/words.ts";
import type { Company } from "./company.ts";
import { keysAndUsers } from "./credentials.ts";
import { yearsAround } from "./prices.ts";

/** So long it keeps tax records: what was issued before has none. */
const RECORDED_DAYS = 180;

/** Car rental on Mallorca and Menorca, as of a day. */
export function acme(today: CivilDate, historyDays: number): Company {
  const years = yearsAround(today, 2);
  const branches = acmeBranches(years);
  const year = Number(today.slice(0, 4));
  const winter = today.slice(5) <= "02-15" ? year : year + 1;
  return {
    account: "acme",
    paperColor: "#0b6e69",
    settings: { ...acmeSettings, taxRepresentationDate: addDays(today, -RECORDED_DAYS) },
    classifiers: [
      { id: 1, name: "Acme" },
      { id: 2, name: "Acme Menorca" },
    ],
    salesChannels: [
      { code: "WEB", name: "Web propia", isPublic: true },
      { code: "AGENCY", name: "Agencias", isPublic: false },
      { code: "PHONE", name: "Teléfono y mostrador", isPublic: false },
    ],
    storages: acmeStorages,
    branches,
    places: acmePlaces,
    families: acmeFamilies,
    categories: acmeCategories,
    seasons: acmeSeasons(years),
    tariffs: acmeTariffs,
    offers: acmeOffers(years.slice(0, -1)),
    promotionCodes: acmePromotionCodes(Number(today.slice(0, 4)) - 1),
    sellingRules: [
      { categoryCode: "CABRIO", seasonId: HIGH_SEASON, minimumDays: 3 },
      { categoryCode: "CABRIO", stopSaleFrom: `${winter}-01-15`, stopSaleTo: `${winter}-02-15` },
    ],
    oneWayFees: [
      { branchGroupId: 1, returnBranchGroupId: 2, priceCents: 9000 },
      { branchGroupId: 2, returnBranchGroupId: 1, priceCents: 12_000 },
    ],
    cancellationTerms: [
      { occasion: "cancellation", salesChannel: undefined, hoursBefore: 48, feeType: "days", feeValue: 1 },
      { occasion: "no_show", salesChannel: undefined, hoursBefore: undefined, feeType: "percentage", feeValue: 10_000 },
    ],
    driverAgeRules: acmeDriverAgeRules,
    extras: acmeExtras,
    transfers: acmeTransfers("PMI"),
    agencies: [
      { id: 1, name: "Island Holidays", salesChannelCode: "AGENCY", popularity: 6, prepaid: true },
      { id: 2, name: "Sunny Cars & Co", salesChannelCode: "AGENCY", popularity: 4, prepaid: false },
    ],
    agents: [
      {
        id: 1,
        name: "Hotel Bahía Blava",
        commissionCalculation: "percentage",
        commissionFixedCents: 0,
        commissionBasisPoints: 1000,
      },
      {
        id: 2,
        name: "Taxis Llevant",
        commissionCalculation: "fixed_amount",
        commissionFixedCents: 1500,
        commissionBasisPoints: 0,
      },
      {
        id: 3,
        name: "Viatges Migjorn",
        commissionCalculation: "percentage",
        commissionFixedCents: 0,
        commissionBasisPoints: 750,
      },
    ],
    ...keysAndUsers(demoAccounts, "acme", {
      partnerKeys: {
        "acme-agency": { name: "Island Holidays", agencyId: 1, scopes: ["ota"] },
        "acme-agency-2": { name: "Sunny Cars & Co", agencyId: 2, scopes: ["ota"] },
        "acme-erp": { name: "ERP y cuadros de mando", agencyId: undefined, scopes: ["integration", "analytics"] },
        "acme-books": { name: "Asesoría contable", agencyId: undefined, scopes: ["integration"], keyOnly: true },
      },
      engineKey: { name: "Web de reservas", salesChannel: "WEB" },
      users: {
        "staff@acme.test": {
          fullName: "Marta Oliver Pons",
          role: "administrator",
          branchCodes: undefined,
          language: "es",
        },
        "airport@acme.test": { fullName: "Tomeu Ferrer Mas", role: "operator", branchCodes: ["PMI"], language: "ca" },
        "agent@acme.test": { fullName: "Joana Riera Font", role: "agent", branchCodes: undefined, language: "es" },
        "manager@acme.test": { fullName: "Miquel Serra Coll", role: "manager", branchCodes: undefined, language: "ca" },
        "customer@acme.test": {
          fullName: "Laura Martín Gil",
          role: "customer",
          branchCodes: undefined,
          language: "es",
        },
      },
    }),
    fleet: acmeFleet(today, branches, historyDays),
    guests: [
      ["ES", 34],
      ["DE", 24],
      ["GB", 20],
      ["FR", 8],
      ["IT", 5],
      ["NL", 4],
      ["CT", 5],
    ],
    words: acmeWords,
  };
}
