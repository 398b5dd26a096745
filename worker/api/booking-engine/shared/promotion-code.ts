import { type Context, Hono } from "hono";
import { allowWebsites } from "#worker/api/cors.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { failures, invalidInput, methodNotAllowed } from "#worker/api/failure.ts";
import { bodyCap } from "#worker/api/request-body.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { isPromotion, promotionCheck } from "./promotion-messages.ts";

/**
 * Whether a promotion code holds for a period: `true` or `false`, as a form validator asks
 * (docs/interfaces/booking-engine-vehicles.md#changes).
 */
export function newPromotionCodeRoutes(): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  routes.use(allowWebsites);
  routes.post("/", bodyCap(toErrorResponse), checkPromotionCode);
  routes.all("/", (c) => toErrorResponse(c, methodNotAllowed(["POST"])));
  return routes;
}

async function checkPromotionCode(c: Context<AppEnvironment>) {
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(c.req.header("Content-Type") ?? "")) {
    return toErrorResponse(c, failures.notForm);
  }
  const parsed = promotionCheck.safeParse(await c.req.parseBody());
  if (!parsed.success) {
    return toErrorResponse(
      c,
      invalidInput(parsed.error.issues.map((issue) => ({ field: issue.path.join("."), message: issue.message }))),
    );
  }
  const { catalogue } = await c.var.tenant.snapshot();
  return c.json(isPromotion(catalogue, parsed.data, civilNow(catalogue.settings.timezone, c.var.now)), 200);
}
