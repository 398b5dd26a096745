import { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { failures } from "#worker/api/failure.ts";
import { openCataloguePhoto } from "#worker/usecases/catalogue/resources/photos.ts";

/** Uploaded photos of categories and extras, for any website. An address always has the same bytes. */
export const cataloguePhotoRoutes = new Hono<AppEnvironment>();

cataloguePhotoRoutes.get("/photos/:file{[0-9a-f]{64}\\.(jpg|png)}", async (c) => {
  const [hash = "", ending] = c.req.param("file").split(".");
  const photo = await openCataloguePhoto(c.get("tenant"), hash);
  if (!photo) return toErrorResponse(c, failures.unknownPath);
  return c.body(photo, 200, {
    "Content-Type": ending === "png" ? "image/png" : "image/jpeg",
    "Cache-Control": "public, max-age=31536000, immutable",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
  });
});
