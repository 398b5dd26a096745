import { z } from "zod";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";

export const ownSettingsBody = z
  .strictObject({
    language: z
      .enum(PLATFORM_LANGUAGES, `must be one of ${PLATFORM_LANGUAGES.join(", ")}`)
      .nullish()
      .meta({ description: "Language of the office and the check-in app. null: the browser's or the company's" }),
    theme: z
      .enum(["light", "dark"], "must be one of light, dark")
      .nullish()
      .meta({ description: "Theme of the office. null: that of the system" }),
  })
  .meta({ id: "OwnSettings" });
export type OwnSettingsRequest = z.input<typeof ownSettingsBody>;

export const ownSettingsAnswer = z
  .object({ language: z.string().nullable(), theme: z.enum(["light", "dark"]).nullable() })
  .meta({ id: "OwnSettingsAnswer" });
