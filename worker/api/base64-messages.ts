import { z } from "zod";

/** Bytes of a file in base64. */
export const base64Bytes = z.string("is required: the bytes of the file in base64").transform((text, context) => {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    context.addIssue({ code: "custom", message: "must be the bytes of the file in base64" });
    return z.NEVER;
  }
});
