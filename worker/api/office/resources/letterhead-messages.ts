import { z } from "zod";
import { officeFailureAnswer } from "#worker/api/office/failure-messages.ts";

// 200 kB in base64.
const MAX_LOGO_CHARACTERS = 266_668;
const MAX_FOOT = 500;

const letterhead = z
  .object({
    color: z.string(),
    foot: z.string(),
    logo: z.string().nullable().meta({ description: "PNG or JPEG in base64" }),
    version: z.int(),
  })
  .meta({ id: "Letterhead" });
export const letterheadAnswer = z.object({ letterhead });
export type LetterheadMessage = z.output<typeof letterheadAnswer>;
export const letterheadConflictAnswer = officeFailureAnswer.extend({ letterhead: letterhead.optional() });

export const letterheadBody = z.strictObject({
  expected_version: z.int("is required: the version that was read").min(1),
  color: z
    .string("must be a text")
    .regex(/^#[0-9a-f]{6}$/, "must be a colour like #1f4e79")
    .optional(),
  foot: z.string("must be a text").trim().max(MAX_FOOT, `must have at most ${MAX_FOOT} characters`).optional(),
  logo: z
    .string("must be a text")
    .max(MAX_LOGO_CHARACTERS, `must have at most ${MAX_LOGO_CHARACTERS} characters`)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, "must be in base64")
    .nullish()
    .meta({ description: "PNG or JPEG in base64, at most 200 kB. null removes it" }),
});
export type LetterheadRequest = z.input<typeof letterheadBody>;
