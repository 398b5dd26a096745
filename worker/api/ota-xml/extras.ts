import { toReducedExcess } from "#domain/bookings/excess.ts";
import type { Catalogue, Category, Extra } from "#domain/catalogue/catalogue.ts";
import type { Cents } from "#domain/money.ts";
import { createProblem, type Problem } from "#domain/problems.ts";
import { findElementByPath, listChildren, type XmlElement } from "#domain/xml.ts";

type Extras = Catalogue["extras"];

/** Coverage of a category by an extra: its code of OpenTravel list VCT, and the customer's part of damage. */
export interface Coverage {
  readonly type: number;
  readonly deductibleCents: Cents;
}

const EXCESS_REDUCTION = 13;
const ZERO_DEDUCTIBLE = 60;

/** Returns the coverage that an extra gives a category. Undefined if it doesn't lower the excess. */
export function toCoverage({ excessReduction }: Extra, category: Category): Coverage | undefined {
  if (excessReduction?.depositValue === undefined) return undefined;
  const { depositUnitCents } = toReducedExcess(category, [excessReduction]);
  return { type: depositUnitCents === 0 ? ZERO_DEDUCTIBLE : EXCESS_REDUCTION, deductibleCents: depositUnitCents };
}

/** Returns an extra's OpenTravel code (list EQP). If it has none, or another extra has the same, its own code. */
export function getEquipmentType(extra: Extra, extras: Extras): string {
  const code = String(extra.opentravelCode ?? extra.code);
  const isShared = [...extras.values()].some(
    (other) => other !== extra && (other.code === code || other.opentravelCode === extra.opentravelCode),
  );
  return isShared ? extra.code : code;
}

/** Returns the code of the extra that a message names. Keeps an unknown code, so that validation rejects it. */
export function resolveEquipmentType(type: string | undefined, extras: Extras): string | undefined {
  if (type === undefined || extras.has(type)) return type;
  const named = [...extras.values()].find((extra) => getEquipmentType(extra, extras) === type);
  return named?.code ?? type;
}

/** Coverages that a message requests, as codes of extras, and the problems of those that no extra gives. */
interface RequestedCoverages {
  readonly codes: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * Reads the coverages of a message's information. `Code` names an extra. A type alone names the extra that gives the
 * category this coverage, if there is only one. Refuses extras that aren't coverages or have another type.
 */
export function readCoverages(
  info: XmlElement | undefined,
  extras: Extras,
  category: Category | undefined,
): RequestedCoverages {
  const path = `/${info?.name.replace(/^Veh/, "OTA_Veh").replace(/Info$/, "")}/${info?.name}/CoveragePrefs/CoveragePref`;
  const coverages = [...extras.values()].filter(({ excessReduction }) => excessReduction?.depositValue !== undefined);
  const found = listChildren(findElementByPath(info, "CoveragePrefs"), "CoveragePref").map(({ attributes }, index) => {
    const { Code: code = "", CoverageType: type = "" } = attributes;
    const member = `${path}[${index + 1}]/${code === "" ? "@CoverageType" : "@Code"}`;
    if (code === "" && type === "") return { problem: createProblem(member, "missing") };
    const isNamed = (extra: Extra) => (code === "" ? category !== undefined : extra.code === code);
    const hasType = (extra: Extra) => type === "" || !category || String(toCoverage(extra, category)?.type) === type;
    const [extra, other] = coverages.filter((coverage) => isNamed(coverage) && hasType(coverage));
    return extra && !other ? { code: extra.code } : { problem: createProblem(member, "no_extra", code || type) };
  });
  return {
    codes: [...new Set(found.flatMap(({ code }) => code ?? []))],
    problems: found.flatMap(({ problem }) => problem ?? []),
  };
}
