import { Hono } from "hono";
import { expect, test } from "vitest";
import { createAnswerHeaders } from "#worker/api/answer-headers.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";

/** Answers, writes two headers to what was answered, and says whether it is the same answer still. */
async function written(answer: () => Response) {
  let isSame = false;
  const app = new Hono<AppEnvironment>();
  app.use(async (c, next) => {
    await next();
    const before = c.res;
    createAnswerHeaders(c).set("X-One", "1");
    createAnswerHeaders(c).set("X-Two", "2");
    isSame = c.res === before;
  });
  app.get("/", answer);
  return { answered: await app.request("/"), isSame: () => isSame };
}

test("headers are written to the answer that is there: none is made anew for them", async () => {
  const { answered, isSame } = await written(() => Response.json({ data: [] }));
  expect(isSame()).toBe(true);
  expect([answered.headers.get("X-One"), answered.headers.get("X-Two")]).toEqual(["1", "2"]);
  expect(await answered.json()).toEqual({ data: [] });
});

test("an answer from elsewhere, whose headers cannot be written to, is made anew with what it had", async () => {
  const { answered, isSame } = await written(() => Response.redirect("https://example.com/", 302));
  expect(isSame()).toBe(false);
  expect([answered.status, answered.headers.get("Location")]).toEqual([302, "https://example.com/"]);
  expect([answered.headers.get("X-One"), answered.headers.get("X-Two")]).toEqual(["1", "2"]);
});
