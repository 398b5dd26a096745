import type { CivilDate } from "#domain/dates.ts";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import type { Company } from "./company.ts";
import { agentOf } from "./company-parts.ts";
import { keysAndUsers } from "./credentials.ts";
import {
  globexCategories,
  globexDriverAgeRules,
  globexExtras,
  globexOffers,
  globexPromotionCodes,
  globexSeasons,
  globexTariffs,
} from "./globex/catalogue.ts";
import { globexFleet } from "./globex/fleet.ts";
import { globexBranch, globexPlace, globexSettings, globexStorage } from "./globex/organization.ts";
import { globexOwnTexts } from "./globex/own-texts.ts";
import { yearsAround } from "./prices.ts";
import { NO_TRANSFERS } from "./transfers.ts";

/** One van-rental shop in New York, as of a day. */
export function globex(today: CivilDate, historyDays: number): Company {
  const years = yearsAround(today, 2);
  const shop = globexBranch(years);
  return {
    account: "globex",
    paperColor: "#7a3b12",
    settings: globexSettings,
    classifiers: [],
    salesChannels: [],
    storages: [globexStorage],
    branches: [shop],
    places: [globexPlace],
    families: [{ id: 1, code: "VANS", names: { en: "Vans" } }],
    categories: globexCategories,
    seasons: globexSeasons(years),
    tariffs: globexTariffs,
    offers: globexOffers,
    promotionCodes: globexPromotionCodes,
    cancellationTerms: [],
    sellingRules: [],
    oneWayFees: [],
    driverAgeRules: globexDriverAgeRules,
    extras: globexExtras,
    transfers: NO_TRANSFERS,
    agencies: [{ id: 1, name: "MoveMate", salesChannelCode: undefined, popularity: 1, prepaid: true }],
    agents: [agentOf(1, "Queens Self Storage", { share: 800 })],
    ...keysAndUsers(demoAccounts, "globex", {
      partnerKeys: {
        "globex-agency": { name: "MoveMate", agencyId: 1, scopes: ["ota"] },
        "globex-erp": { name: "Accounting", agencyId: undefined, scopes: ["integration", "analytics"] },
      },
      engineKey: { name: "Website", salesChannel: undefined },
      users: {
        "staff@globex.test": { fullName: "Dana Whitfield", role: "administrator", language: "en" },
        "customer@globex.test": { fullName: "Chris Morales", role: "customer", language: "en" },
      },
    }),
    fleet: globexFleet(today, shop, historyDays),
    guests: [["US", 1]],
    ownTexts: globexOwnTexts,
  };
}
