import type { Translations } from "#domain/catalogue/languages.ts";
import { translations } from "#worker/store/schema/organization.ts";
import type { Company } from "./company.ts";
import { rowsOf, type TableRows } from "./insert.ts";

type Entity = (typeof translations.$inferInsert)["entity"];

interface Named {
  readonly id?: number;
  readonly code?: string;
  readonly names?: Translations;
  readonly shortDescriptions?: Translations;
  readonly descriptions?: Translations;
}

/** Every text in the account's other languages; its own is in the entity's column. */
export function translationRows(company: Company): TableRows {
  const { settings, transfers } = company;
  const others = settings.languages.filter((language) => language !== settings.defaultLanguage);
  const textsOf = ({ names, shortDescriptions, descriptions }: Named) =>
    [
      ["name", names],
      ["short_description", shortDescriptions],
      ["description", descriptions],
    ] as const;
  const rows = (entity: Entity, named: readonly Named[], idOf: (one: Named) => unknown = ({ id }) => id) =>
    named.flatMap((one) =>
      textsOf(one).flatMap(([field, texts]) =>
        (texts ? others : []).map((language) => {
          const text = texts?.[language];
          if (text === undefined) throw new Error(`the ${field} of ${entity} ${idOf(one)} has no ${language} version`);
          return { entity, entityId: String(idOf(one)), field, language, text };
        }),
      ),
    );
  const byCode = ({ code }: Named) => code;
  return rowsOf(translations, [
    ...rows("pickup_place", company.places),
    ...rows("booking_category", company.categories, byCode),
    ...rows("extra", company.extras, byCode),
    ...rows("family", company.families),
    ...rows("driver_age_rule", company.driverAgeRules),
    ...rows("offer", company.offers),
    ...rows("transfer_point", transfers.points),
    ...rows("transfer_vehicle", transfers.vehicles),
    ...rows("transfer_extra", transfers.extras),
    ...rows("supplement", transfers.supplements),
  ]);
}
