import { addDays, type CivilDate } from "#domain/dates.ts";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import { acmeCategories, acmeFamilies } from "./acme/categories.ts";
import { acmeDriverAgeRules, acmeExtras } from "./acme/extras.ts";
import { acmeFleet } from "./acme/fleet.ts";
import { acmeBranches, acmeSettings, acmeStorages } from "./acme/organization.ts";
import { acmeOwnTexts } from "./acme/own-texts.ts";
import { acmePlaces } from "./acme/places.ts";
import { acmeOffers, acmePromotionCodes, acmeSeasons, acmeTariffs, HIGH_SEASON } from "./acme/prices.ts";
import { acmeTransfers } from "./acme/transfers.ts";
import type { Company } from "./company.ts";
import { agentOf } from "./company-parts.ts";
import { keysAndUsers } from "./credentials.ts";
import { yearsAround } from "./prices.ts";
import { settingsOf } from "./settings.ts";

const VAT = 2100;
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
    settings: settingsOf({ ...acmeSettings, taxRepresentationDate: addDays(today, -RECORDED_DAYS) }, VAT),
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
      agentOf(1, "Hotel Bahía Blava", { share: 1000 }),
      agentOf(2, "Taxis Llevant", { cents: 1500 }),
      agentOf(3, "Viatges Migjorn", { share: 750 }),
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
        "staff@acme.test": { fullName: "Marta Oliver Pons", role: "administrator", language: "es" },
        "airport@acme.test": { fullName: "Tomeu Ferrer Mas", role: "operator", branchCodes: ["PMI"], language: "ca" },
        "agent@acme.test": { fullName: "Joana Riera Font", role: "agent", language: "es" },
        "manager@acme.test": { fullName: "Miquel Serra Coll", role: "manager", language: "ca" },
        "customer@acme.test": { fullName: "Laura Martín Gil", role: "customer", language: "es" },
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
    ownTexts: acmeOwnTexts,
  };
}
