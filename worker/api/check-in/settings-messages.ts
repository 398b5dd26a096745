import { listHeldPersonalRights } from "#domain/access/rights.ts";
import type { SignedInUser } from "#domain/access/sessions.ts";
import type { Catalogue, Extra } from "#domain/catalogue/catalogue.ts";
import { completeHandOverChecks } from "#domain/catalogue/hand-over-checks.ts";
import { getCatalogueNames } from "#domain/catalogue/names.ts";
import { DESK_PAYMENT_METHODS, PHOTO_VIEWS, STAFF_CONFIRMATIONS } from "#domain/check-in/codes.ts";
import { DAMAGE_KINDS, DAMAGE_SEVERITIES, VEHICLE_PARTS } from "#domain/contracts/damage.ts";
import { toAmount } from "#domain/money.ts";
import type { Lessor } from "#domain/printing/contract-text.ts";
import { toAcrissFields } from "#worker/api/acriss-messages.ts";
import { pickTranslation } from "#worker/api/primitives.ts";
import type { CheckInSettingsMessage } from "./day-messages.ts";

interface Settings {
  readonly staff: SignedInUser;
  readonly catalogue: Catalogue;
  readonly storages: readonly { readonly id: number; readonly name: string }[];
  /** Lessors by branch code. */
  readonly lessors: ReadonlyMap<string, Lessor>;
  readonly terms: readonly { readonly language: string; readonly terms: string }[];
  readonly prices: readonly Pick<Extra, "code" | "name" | "pricePer" | "priceCents">[];
}

/** Returns the app's settings, limited to the user's branches and their groups. */
export function toCheckInSettingsMessage(
  { staff, catalogue, storages, lessors, terms, prices }: Settings,
  limits: CheckInSettingsMessage["limits"],
): CheckInSettingsMessage {
  const { settings } = catalogue;
  const spoken = staff.language ?? settings.defaultLanguage;
  const branches = [...catalogue.branches.values()].filter(
    ({ code }) => staff.branches === "all" || staff.branches.includes(code),
  );
  const own = new Set(branches.map(({ branchGroupId }) => branchGroupId));
  return {
    account_name: settings.accountName,
    product_type: settings.productType,
    country_code: settings.countryCode,
    currency: settings.currency,
    currency_decimals: settings.currencyDecimals,
    timezone: settings.timezone,
    tax_records: Object.values(settings.taxRecords).includes("verifactu"),
    communications: settings.sesMode !== "none",
    books_at_own_address: !settings.engineRequiresApiKey,
    languages: [...settings.languages],
    default_language: settings.defaultLanguage,
    user: {
      user_id: staff.userId,
      full_name: staff.fullName,
      role: staff.role,
      rights: [...listHeldPersonalRights(staff)],
      language: staff.language ?? null,
      theme: staff.theme ?? null,
    },
    rental_locations: branches.map(({ code, name, names, branchGroupId }) => ({
      code,
      name: pickTranslation(spoken, names ?? {}, name),
      rental_storage_id: branchGroupId,
    })),
    rental_storages: storages.filter(({ id }) => own.has(id)).map(({ id, name }) => ({ id, name })),
    categories: [...catalogue.categories.values()].map((category) => ({
      code: category.code,
      ...toAcrissFields(category),
      name: pickTranslation(spoken, category.names, category.name),
      family_id: category.familyId ?? null,
    })),
    families: catalogue.families.map(({ id, name }) => ({ id, name })),
    names: getCatalogueNames(catalogue),
    grace_minutes: settings.graceMinutes,
    handover_checks: completeHandOverChecks(settings.handOverChecks),
    max_km_per_day: settings.kilometresADay,
    driver_ages: catalogue.driverAgeRules.map(({ ageFrom, ageTo, allowed }) => ({
      age_from: ageFrom,
      age_to: ageTo,
      allowed,
    })),
    payment_methods: [...DESK_PAYMENT_METHODS],
    photo_views: [...PHOTO_VIEWS],
    vehicle_parts: [...VEHICLE_PARTS],
    damage_kinds: [...DAMAGE_KINDS],
    damage_severities: [...DAMAGE_SEVERITIES],
    customer_checks: [...STAFF_CONFIRMATIONS],
    contracts: {
      lessors: Object.fromEntries([...lessors].map(([code, lessor]) => [code, toLessorMessage(lessor)])),
      terms: Object.fromEntries(terms.map((term) => [term.language, term.terms])),
    },
    surcharges: prices.map(({ code, name, pricePer, priceCents }) => ({
      code,
      name,
      price: pricePer === "rental" && priceCents > 0 ? toAmount(priceCents, settings.currencyDecimals) : null,
    })),
    limits,
  };
}

function toLessorMessage({ name, taxId, address, phone, email }: Lessor) {
  return { name, tax_id: taxId ?? null, address: address ?? null, phone: phone ?? null, email: email ?? null };
}
