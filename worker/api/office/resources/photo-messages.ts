import { z } from "zod";
import { base64BytesSchema } from "#worker/api/base64-messages.ts";

export const photoBody = z
  .strictObject(
    {
      content: base64BytesSchema.meta({
        type: "string",
        format: "byte",
        description: "JPEG or PNG in base64, at most 2000 kB",
      }),
    },
    "must be an object with a content",
  )
  .meta({ id: "NewPhoto" });
export type PhotoRequest = z.input<typeof photoBody>;

export const photoAnswer = z.object({
  photo: z
    .object({
      path: z.string().meta({ description: "Address on the company's host, for `photo_path` and similar fields" }),
      content_type: z.string(),
      bytes: z.int(),
    })
    .meta({ id: "Photo" }),
});
export type PhotoMessage = z.output<typeof photoAnswer>;
