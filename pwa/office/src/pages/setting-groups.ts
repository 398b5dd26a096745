import type { ResourceField } from "#domain/catalogue/resources/fields.ts";

/** Setting groups by topic. Ungrouped settings belong to the website group. */
const GROUPS = {
  company: [
    "account_name",
    "country_code",
    "currency",
    "currency_decimals",
    "timezone",
    "languages",
    "default_language",
    "base_url",
  ],
  booking: [
    "grace_minutes",
    "preparation_minutes",
    "minimum_days",
    "maximum_days",
    "minimum_notice_minutes",
    "horizon_days",
    "out_of_hours_allowed",
    "out_of_hours_pickup",
    "out_of_hours_return",
    "hold_minutes",
    "payment_hold_minutes",
    "cart_idle_minutes",
    "visitor_units",
    "visitor_holds",
  ],
  payment: [
    "payment_methods",
    "payment_options",
    "deposit_percent",
    "automatic_confirmation",
    "request_allowed",
    "early_return_refund",
    "desk_discount_limit",
    "refund_approval",
  ],
  websites: ["engine_origins", "engine_requires_api_key", "engine_customer_access"],
  customers: ["disabled_mails", "reminder_hours", "hold_reminder_minutes", "customer_changes_allowed"],
  operation: [
    "handover_checks",
    "overdue_minutes",
    "no_show_minutes",
    "one_way_mode",
    "repatriation_days",
    "transfer_stop_over_minutes",
    "default_trip_minutes",
    "max_km_per_day",
    "closing_charge_limit",
  ],
  documents: [
    "einvoice_format",
    "accounts",
    "simplified_limit",
    "simplified_exchange",
    "series_pattern",
    "series_letters",
    "tax_records_iva",
    "tax_records_igic",
    "tax_records_ipsi",
    "tax_environment",
    "tax_rate_codes",
    "tax_representation_date",
  ],
  ses: ["ses_mode", "ses_environment", "ses_lessor_code", "ses_user", "ses_password", "ses_codes"],
  security: ["second_factor_from"],
  look: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type SettingFieldGroup = keyof typeof GROUPS;

/** Returns the settings in groups, in a natural order for a company. */
export function groupSettingFields(
  fields: readonly ResourceField[],
): readonly (readonly [SettingFieldGroup, readonly ResourceField[]])[] {
  const grouped: ReadonlySet<string> = new Set(Object.values(GROUPS).flat());
  return (Object.entries(GROUPS) as [SettingFieldGroup, readonly string[]][]).map(([group, names]) => {
    const own = names.flatMap((name) => fields.filter((field) => field.name === name));
    return [group, group === "look" ? fields.filter(({ name }) => !grouped.has(name)) : own] as const;
  });
}
