import { z } from "zod";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";

/** Additional member next to each category code, present if the category has an ACRISS code. */
export const acrissFields = {
  acriss_code: z
    .string()
    .optional()
    .meta({ description: "Addition: ACRISS code of the category, if set", example: "EDMR" }),
};
export type Acriss = z.output<z.ZodObject<typeof acrissFields>>;

/** Returns a category's ACRISS code from the cached catalogue, without reading rows. */
export function findAcriss({ categories }: Pick<Catalogue, "categories">, code: string): Acriss {
  return toAcriss(categories.get(code));
}

/** Returns the ACRISS code of a loaded category. */
export function toAcriss(category: { readonly acrissCode?: string | null | undefined } | undefined): Acriss {
  return category?.acrissCode ? { acriss_code: category.acrissCode } : {};
}
