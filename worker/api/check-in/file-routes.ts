import { createRoute, z } from "@hono/zod-openapi";
import { toErrorResponse } from "#worker/api/errors.ts";
import type { Failure } from "#worker/api/failure.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { bodyFailures, readBody, skipBody } from "#worker/api/request-body.ts";
import { requireSignedToken, setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import {
  type CheckInFileRefusal,
  type FileReadProblem,
  findCheckInFile,
  readCheckInFile,
  type StoredCheckInFile,
  storeCheckInFile,
} from "#worker/usecases/check-in/files.ts";
import { answerCheckInRefusal, checkInFailureResponses, checkInSecurity } from "./check-in-api.ts";
import { storedFileAnswer } from "./operation-messages.ts";
import { fileParams } from "./request-messages.ts";

const PATH = "/v1/booking/{id}/check-in-files/{hash}";

/** Time limit of a file upload: ten MiB with a bad signal. */
const MAX_UPLOAD_MS = 600_000;

const tooLarge: Failure = { status: 413, code: "too_large", message: "The file is larger than 10 MiB" };
const unread = { ...bodyFailures, tooLarge } as const satisfies Record<FileReadProblem, Failure>;

function isUnread(
  refusal: CheckInFileRefusal | { readonly kind: FileReadProblem },
): refusal is { readonly kind: FileReadProblem } {
  return refusal.kind in unread;
}

const image = (description: string) => ({
  description,
  content: {
    "image/*": { schema: z.string().meta({ format: "binary" }) },
    "text/plain": { schema: z.string().meta({ description: "The text of a contract as it was signed" }) },
  },
});

const keepFileRoute = createRoute({
  method: "put",
  path: PATH,
  operationId: "keepFile",
  tags: ["Files"],
  summary: "Upload a photo, signature or signed text (idempotent)",
  security: checkInSecurity,
  middleware: [requireSignedToken(toErrorResponse)],
  request: {
    params: fileParams,
    body: { ...image("The bytes of a JPEG, PNG, WebP or HEIC image, or of a contract's text"), required: true },
  },
  responses: {
    200: jsonContent(storedFileAnswer, "Already stored"),
    201: jsonContent(storedFileAnswer, "Stored"),
    ...checkInFailureResponses.writing(404, 409),
  },
});

const readFileRoute = createRoute({
  method: "get",
  path: PATH,
  operationId: "readFile",
  tags: ["Files"],
  summary: "Retrieve a photo or signature",
  security: checkInSecurity,
  request: { params: fileParams },
  responses: { 200: image("The file"), ...checkInFailureResponses.reading(404) },
});

function toFileMessage({ hash, sizeBytes, contentType, width, height }: StoredCheckInFile) {
  return { hash, bytes: sizeBytes, content_type: contentType, width, height };
}

const ENDINGS: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/heic": "heic",
  "text/plain": "txt",
};

// Whether a file may be displayed. For a HEIC only the header was validated, and only Apple's browser displays it.
// Signed texts are only stored.
function isDisplayable({ contentType }: StoredCheckInFile): boolean {
  return contentType !== "image/heic" && contentType !== "text/plain";
}

async function answerWhether(c: Parameters<typeof toStaffRequest>[0], name: Parameters<typeof findCheckInFile>[1]) {
  const storedFile = await findCheckInFile(toStaffRequest(c), name);
  if (!storedFile.ok) return answerCheckInRefusal(c, storedFile.error);
  if (!storedFile.value.value) return answerCheckInRefusal(c, { kind: "unknownFile" });
  setFreshTokenHeader(c, storedFile.value.freshToken);
  // The app uses the content type to distinguish this response from a captive portal's page.
  const { contentType, sizeBytes } = storedFile.value.value;
  return c.body(null, 200, { "Content-Type": contentType, "Content-Length": String(sizeBytes) });
}

/** Registers the routes that store and return photos and signatures of a booking. */
export function registerBookingFileRoutes({ routes }: ApiRoutes): void {
  routes.openapi(keepFileRoute, async (c) => {
    const { id, hash } = c.req.valid("param");
    const uploadResult = await storeCheckInFile(
      toStaffRequest(c),
      { bookingId: id, hash },
      {
        read: (bytes) => readBody(c.req.raw, { bytes, milliseconds: MAX_UPLOAD_MS }),
        skip: (bytes) => skipBody(c.req.raw, { bytes, milliseconds: MAX_UPLOAD_MS }),
      },
    );
    if (!uploadResult.ok) {
      return isUnread(uploadResult.error)
        ? toErrorResponse(c, unread[uploadResult.error.kind])
        : answerCheckInRefusal(c, uploadResult.error);
    }
    setFreshTokenHeader(c, uploadResult.value.freshToken);
    const { file, isNew } = uploadResult.value.value;
    return c.json(toFileMessage(file), isNew ? 201 : 200);
  });
  routes.openapi(readFileRoute, async (c) => {
    const { id, hash } = c.req.valid("param");
    const name = { bookingId: id, hash };
    if (c.req.method === "HEAD") return answerWhether(c, name);
    const read = await readCheckInFile(toStaffRequest(c), name);
    if (!read.ok) return answerCheckInRefusal(c, read.error);
    const { file, body } = read.value.value;
    setFreshTokenHeader(c, read.value.freshToken);
    return c.body(body, 200, {
      "Content-Type": file.contentType === "text/plain" ? "text/plain; charset=utf-8" : file.contentType,
      "Content-Length": String(file.sizeBytes),
      "Content-Disposition": `${isDisplayable(file) ? "inline" : "attachment"}; filename="${hash}.${ENDINGS[file.contentType]}"`,
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; sandbox",
    });
  });
}
