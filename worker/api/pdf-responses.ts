import type { RouteConfig } from "@hono/zod-openapi";
import type { Context } from "hono";
import { z } from "zod";
import { EINVOICE_FORMATS } from "#domain/e-invoices/formats.ts";
import type { AppEnvironment } from "./environment.ts";
import type { ApiRoutes } from "./interface.ts";

/** Response with a printed document. */
export const pdfResponse = {
  description: "The PDF",
  content: { "application/pdf": { schema: z.string().meta({ format: "binary" }) } },
};

/** Returns a printed file, displayed inline and cached only by the requesting browser. */
export function answerPdf(
  c: Context<AppEnvironment>,
  { name, body }: { readonly name: string; readonly body: Uint8Array<ArrayBuffer> },
): Response {
  return c.body(body, 200, {
    "Content-Type": "application/pdf",
    "Content-Disposition": `inline; filename="${name}"`,
    "Content-Length": String(body.byteLength),
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
  });
}

/** Response with an electronic invoice. */
export const eInvoiceResponse = {
  description: "The electronic invoice",
  content: {
    "application/xml": { schema: z.string() },
    "application/pdf": { schema: z.string().meta({ format: "binary" }) },
  },
};

/** Formats of an electronic invoice, in a query. */
export const eInvoiceQuery = z.object({
  format: z
    .enum(EINVOICE_FORMATS, `must be one of ${EINVOICE_FORMATS.join(", ")}`)
    .optional()
    .meta({ description: "The format of the customer or the company by default", example: "cii" }),
});

/** Returns an electronic invoice for download. */
export function answerEInvoice(
  c: Context<AppEnvironment>,
  {
    name,
    body,
    contentType,
  }: { readonly name: string; readonly body: Uint8Array<ArrayBuffer>; readonly contentType: string },
): Response {
  return c.body(body, 200, {
    "Content-Type": contentType,
    "Content-Disposition": `attachment; filename="${name}"`,
    "Content-Length": String(body.byteLength),
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
  });
}

/**
 * Registers `…/{id}.pdf`. The router can't match a parameter followed by a suffix, so the route is documented as usual
 * but matched by a pattern.
 */
export function registerPdfRoute(
  { routes }: ApiRoutes,
  route: RouteConfig,
  handler: (c: Context<AppEnvironment>, id: number) => Promise<Response>,
): void {
  routes.openAPIRegistry.registerPath(route);
  const path = route.path.replace("{id}.pdf", ":file{[0-9]+\\.pdf}").replace(/\{(\w+)\}/g, ":$1");
  routes.get(path, (c) => handler(c, Number.parseInt(c.req.param("file") ?? "", 10)));
}
