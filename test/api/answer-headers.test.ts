import { Hono } from "hono";
import { expect, test } from "vitest";
import { getWritableResponseHeaders } from "#worker/api/answer-headers.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";

/** Adds two headers to a response and checks whether it's still the same object. */
async function addTestHeaders(answer: () => Response) {
  let isSame = false;
  const app = new Hono<AppEnvironment>();
  app.use(async (c, next) => {
    await next();
    const before = c.res;
    getWritableResponseHeaders(c).set("X-One", "1");
    getWritableResponseHeaders(c).set("X-Two", "2");
    isSame = c.res === before;
  });
  app.get("/", answer);
  return { answered: await app.request("/"), isSame: () => isSame };
}

test("adds headers to the existing response without copying it", async () => {
  const { answered, isSame } = await addTestHeaders(() => Response.json({ data: [] }));
  expect(isSame()).toBe(true);
  expect([answered.headers.get("X-One"), answered.headers.get("X-Two")]).toEqual(["1", "2"]);
  expect(await answered.json()).toEqual({ data: [] });
});

test("copies a response with immutable headers and keeps its content", async () => {
  const { answered, isSame } = await addTestHeaders(() => Response.redirect("https://example.com/", 302));
  expect(isSame()).toBe(false);
  expect([answered.status, answered.headers.get("Location")]).toEqual([302, "https://example.com/"]);
  expect([answered.headers.get("X-One"), answered.headers.get("X-Two")]).toEqual(["1", "2"]);
});
