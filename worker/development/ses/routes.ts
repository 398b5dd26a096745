import { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { readSimulatedMinistryData, saveSimulatedSesFault, simulateSesResponse } from "./ministry-simulator.ts";

/** Simulator of the ministry for development, at `/dev/ses`. Never deployed. */
export const sesSimulatorRoutes = new Hono<AppEnvironment>();

sesSimulatorRoutes.post("/comunicacion", (c) => simulateSesResponse(c.env.FILES, c.req.raw));

// {"times": 2}: the next two requests get no response.
sesSimulatorRoutes.post("/faults", async (c) => {
  const requestBody: unknown = await c.req.json().catch(() => undefined);
  const times: unknown = Object(requestBody).times;
  if (typeof times !== "number" || !Number.isInteger(times) || times < 0)
    return c.json({ error: "times: how often it answers nothing" }, 400);
  await saveSimulatedSesFault(c.env.FILES, times);
  return c.json({ times });
});

sesSimulatorRoutes.get("/:lessor", async (c) =>
  c.json(await readSimulatedMinistryData(c.env.FILES, c.req.param("lessor"))),
);
