import { z } from "zod";
import { officeFailureAnswer } from "#worker/api/office/failure-messages.ts";
import { textLineSchema } from "#worker/api/primitives.ts";

const MAX_NAME = 80;

export const seasonCopyBody = z.strictObject({
  year: z
    .int("must be a year")
    .min(2000, "must be at least 2000")
    .max(2199, "must be at most 2199")
    .meta({ description: "Year in which the copy's first period begins" }),
  name: textLineSchema(MAX_NAME).optional().meta({ description: "Default: the season's name with the year" }),
});
export type SeasonCopyRequest = z.input<typeof seasonCopyBody>;
export const seasonParams = z.object({ id: textLineSchema(20).meta({ example: "1" }) });
const season = z.object({
  id: z.int(),
  name: z.string(),
  periods: z.array(z.object({ date_from: z.string(), date_to: z.string() })),
  version: z.int(),
});
export const seasonCopyConflictAnswer = officeFailureAnswer.extend({ season: season.optional() });
export const seasonCopyAnswer = z.object({
  season: season
    .extend({
      prices: z.int().meta({ description: "Copied prices" }),
      selling_rules: z.int().meta({ description: "Copied selling rules" }),
    })
    .meta({ id: "CopiedSeason" }),
});
export type CopiedSeasonMessage = z.output<typeof seasonCopyAnswer>;

interface StoredCopy {
  readonly season: {
    readonly id: string;
    readonly version: number;
    readonly values: Readonly<Record<string, unknown>>;
  };
  readonly prices: number;
  readonly sellingRules: number;
}

/** Converts a copied season. */
export function toSeasonCopyMessage({ season: { id, version, values }, prices, sellingRules }: StoredCopy) {
  const periods = values["periods"] as readonly { readonly date_from: string; readonly date_to: string }[];
  return {
    season: {
      id: Number(id),
      name: String(values["name"]),
      periods: periods.map((period) => ({ ...period })),
      prices,
      selling_rules: sellingRules,
      version,
    },
  };
}
