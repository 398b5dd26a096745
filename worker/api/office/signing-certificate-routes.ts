import { createRoute } from "@hono/zod-openapi";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { toStaffRequest } from "#worker/api/signed-in.ts";
import { declareStepUp } from "#worker/api/step-up.ts";
import {
  deleteSigningCertificate,
  readSigningCertificate,
  replaceSigningCertificate,
  type SigningCertificate,
} from "#worker/usecases/printing/signing-certificate.ts";
import { answerOffice } from "./answers.ts";
import {
  idempotencyHeaders,
  officeFailureResponses,
  officeSecurity,
  officeWriteMiddlewares,
  toOfficeWrite,
} from "./office-api.ts";
import * as messages from "./signing-certificate-messages.ts";

const TAGS = ["Settings"];
const answered = jsonContent(messages.certificateAnswer, "The certificate without its key. null: none");

const readRoute = createRoute({
  method: "get",
  path: "/signing-certificate",
  operationId: "showSigningCertificate",
  tags: TAGS,
  summary: "Retrieve the certificate that signs Facturae",
  security: officeSecurity,
  responses: { 200: answered, ...officeFailureResponses.reading() },
});

const replaceRoute = createRoute({
  method: "put",
  path: "/signing-certificate",
  operationId: "replaceSigningCertificate",
  ...declareStepUp("access"),
  tags: TAGS,
  summary: "Upload the certificate that signs Facturae",
  security: officeSecurity,
  middleware: officeWriteMiddlewares,
  request: {
    headers: idempotencyHeaders,
    body: jsonRequest(messages.certificateBody, "The file and its password", { content: "MIIK", password: "secret" }),
  },
  responses: { 200: answered, ...officeFailureResponses.writing(422) },
});

const deleteRoute = createRoute({
  method: "delete",
  path: "/signing-certificate",
  operationId: "deleteSigningCertificate",
  ...declareStepUp("access"),
  tags: TAGS,
  summary: "Delete the certificate that signs Facturae",
  security: officeSecurity,
  request: { headers: idempotencyHeaders },
  responses: { 200: answered, ...officeFailureResponses.writing(422) },
});

const toMessage = (certificate: SigningCertificate | undefined): messages.SigningCertificateMessage => ({
  certificate: certificate
    ? {
        holder: [...certificate.holder],
        issuer: certificate.issuer,
        tax_ids: [...certificate.taxIds],
        not_before: new Date(certificate.notBefore).toISOString(),
        not_after: new Date(certificate.notAfter).toISOString(),
      }
    : null,
});

/** Registers the certificate that signs electronic invoices. */
export function registerSigningCertificateRoutes({ routes }: ApiRoutes): void {
  routes.openapi(readRoute, async (c) =>
    answerOffice(c, await readSigningCertificate(toStaffRequest(c)), toMessage, 200),
  );
  routes.openapi(replaceRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const { content, password } = c.req.valid("json");
    return answerOffice(c, await replaceSigningCertificate(write, { content, password }), toMessage, 200);
  });
  routes.openapi(deleteRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answerOffice(c, await deleteSigningCertificate(write), toMessage, 200);
  });
}
