import { type Address, type Company, inOwnLanguage } from "./company.ts";
import { type Row, type TableRows, yesNo } from "./insert.ts";

/** Settings come last of all, in the batch that makes an account complete. */
export function settingsRow({ settings }: Company): Row {
  return {
    id: 1,
    account_name: settings.accountName,
    product_type: settings.productType,
    country_code: settings.countryCode,
    currency: settings.currency,
    currency_decimals: settings.currencyDecimals,
    timezone: settings.timezone,
    languages: JSON.stringify(settings.languages),
    default_language: settings.defaultLanguage,
    base_url: settings.baseUrl,
    grace_minutes: settings.graceMinutes,
    preparation_minutes: settings.preparationMinutes,
    hold_minutes: settings.holdMinutes,
    cart_idle_minutes: settings.cartIdleMinutes,
    minimum_days: settings.minimumDays,
    maximum_days: settings.maximumDays,
    out_of_hours_allowed: yesNo(settings.outOfHoursAllowed),
    out_of_hours_pickup_cents: settings.outOfHoursPickupCents,
    out_of_hours_return_cents: settings.outOfHoursReturnCents,
    deposit_basis_points: settings.depositShare,
    automatic_confirmation: yesNo(settings.automaticConfirmation),
    request_allowed: yesNo(settings.requestAllowed),
    engine_requires_api_key: yesNo(settings.engineRequiresApiKey),
    engine_origins: JSON.stringify(settings.engineOrigins),
    payment_options: JSON.stringify(settings.paymentOptions),
    payment_methods: JSON.stringify(settings.paymentMethods),
  };
}

/** Branch groups, branches and places; `since` in epoch ms. */
export function organizationRows(company: Company, since: number): TableRows[] {
  const { classifiers, salesChannels, storages, branches, places, settings } = company;
  const dates = { created_at: since, last_update: since };
  return [
    { table: "classifiers", rows: classifiers.map(({ id, name }) => ({ id, name })) },
    { table: "sales_channels", rows: salesChannels.map(({ code, name }) => ({ code, name })) },
    {
      table: "branch_groups",
      rows: storages.map((storage) => ({
        id: storage.id,
        name: storage.name,
        classifier_id: storage.classifierId,
        external_code: storage.externalCode,
        timezone: settings.timezone,
        ...addressColumns(storage.address),
        ...dates,
      })),
    },
    {
      table: "branches",
      rows: branches.map((branch) => ({
        code: branch.code,
        branch_group_id: branch.branchGroupId,
        name: branch.name,
        classifier_id: branch.classifierId,
        external_code: branch.externalCode,
        place_type: branch.placeType,
        timezone: settings.timezone,
        currency: settings.currency,
        company_name: branch.companyName,
        document_id: branch.documentId,
        phone_number: branch.phone,
        whatsapp_number: branch.phone,
        email: branch.email,
        emergency_number: branch.phone,
        commercial_register: branch.commercialRegister,
        ...addressColumns(branch.address),
        ...dates,
      })),
    },
    {
      table: "opening_hours",
      rows: branches.flatMap(({ code, openingHours }) =>
        openingHours.map((hours) => ({ branch_code: code, ...hours })),
      ),
    },
    {
      table: "closed_dates",
      rows: branches.flatMap(({ code, closures }) =>
        closures.map(({ date, reason }) => ({ branch_code: code, date, reason })),
      ),
    },
    {
      table: "pickup_places",
      rows: places.map((place, position) => ({
        id: place.id,
        branch_code: place.branchCode,
        name: place.name,
        classifier_id: place.classifierId,
        place_type: place.placeType,
        is_pickup: yesNo(place.isPickup),
        is_return: yesNo(place.isReturn),
        web_public: yesNo(place.webPublic),
        price_cents: place.priceCents,
        iata: place.iata,
        position,
        ...addressColumns(place.address),
        ...dates,
      })),
    },
    {
      table: "return_places",
      rows: places.flatMap(({ id, returnPlaceIds }) =>
        [...returnPlaceIds].map((other) => ({ pickup_place_id: id, return_place_id: other })),
      ),
    },
    {
      table: "families",
      rows: company.families.map((family) => ({
        id: family.id,
        code: family.code,
        name: inOwnLanguage(company, family.names),
      })),
    },
  ];
}

function addressColumns(address: Address): Row {
  return {
    address_street_address: address.street,
    address_city: address.city,
    address_state: address.state,
    address_zip: address.zip,
    address_country_code: address.country,
    address_lat: address.lat,
    address_lng: address.lng,
  };
}
