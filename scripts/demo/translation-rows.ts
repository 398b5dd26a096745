import type { Translations } from "#domain/catalogue/catalogue.ts";
import type { Company } from "./company.ts";
import type { Row, TableRows } from "./insert.ts";

/** Every text in the account's other languages; its own is in the entity's column. */
export function translationRows(company: Company): TableRows {
  const { settings, places, categories, extras, families, driverAgeRules, offers, transfers } = company;
  const others = settings.languages.filter((language) => language !== settings.defaultLanguage);
  const rows = (entity: string, id: string | number, field: string, texts: Translations): Row[] =>
    others.map((language) => {
      const text = texts[language];
      if (text === undefined) throw new Error(`the ${field} of ${entity} ${id} has no ${language} version`);
      return { entity, entity_id: String(id), field, language, text };
    });
  return {
    table: "translations",
    rows: [
      ...places.flatMap(({ id, names }) => rows("pickup_place", id, "name", names)),
      ...categories.flatMap(({ code, names, shortDescriptions, descriptions }) => [
        ...rows("booking_category", code, "name", names),
        ...rows("booking_category", code, "short_description", shortDescriptions),
        ...rows("booking_category", code, "description", descriptions),
      ]),
      ...extras.flatMap(({ code, names, descriptions }) => [
        ...rows("extra", code, "name", names),
        ...rows("extra", code, "description", descriptions),
      ]),
      ...families.flatMap(({ id, names }) => rows("family", id, "name", names)),
      ...driverAgeRules.flatMap(({ id, descriptions }) => rows("driver_age_rule", id, "description", descriptions)),
      ...offers.flatMap(({ id, names }) => rows("offer", id, "name", names)),
      ...transfers.points.flatMap(({ id, names }) => rows("transfer_point", id, "name", names)),
      ...transfers.vehicles.flatMap(({ id, names, shortDescriptions, descriptions }) => [
        ...rows("transfer_vehicle", id, "name", names),
        ...rows("transfer_vehicle", id, "short_description", shortDescriptions),
        ...rows("transfer_vehicle", id, "description", descriptions),
      ]),
      ...transfers.extras.flatMap(({ id, names, descriptions }) => [
        ...rows("transfer_extra", id, "name", names),
        ...rows("transfer_extra", id, "description", descriptions),
      ]),
      ...transfers.supplements.flatMap(({ id, names }) => rows("supplement", id, "name", names)),
    ],
  };
}
