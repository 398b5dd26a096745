import { createRoute, type Hook, OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { limitedByAddress } from "#worker/api/address.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { failures, invalidInput, methodNotAllowed } from "#worker/api/failure.ts";
import { bodyCap } from "#worker/api/request-body.ts";
import { preparePayment } from "#worker/usecases/payments/prepare-payment.ts";
import { newFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import { toPaymentFailure } from "./errors.ts";
import { gatewayPage, notFoundPage } from "./pages.ts";
import { paymentForm } from "./payment-messages.ts";
import { failureBody } from "./responses.ts";
import { addReturnRoutes } from "./return-routes.ts";

const onInvalid: Hook<unknown, AppEnvironment, string, Response | undefined> = (result, c) =>
  result.success
    ? undefined
    : toErrorResponse(
        c,
        invalidInput(result.error.issues.map(({ path, message }) => ({ field: path.join("."), message }))),
      );

/** The pages and notifications of online payments, outside the interfaces: browsers and gateways come here. */
export const paymentRoutes = new OpenAPIHono<AppEnvironment>({ defaultHook: onInvalid });

const formBody = createMiddleware<AppEnvironment>(async (c, next) => {
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i.test(c.req.header("Content-Type") ?? "")) {
    return toErrorResponse(c, failures.notForm);
  }
  const form = await c.req.formData().catch(() => undefined);
  if (!form) return toErrorResponse(c, failures.unreadable);
  const names = [...form.keys()];
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  return repeated
    ? toErrorResponse(c, invalidInput([{ field: repeated, message: "is given more than once" }]))
    : next();
});

async function pay(c: Context<AppEnvironment>, form: z.output<typeof paymentForm>) {
  const request = {
    freeAccessId: form.id,
    part: form.payment,
    method: form.payment_method_id ?? form.payment_method ?? "",
    summaryUrl: form.summary_url,
  };
  const prepared = await preparePayment(c.var.tenant, request, { now: c.var.now, intentId: newFreeAccessId() });
  if (prepared.ok) return gatewayPage(prepared.value);
  // A visitor's browser came by itself, not a script of the website: there is nobody to read JSON.
  const isBrowser = c.req.header("Accept")?.includes("text/html");
  if (isBrowser) return notFoundPage("notPayable", c.req.header("Accept-Language"));
  return toErrorResponse(c, toPaymentFailure(prepared.error));
}

// Document 2 names a path for rentals and one for transfers; existing websites know others. Each pays what its id names.
for (const path of ["/reserva/pagar", "/book/pay", "/transfer/pagar", "/reserva-transfer/pagar"]) {
  paymentRoutes.openapi(
    createRoute({
      method: "post",
      path,
      summary: "Takes a visitor to the gateway that the account pays with",
      middleware: [limitedByAddress("payment", toErrorResponse), bodyCap(toErrorResponse), formBody],
      request: { body: { content: { "application/x-www-form-urlencoded": { schema: paymentForm } }, required: true } },
      responses: {
        200: {
          description: "A page whose form leads to the gateway",
          content: { "text/html": { schema: z.string() } },
        },
        400: failureBody("A field is missing or wrong"),
        404: failureBody("No such booking, nothing to pay, or a method that is not offered online"),
        415: failureBody("Not a form"),
        429: failureBody("Too many attempts from one address"),
      },
    }),
    async (c) => pay(c, c.req.valid("form")),
  );
  paymentRoutes.all(path, (c) => toErrorResponse(c, methodNotAllowed(["POST"])));
}

addReturnRoutes(paymentRoutes);

/** The OpenAPI document of the payment paths. */
export function describePayments(): object {
  return paymentRoutes.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Online payments",
      version: "1",
      description: "Generated from the routes; the documents of the interface are the contract.",
    },
    servers: [{ url: "/" }],
  });
}
