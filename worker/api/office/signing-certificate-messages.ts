import { z } from "zod";
import { base64BytesSchema } from "#worker/api/base64-messages.ts";
import { timestampTextSchema } from "#worker/api/integration/messages.ts";

const MAX_FILE_BYTES = 100_000;
const MAX_PASSWORD_LENGTH = 200;

export const certificateBody = z.strictObject({
  content: base64BytesSchema
    .refine((bytes) => bytes.length <= MAX_FILE_BYTES, `must have at most ${MAX_FILE_BYTES} bytes`)
    .meta({
      type: "string",
      format: "byte",
      description: "PKCS #12 with the certificate and its RSA key, or PEM without a password",
    }),
  password: z
    .string()
    .max(MAX_PASSWORD_LENGTH)
    .default("")
    .meta({ description: "Password of the file, empty for PEM" }),
});

export const certificateAnswer = z
  .object({
    certificate: z
      .object({
        holder: z.array(z.string()).meta({ description: "Texts of the holder's name" }),
        issuer: z.string(),
        tax_ids: z.array(z.string()).meta({ description: "Tax numbers of branches that it names" }),
        not_before: timestampTextSchema.meta({ description: "Start of its validity" }),
        not_after: timestampTextSchema.meta({ description: "End of its validity" }),
      })
      .nullable()
      .meta({ description: "Stored certificate without its key. Null without one" }),
  })
  .meta({ id: "SigningCertificate" });
export type SigningCertificateMessage = z.output<typeof certificateAnswer>;
export type SigningCertificateRequest = z.input<typeof certificateBody>;
