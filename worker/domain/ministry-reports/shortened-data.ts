import { findAdditionalDriver, getRenterPrefix, isDriverNotRenter, listReportedPersons } from "./people.ts";
import type { MinistryReportKind, RentalPlace, ReportedRental } from "./rental.ts";

/** Maximum lengths of texts in the ministry's schema, in characters. A report contains the start of a longer text. */
const MAX_REPORTED_LENGTHS = { name: 50, street: 100, city: 100, category: 50, model: 50 } as const;

type ReportedText = keyof typeof MAX_REPORTED_LENGTHS;
type NamedText = readonly [name: string, kind: ReportedText, text: string | undefined];

/** Returns the start of a text that the ministry's schema allows. */
export function toReportedText(kind: ReportedText, text: string | undefined): string | undefined {
  return text === undefined ? undefined : [...text].slice(0, MAX_REPORTED_LENGTHS[kind]).join("");
}

/**
 * Returns the fields whose text is cut in a report, and the licence types for which it contains another one.
 * Names are those of missing fields.
 */
export function listShortenedReportData(kind: MinistryReportKind, rental: ReportedRental): readonly string[] {
  const [renter, driver, second] = listReportedPersons(rental);
  const additional = findAdditionalDriver(rental);
  const persons = [
    [getRenterPrefix(rental), renter],
    ...(isDriverNotRenter(rental) ? [["driver", driver] as const] : []),
    ...(additional ? [[additional, second] as const] : []),
  ] as const;
  const names = persons.flatMap(([prefix, person]): readonly NamedText[] => [
    [`${prefix}_name`, "name", person?.name],
    [`${prefix}_surname`, "name", person?.surname],
    [`${prefix}_second_surname`, "name", person?.secondSurname],
  ]);
  const addresses = persons.flatMap(([, person]): readonly NamedText[] => [
    ["customer_address[street]", "street", person?.address?.street],
    ["customer_address[city]", "city", person?.address?.city],
  ]);
  const texts: readonly NamedText[] = [
    ...names,
    ...(kind === "AV" ? addresses : []),
    ...getPlaceTexts("pickup_place_address", rental.pickup),
    ...getPlaceTexts("return_place_address", rental.return),
    ["category_name", "category", rental.category],
    ...(kind === "AV" ? [["stock_model", "model", rental.vehicle?.model] as const] : []),
  ];
  const licences = [["driver", driver], ...(additional ? [[additional, second] as const] : [])] as const;
  const unknownTypes = licences.flatMap(([prefix, person]) =>
    kind === "AV" && person?.licence?.isTypeUnknown ? [`${prefix}_driving_license_type`] : [],
  );
  const shortened = texts.filter(([, textKind, text = ""]) => [...text].length > MAX_REPORTED_LENGTHS[textKind]);
  return [...new Set([...shortened.map(([name]) => name), ...unknownTypes])];
}

function getPlaceTexts(name: string, { establishment, street, city }: RentalPlace): readonly NamedText[] {
  return establishment
    ? []
    : [
        [name, "street", street],
        [name, "city", city],
      ];
}
