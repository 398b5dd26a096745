import { createProblem, type Problem } from "#domain/problems.ts";
import { listChildren, type XmlElement } from "#domain/xml.ts";

/** Vehicle of a rate, as far as a qualifier names it. */
interface RatedVehicle {
  readonly code: string;
  readonly acriss_code?: string | null | undefined;
}

/** Rates of a request: the codes of their categories, each with its XPath. */
export type RateQualifiers = readonly { readonly code: string; readonly path: string }[];

// Attributes for special rates. They are refused, because agencies pay the rates of their sales channel.
const OTHER_RATES = ["CorpDiscountNmbr", "VendorRateID", "RateAuthorizationCode"];

const PROMOTION_CODE = "PromotionCode";

/**
 * Reads the rate qualifiers and the promotion code of a request. The code is empty if only empty ones were
 * sent. Also returns problems: attributes for special rates, and a second promotion code.
 */
export function readRateQualifiers(parent: XmlElement | undefined, path: string) {
  const elements = listChildren(parent, "RateQualifier").map(({ attributes }, index) => {
    return { attributes, path: `${path}/RateQualifier[${index + 1}]` };
  });
  const qualifiers: RateQualifiers = elements.flatMap(({ attributes, path: own }) => {
    const code = attributes["RateQualifier"]?.trim();
    return code ? [{ code, path: `${own}/@RateQualifier` }] : [];
  });
  const problems: readonly Problem[] = elements.flatMap(({ attributes, path: own }) =>
    OTHER_RATES.filter((name) => attributes[name]?.trim()).map((name) =>
      createProblem(`${own}/@${name}`, "unknown_field"),
    ),
  );
  const codes = elements.flatMap(({ attributes, path: own }) => {
    const code = attributes[PROMOTION_CODE]?.trim();
    return code === undefined ? [] : [{ code, path: `${own}/@${PROMOTION_CODE}` }];
  });
  const first = codes.find(({ code }) => code !== "");
  const others = codes.filter(({ code }) => code !== "" && code !== first?.code);
  return {
    qualifiers,
    promotionCode: first?.code ?? codes[0]?.code,
    problems: [...problems, ...others.map(({ path: own }) => createProblem(own, "choice", first?.code ?? ""))],
  };
}

/** Whether a rate code names a vehicle: by its category's code, as in our answers, or by its ACRISS code. */
export const matchesRate = (code: string, vehicle: RatedVehicle) =>
  code === vehicle.code || code === vehicle.acriss_code;

/** Lists the qualifiers that name none of the vehicles. */
export function listUnknownRates(qualifiers: RateQualifiers, vehicles: readonly RatedVehicle[]): readonly Problem[] {
  return qualifiers
    .filter(({ code }) => !vehicles.some((vehicle) => matchesRate(code, vehicle)))
    .map(({ code, path }) => createProblem(path, "no_product", code));
}

/** Returns the vehicles that the rate qualifiers name, or all vehicles if there are no qualifiers. */
export function filterByRate<T extends RatedVehicle>(qualifiers: RateQualifiers, vehicles: readonly T[]): readonly T[] {
  if (qualifiers.length === 0) return vehicles;
  return vehicles.filter((vehicle) => qualifiers.some(({ code }) => matchesRate(code, vehicle)));
}
