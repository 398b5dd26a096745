import { z } from "zod";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";

export const contractTextsAnswer = z
  .object({
    data: z.array(
      z.object({
        text: z.string().meta({ description: "Lines of one to three cells, separated by tabs" }),
        language: z.enum(PLATFORM_LANGUAGES),
        is_signed: z.boolean().meta({ description: "Whether the customer signed this text" }),
      }),
    ),
  })
  .meta({ id: "ContractTexts" });
export type ContractTextsMessage = z.output<typeof contractTextsAnswer>;
