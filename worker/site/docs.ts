import { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { withPolicy } from "./page-headers.ts";

// The styles that the pages' library sets on its elements, and the pictures in its stylesheet.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The interfaces that the pages show, each by its OpenAPI document; `example` is a path to sign. */
export const describedInterfaces = [
  {
    title: "Agency (OTA)",
    url: "/api/booking/ota/openapi.json",
    access: "signed",
    example: "/api/booking/ota/location-list?customer-language=en",
  },
  {
    title: "Integration data",
    url: "/api/v1/integration/openapi.json",
    access: "signed",
    example: "/api/v1/integration/reservations?page=0&page_size=10",
  },
  {
    title: "Analytics",
    url: "/api/booking/analysis/openapi.json",
    access: "signed",
    example: "/api/booking/analysis/products-billing?year=2026&report_type=monthly_billing_report",
  },
  { title: "Vehicle booking engine", url: "/api/booking/frontend/openapi.json", access: "open", example: "" },
  { title: "Transfer booking engine", url: "/api/booking-transfer/frontend/openapi.json", access: "open", example: "" },
  { title: "Promotion codes", url: "/api/check-promotion-code/openapi.json", access: "open", example: "" },
  { title: "Customer access and staff sign-in", url: "/api/v1/openapi.json", access: "token", example: "" },
  { title: "Check-in", url: "/api/v1/booking/check-in-openapi.json", access: "token", example: "" },
  { title: "Documents and charges", url: "/api/v1/documents/openapi.json", access: "token", example: "" },
  { title: "Analytics for the staff", url: "/api/v1/analysis/openapi.json", access: "token", example: "" },
  { title: "Operations", url: "/api/v1/operations/openapi.json", access: "token", example: "" },
] as const;

/** The pages about the interfaces of each account. */
export const docsPages = new Hono<AppEnvironment>();

docsPages.get("/docs", (c) => c.redirect("/docs/", 308));
docsPages.get("/docs/interfaces.json", (c) => c.json(describedInterfaces));
docsPages.get("/docs/*", withPolicy(POLICY));
