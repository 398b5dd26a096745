import { Hono } from "hono";
import { websites } from "../cors.ts";
import type { AppEnvironment } from "../environment.ts";
import { toErrorResponse } from "../errors.ts";
import { failures, invalidInput, methodNotAllowed } from "../failure.ts";
import { bodyCap } from "../request-body.ts";
import { promotionCheck } from "./catalogue-messages.ts";

/** Whether a promotion code holds for a period: `true` or `false`, as a form validator asks (client contract, 2.11). */
export const promotionCodeRoutes = new Hono<AppEnvironment>();

promotionCodeRoutes.use(websites);
promotionCodeRoutes.post("/", bodyCap(toErrorResponse), async (c) => {
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
  const { code, from } = parsed.data;
  const { catalogue } = await c.var.tenant.snapshot();
  const promotion = catalogue.promotionCodes.get(code.toUpperCase());
  const isWithin = promotion && (promotion.rentalFrom ?? from) <= from && from <= (promotion.rentalTo ?? from);
  return c.json(Boolean(isWithin), 200);
});
promotionCodeRoutes.all("/", (c) => toErrorResponse(c, methodNotAllowed(["POST"])));
