import { z } from "zod";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";

/** Our own member beside each code of a category: there where the category has the letters. */
export const acriss = {
  acriss_code: z
    .string()
    .optional()
    .meta({ description: "Our own, where the category has one: the letters of ACRISS", example: "EDMR" }),
};
export type Acriss = z.output<z.ZodObject<typeof acriss>>;

/** The letters of a category, from the remembered catalogue: no row is read for them. */
export function findAcriss({ categories }: Pick<Catalogue, "categories">, code: string): Acriss {
  return toAcriss(categories.get(code));
}

/** The letters of a category at hand. */
export function toAcriss(category: { readonly acrissCode?: string | null | undefined } | undefined): Acriss {
  return category?.acrissCode ? { acriss_code: category.acrissCode } : {};
}
