import { applyRate, type BasisPoints } from "#domain/money.ts";
import acme from "#scripts/demo/acme.json" with { type: "json" };
import type { CompanyData } from "#scripts/demo/company.ts";
import { DEMO_CUSTOMER_ID } from "#scripts/demo/customers.ts";
import { buildDemoCompany, type DemoCompany } from "#scripts/demo/describe-company.ts";
import { createBranchAndPlaceRows, LARGE_COMPANY_BRANCH_GROUPS, LARGE_COMPANY_BRANCHES } from "./large-places.ts";

const YEARS_AROUND = 5;
/**
 * A hundred thousand contracts cover five years, fewer cover proportionally fewer days. Recent activity is then similar
 * in accounts of any size, and only the history differs.
 */
const DAYS_PER_CONTRACT = (5 * 365) / 100_000;
const LEAST_HISTORY_DAYS = 90;
const CATEGORIES = 20;
const CATEGORY_UNITS = 50;
const EXTRA_UNITS = 60;
/** 1,500 including one overdue rental and one no-show, which every plan has. */
const ACTIVE = 1_498;

const DEPOSIT_HOLD_DAYS = 5;

/** Three grades of each acme category, with increasing prices. */
const GRADES: readonly { readonly suffix: string; readonly name: string; readonly price: BasisPoints }[] = [
  { suffix: "", name: "", price: 10_000 },
  { suffix: "-PLUS", name: " Plus", price: 11_500 },
  { suffix: "-TOP", name: " Premium", price: 13_500 },
];
const GRADED = GRADES.flatMap((grade) =>
  acme.rows.categories
    .filter(({ code }) => code !== "UNIQ")
    .map((category) => ({ grade, category, code: `${category.code}${grade.suffix}` })),
).slice(0, CATEGORIES);

/**
 * Creates a company with 1,000 vehicles in 20 categories, 4 branch groups and 40 places, and the given number of
 * contracts, always with 1,500 current or upcoming.
 */
export function createLargeCompany(account: string, now: Date, contracts: number): DemoCompany {
  return buildDemoCompany(largeData(account, contracts), now, YEARS_AROUND);
}

function largeData(account: string, contracts: number): CompanyData {
  const { rows } = acme;
  const stocked = [...new Set(rows.extraStocks.map(({ extraCode }) => extraCode))];
  return {
    ...acme,
    account,
    // Purchases are spread over years, so that nothing is sold out.
    settings: { ...acme.settings, accountName: "Acme Grande", horizonDays: 3650, taxRepresentationDate: null },
    secrets: {
      ...acme.secrets,
      ...{ "large-agency": "large-agency-secret", "large-erp": "large-erp-secret" },
      ...{ "staff@large.test": "Staff-large-2026!", "customer@large.test": "Customer-large-2026!" },
    },
    volume: {
      historyDays: Math.max(LEAST_HISTORY_DAYS, Math.round(contracts * DAYS_PER_CONTRACT)),
      total: contracts,
      active: ACTIVE,
      open: 250,
      pending: 0,
      cancelledToCome: 0,
      around: 2,
      oneWaysToCome: 0,
      transfers: 0,
      // Both accounts have more than one page of pending tasks.
      daysDepositHeld: DEPOSIT_HOLD_DAYS,
    },
    customers: { individuals: 8_000, businesses: 150 },
    fleet: {
      ...acme.fleet,
      colors: ["Blanco", "Gris plata", "Negro", "Azul"],
      orders: GRADED.flatMap(({ code }) =>
        LARGE_COMPANY_BRANCHES.map((branch, index) => ({
          categoryCode: code,
          branchCode: branch.code,
          units: unitsAt(index),
        })),
      ),
      models: Object.fromEntries(GRADED.map(({ code, category }) => [code, createModels(category.code)])),
    },
    rows: {
      ...rows,
      classifiers: [{ id: 1, name: "Acme Grande" }],
      salesChannels: rows.salesChannels.map((channel) => ({ ...channel, isPublic: true })),
      ...createBranchAndPlaceRows(),
      categories: GRADED.map(({ grade, category, code }) => ({ ...category, code, name: gradedName(category, grade) })),
      categoryPhotos: GRADED.flatMap(({ category, code }) =>
        rows.categoryPhotos
          .filter((photo) => photo.categoryCode === category.code)
          .map((photo) => ({ ...photo, categoryCode: code })),
      ),
      tariffs: GRADED.flatMap(({ grade, category, code }) =>
        rows.tariffs
          .filter((tariff) => tariff.categoryCode === category.code)
          .map((tariff) => ({ ...tariff, categoryCode: code, brackets: gradedBrackets(tariff.brackets, grade) })),
      ),
      cancellationTerms: [],
      sellingRules: [],
      oneWayFees: [],
      servicePlans: [],
      specialDates: [],
      transferVehicles: rows.transferVehicles.map((vehicle) => ({
        ...vehicle,
        branchCode: LARGE_COMPANY_BRANCHES[0]?.code,
      })),
      extraStocks: stocked.flatMap((extraCode) =>
        LARGE_COMPANY_BRANCH_GROUPS.map(({ id }) => ({ extraCode, branchGroupId: id, units: EXTRA_UNITS })),
      ),
      agencies: [{ id: 1, name: "Large Agency", salesChannelCode: "AGENCY", popularity: 1, prepaid: true }],
      agents: rows.agents.slice(0, 1),
      partnerKeys: [
        { apiKey: "large-agency", name: "Large Agency", agencyId: 1, scopeOta: true },
        { apiKey: "large-erp", name: "ERP", scopeIntegration: true, scopeAnalytics: true },
      ],
      engineKeys: [{ apiKey: "large-web", name: "Web", salesChannelCode: "WEB" }],
      users: rows.users
        .filter(({ role }) => role === "administrator" || role === "customer")
        .map((user, index) => {
          const name = user.username.replace("acme", "large");
          const customerId = user.role === "customer" ? DEMO_CUSTOMER_ID : undefined;
          return { ...user, id: index + 1, username: name, email: name, customerId };
        }),
      userBranches: [],
    },
  };
}

function unitsAt(branchIndex: number): number {
  const each = Math.floor(CATEGORY_UNITS / LARGE_COMPANY_BRANCHES.length);
  return each + (branchIndex < CATEGORY_UNITS % LARGE_COMPANY_BRANCHES.length ? 1 : 0);
}

function createModels(categoryCode: string): CompanyData["fleet"]["models"][string] {
  const models: CompanyData["fleet"]["models"] = acme.fleet.models;
  return models[categoryCode] ?? [];
}

type Grade = (typeof GRADES)[number];

function gradedName({ name }: (typeof GRADED)[number]["category"], grade: Grade): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(name).map(([language, text]) => [language, `${text}${grade.name}`]));
}

function gradedBrackets(brackets: readonly (readonly (string | number)[])[], { price }: Grade) {
  return brackets.map(([fromDays, cents, ...per]) => [fromDays, applyRate(Number(cents), price), ...per]);
}
