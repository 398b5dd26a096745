import { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** The staff's page of a year's billing, occupation and expenses. */
export const analyticsPages = new Hono<AppEnvironment>();

analyticsPages.get("/analytics", (c) => c.redirect("/analytics/", 308));
analyticsPages.get("/analytics/*", async (c) => {
  const file = await c.env.ASSETS.fetch(c.req.raw);
  const answer = new Response(file.body, file);
  answer.headers.set("Content-Security-Policy", POLICY);
  answer.headers.set("Referrer-Policy", "same-origin");
  return answer;
});
