import { createRoute } from "@hono/zod-openapi";
import { toErrorResponse } from "#worker/api/errors.ts";
import type { Interface } from "#worker/api/interface.ts";
import { json, jsonRequest } from "#worker/api/openapi.ts";
import { bodyCap, jsonBody } from "#worker/api/request-body.ts";
import { reportPhone } from "#worker/usecases/check-in/report-phone.ts";
import { deviceParams, phoneReport, reportAnswer } from "./operation-messages.ts";
import { fails, handBackToken, refused, security, staffRequest } from "./room.ts";

const REPORT = {
  waiting: 2,
  blocked: 0,
  begun: [{ booking_id: 1, kind: "delivery", step: "photos", at: "2026-05-03T10:00:00.000Z" }],
};

const reportPhoneRoute = createRoute({
  method: "put",
  path: "/v1/booking/check-in-devices/{device_id}/report",
  operationId: "reportPhone",
  tags: ["Field work"],
  summary: "What a phone says of the work on it: where it is not heard of again, the office knows what it was doing",
  security,
  middleware: [bodyCap(toErrorResponse), jsonBody(toErrorResponse)],
  request: { params: deviceParams, body: jsonRequest(phoneReport, "What waits and what was begun", REPORT) },
  responses: { 200: json(reportAnswer, "When it was heard"), ...fails.writing() },
});

/** Registers what phones say of themselves. */
export function registerPhoneRoutes({ routes }: Interface): void {
  routes.openapi(reportPhoneRoute, async (c) => {
    const deviceId = c.req.valid("param").device_id;
    const { waiting, blocked, begun } = c.req.valid("json");
    const work = begun.map(({ booking_id, kind, step, at }) => ({
      ...{ bookingId: booking_id, kind, step, at: Date.parse(at) },
    }));
    const heard = await reportPhone(staffRequest(c), deviceId, { waiting, blocked, begun: work });
    if (!heard.ok) return refused(c, heard.error);
    handBackToken(c, heard.value.freshToken);
    return c.json({ device_id: deviceId, reported_at: new Date(heard.value.value).toISOString() }, 200);
  });
}
