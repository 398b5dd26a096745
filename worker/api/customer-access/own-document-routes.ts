import { createRoute, type RouteConfig } from "@hono/zod-openapi";
import type { Context } from "hono";
import { z } from "zod";
import type { Result } from "#domain/result.ts";
import { limitRequestsByVisitor } from "#worker/api/client-address.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { describeFailuresAsPages, jsonContent } from "#worker/api/openapi.ts";
import { answerPdf, pdfResponse, registerPdfRoute } from "#worker/api/pdf-responses.ts";
import { limitPrintoutsByLink } from "#worker/api/rate-limit.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { createReservationIcal, listCustomerDownloads } from "#worker/usecases/operations/own-reservation.ts";
import { printContract } from "#worker/usecases/printing/print-contract.ts";
import { printDocument } from "#worker/usecases/printing/print-document.ts";
import { printChargeReceipt } from "#worker/usecases/printing/print-receipt.ts";
import type { PrintedFile, PrintoutReader, PrintRefusal } from "#worker/usecases/printing/read-printable.ts";
import { publicFailureResponses } from "./access-api.ts";
import { toAccessErrorResponse } from "./errors.ts";
import { accessFailureAnswer } from "./messages.ts";
import { ownBookingParams, ownDownloadsAnswer, toBookingDownloadMessage } from "./own-booking-messages.ts";

const TAGS = ["Customers"];
const ROOT = "/web-customer/reservations/{free_access_id}";
const params = ownBookingParams.extend({ id: z.int().min(1).meta({ example: 1 }) });
const failurePages = describeFailuresAsPages(accessFailureAnswer, 400, 404, 429, 500, 503);
const answered = { 200: pdfResponse, ...failurePages };

const documentRoute: RouteConfig = {
  method: "get",
  path: `${ROOT}/documents/{id}.pdf`,
  operationId: "printOwnDocument",
  tags: TAGS,
  summary: "Download an invoice of an own booking",
  security: [],
  request: { params },
  responses: answered,
};

const receiptRoute: RouteConfig = {
  method: "get",
  path: `${ROOT}/charges/{id}.pdf`,
  operationId: "printOwnReceipt",
  tags: TAGS,
  summary: "Download a payment receipt of an own booking",
  security: [],
  request: { params },
  responses: answered,
};

const contractRoute = createRoute({
  method: "get",
  path: `${ROOT}/contract.pdf`,
  operationId: "printOwnContract",
  tags: TAGS,
  summary: "Download the contract of an own booking",
  security: [],
  request: { params: ownBookingParams },
  responses: answered,
});

const downloadsRoute = createRoute({
  method: "get",
  path: `${ROOT}/downloads`,
  operationId: "listOwnDownloads",
  tags: TAGS,
  summary: "List the downloads of an own booking",
  security: [],
  request: { params: ownBookingParams },
  responses: {
    200: jsonContent(ownDownloadsAnswer, "Contract, invoices, credit notes and calendar"),
    ...publicFailureResponses.reading(404, 429),
  },
});

const calendarRoute = createRoute({
  method: "get",
  path: `${ROOT}/calendar.ics`,
  operationId: "readOwnCalendar",
  tags: TAGS,
  summary: "Download the calendar file of an own booking",
  security: [],
  request: { params: ownBookingParams },
  responses: {
    200: { description: "iCalendar", content: { "text/calendar": { schema: z.string() } } },
    ...failurePages,
  },
});

/**
 * Registers the routes of a booking's downloads for its customer: documents, contract and calendar. The unguessable id
 * is the permission.
 */
export function registerOwnDocumentRoutes(access: ApiRoutes): void {
  for (const path of ["documents/*", "charges/*", "contract.pdf"])
    access.routes.use(
      `/web-customer/reservations/:free_access_id/${path}`,
      limitRequestsByVisitor("own_booking", toAccessErrorResponse),
      limitPrintoutsByLink(toAccessErrorResponse),
    );
  for (const lists of ["downloads", "calendar.ics"])
    access.routes.use(
      `/web-customer/reservations/:free_access_id/${lists}`,
      limitRequestsByVisitor("own_booking", toAccessErrorResponse),
    );
  access.routes.openapi(downloadsRoute, async (c) => {
    const downloads = await listCustomerDownloads(c.get("tenant"), c.req.valid("param").free_access_id);
    return downloads
      ? c.json({ data: downloads.map(toBookingDownloadMessage), total: downloads.length }, 200)
      : notFound(c);
  });
  access.routes.openapi(calendarRoute, async (c) => {
    const file = await createReservationIcal(c.get("tenant"), c.req.valid("param").free_access_id, c.get("now"));
    if (!file) return notFound(c);
    return c.body(file.text, 200, {
      "Content-Type": "text/calendar; charset=utf-8",
      "Content-Disposition": `attachment; filename="${file.name}"`,
      "X-Robots-Tag": "noindex",
    });
  });
  registerPdfRoute(access, documentRoute, async (c, id) => answer(c, await printDocument(getReader(c), id)));
  registerPdfRoute(access, receiptRoute, async (c, id) => answer(c, await printChargeReceipt(getReader(c), id)));
  access.routes.openapi(contractRoute, async (c) => {
    const { free_access_id: freeAccessId } = c.req.valid("param");
    return answer(c, await printContract(getReader(c), { freeAccessId }));
  });
}

function getReader(c: Context<AppEnvironment>): PrintoutReader {
  return { kind: "link", tenant: c.get("tenant"), freeAccessId: c.req.param("free_access_id") ?? "" };
}

// Returns the PDF. Returns 404 for any error, because the caller is anonymous.
function answer(c: Context<AppEnvironment>, printed: Result<StaffAnswer<PrintedFile>, PrintRefusal>) {
  if (printed.ok) return answerPdf(c, printed.value.value);
  return notFound(c);
}

function notFound(c: Context<AppEnvironment>) {
  return toAccessErrorResponse(c, { status: 404, code: "document_not_found", message: "There is no such document" });
}
