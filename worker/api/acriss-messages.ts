import { z } from "zod";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";

/** Additional member next to each category code, present if the category has an ACRISS code. */
export const acrissFields = {
  acriss_code: z
    .string()
    .optional()
    .meta({ description: "Addition: ACRISS code of the category, if set", example: "EDMR" }),
};
export type AcrissFields = z.output<z.ZodObject<typeof acrissFields>>;

/** Returns a category's ACRISS code from the cached catalogue, without reading rows. */
export function findAcrissFields({ categories }: Pick<Catalogue, "categories">, code: string): AcrissFields {
  return toAcrissFields(categories.get(code));
}

/** Returns the ACRISS code of a loaded category. */
export function toAcrissFields(
  category: { readonly acrissCode?: string | null | undefined } | undefined,
): AcrissFields {
  return category?.acrissCode ? { acriss_code: category.acrissCode } : {};
}
