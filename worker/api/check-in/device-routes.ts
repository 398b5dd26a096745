import { createRoute } from "@hono/zod-openapi";
import { toErrorResponse } from "#worker/api/errors.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { limitBodySize, requireJsonBody } from "#worker/api/request-body.ts";
import { requireSignedToken, setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { declareNoStepUp } from "#worker/api/step-up.ts";
import { readWorkEncryptionKeys } from "#worker/usecases/check-in/device-work-keys.ts";
import { saveDeviceReport } from "#worker/usecases/check-in/save-device-report.ts";
import { answerCheckInRefusal, checkInFailureResponses, checkInSecurity } from "./check-in-api.ts";
import {
  deviceParams,
  deviceReportAnswer,
  deviceReportBody,
  encryptionKeysAnswer,
  encryptionKeysBody,
} from "./operation-messages.ts";

const REPORT = {
  waiting: 2,
  blocked: 0,
  begun: [{ booking_id: 1, kind: "delivery", step: "photos", at: "2026-05-03T10:00:00.000Z" }],
  last_seq: 12,
};

const reportPhoneRoute = createRoute({
  method: "put",
  path: "/v1/booking/check-in-devices/{device_id}/report",
  operationId: "reportPhone",
  ...declareNoStepUp("access", "A device reports its own work"),
  tags: ["Field work"],
  summary: "Report pending work of a device",
  security: checkInSecurity,
  middleware: [requireSignedToken(toErrorResponse), limitBodySize(toErrorResponse), requireJsonBody(toErrorResponse)],
  request: { params: deviceParams, body: jsonRequest(deviceReportBody, "Waiting and unfinished work", REPORT) },
  responses: { 200: jsonContent(deviceReportAnswer, "When the report arrived"), ...checkInFailureResponses.writing() },
});

const workSealsRoute = createRoute({
  method: "post",
  path: "/v1/booking/check-in-seals",
  operationId: "readWorkSeals",
  ...declareNoStepUp("access", "A device reads the keys of its own work"),
  tags: ["Field work"],
  summary: "Retrieve the keys that encrypt pending work",
  security: checkInSecurity,
  middleware: [requireSignedToken(toErrorResponse), limitBodySize(toErrorResponse), requireJsonBody(toErrorResponse)],
  request: { body: jsonRequest(encryptionKeysBody, "The user whose work waits on the device", { seals: [1] }) },
  responses: {
    200: jsonContent(encryptionKeysAnswer, "The keys, 32 bytes each in base64"),
    ...checkInFailureResponses.writing(),
  },
});

/** Registers the routes for devices: their reports and the encryption keys of their pending operations. */
export function registerDeviceRoutes({ routes }: ApiRoutes): void {
  routes.openapi(reportPhoneRoute, async (c) => {
    const deviceId = c.req.valid("param").device_id;
    const { waiting, blocked, begun, last_seq: lastSeq } = c.req.valid("json");
    const work = begun.map(({ booking_id, kind, step, at }) => ({
      ...{ bookingId: booking_id, kind, step, at: Date.parse(at) },
    }));
    const reportResult = await saveDeviceReport(toStaffRequest(c), deviceId, {
      waiting,
      blocked,
      unfinishedOperations: work,
      lastSeq,
    });
    if (!reportResult.ok) return answerCheckInRefusal(c, reportResult.error);
    setFreshTokenHeader(c, reportResult.value.freshToken);
    const { at, lastSeq: last_seq } = reportResult.value.value;
    return c.json({ device_id: deviceId, reported_at: new Date(at).toISOString(), last_seq }, 200);
  });
  routes.openapi(workSealsRoute, async (c) => {
    const read = await readWorkEncryptionKeys(toStaffRequest(c), c.req.valid("json").seals);
    if (!read.ok) return answerCheckInRefusal(c, read.error);
    setFreshTokenHeader(c, read.value.freshToken);
    c.header("Cache-Control", "no-store");
    const { own, keys } = read.value.value;
    return c.json({ own, data: [...keys].map(([seal, key]) => ({ seal, key })) }, 200);
  });
}
