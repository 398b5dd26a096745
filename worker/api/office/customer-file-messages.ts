import { z } from "zod";
import { MAX_FILE_NAME_LENGTH } from "#domain/access/customer-files.ts";
import { base64BytesSchema } from "#worker/api/base64-messages.ts";
import { type MessageFormat, nullableText, timestampTextSchema } from "#worker/api/integration/messages.ts";
import { textLineSchema } from "#worker/api/primitives.ts";
import { reservationParams } from "./request-messages.ts";

const key = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "must be the id of a file")
  .meta({ example: "0".repeat(64) });

export const customerFileParams = reservationParams.extend({ file: key });

const content = base64BytesSchema.meta({
  type: "string",
  format: "byte",
  description: "PDF, JPEG or PNG in base64, at most 5 MB",
});

export const customerFileBody = z
  .strictObject({ name: textLineSchema(MAX_FILE_NAME_LENGTH), content }, "must be an object with a name and a content")
  .meta({ id: "NewCustomerFile" });
export type CustomerFileRequest = z.input<typeof customerFileBody>;

export const customerFileSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    content_type: z.string(),
    bytes: z.int(),
    author: nullableText.meta({ description: "Name of the staff member" }),
    created: timestampTextSchema,
    deletable: z.boolean().meta({ description: "Whether the caller may delete it: its author and managers" }),
  })
  .meta({ id: "CustomerFile" });

export const customerFileAnswer = z.object({ file: customerFileSchema });
export const customerFilesAnswer = z.object({ data: z.array(customerFileSchema) });
export type CustomerFilesMessage = z.output<typeof customerFilesAnswer>;

interface StoredFile {
  readonly key: string;
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly author: string | null;
  readonly createdAt: number;
  readonly isDeletable: boolean;
}

export function toCustomerFileMessage(
  row: StoredFile,
  messageFormat: MessageFormat,
): z.output<typeof customerFileSchema> {
  return {
    id: row.key,
    name: row.name,
    content_type: row.contentType,
    bytes: row.sizeBytes,
    author: row.author,
    created: messageFormat.timestamp(row.createdAt),
    deletable: row.isDeletable,
  };
}
