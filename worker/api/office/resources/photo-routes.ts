import { createRoute } from "@hono/zod-openapi";
import { getResource } from "#domain/catalogue/resources/resources.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import {
  idempotencyHeaders,
  officeFailureResponses,
  officeSecurity,
  toOfficeWrite,
} from "#worker/api/office/office-api.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { limitBodySize, requireJsonBody } from "#worker/api/request-body.ts";
import { requireSignedToken, setFreshTokenHeader } from "#worker/api/signed-in.ts";
import {
  addCataloguePhoto,
  MAX_CATALOGUE_PHOTOS,
  toCataloguePhotoUrlPath,
} from "#worker/usecases/catalogue/resources/photos.ts";
import * as messages from "./photo-messages.ts";
import { toResourceErrorResponse } from "./resource-errors.ts";

/** Maximum size of a request with a photo in base64, about 3 MB decoded. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const ONE_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const addRoute = createRoute({
  method: "post",
  path: "/photos",
  operationId: "addPhoto",
  tags: ["Fleet"],
  summary: "Upload a photo for categories and extras",
  security: officeSecurity,
  middleware: [
    requireSignedToken(toErrorResponse),
    limitBodySize(toErrorResponse, MAX_BODY_BYTES),
    requireJsonBody(toErrorResponse),
  ],
  request: { headers: idempotencyHeaders, body: jsonRequest(messages.photoBody, "The photo", { content: ONE_PIXEL }) },
  responses: {
    201: jsonContent(messages.photoAnswer, "The photo with its address"),
    ...officeFailureResponses.writing(409, 422),
  },
});

const TOO_MANY_PHOTOS_FAILURE = {
  status: 409,
  code: "too_many_files",
  message: `The company has ${MAX_CATALOGUE_PHOTOS} photos, the maximum`,
} as const;

/** Registers the route that uploads photos of the catalogue. */
export function registerCataloguePhotoRoutes({ routes }: ApiRoutes): void {
  routes.openapi(addRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const added = await addCataloguePhoto(write, c.req.valid("json").content);
    if (!added.ok) {
      if (added.error.kind === "tooManyPhotos") return toErrorResponse(c, TOO_MANY_PHOTOS_FAILURE);
      return toResourceErrorResponse(c, getResource("categories"), added.error);
    }
    setFreshTokenHeader(c, added.value.freshToken);
    const { contentType, sizeBytes } = added.value.value;
    return c.json(
      { photo: { path: toCataloguePhotoUrlPath(added.value.value), content_type: contentType, bytes: sizeBytes } },
      201,
    );
  });
}
