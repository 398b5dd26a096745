import { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { failures } from "#worker/api/failure.ts";
import { createRevalidationMiddleware } from "#worker/api/revalidated.ts";
import { readUsageCalendar } from "#worker/usecases/bookings/read-usage-calendar.ts";

/** Calendar feeds. The link alone grants access (docs/interfaces/calendars.md). */
export const calendarFeedRoutes = new Hono<AppEnvironment>();

calendarFeedRoutes.get(
  "/calendars/:file{\\d{1,15}-[0-9a-f]{64}\\.ics}",
  createRevalidationMiddleware({ isPublic: false }),
  async (c) => {
    const [id = "", signature = ""] = c.req
      .param("file")
      .replace(/\.ics$/, "")
      .split("-");
    const text = await readUsageCalendar(c.get("tenant"), { id: Number(id), signature }, c.get("now"));
    if (text === undefined) return toErrorResponse(c, failures.unknownPath);
    return c.body(text, 200, {
      "Content-Type": "text/calendar; charset=utf-8",
      "Content-Disposition": 'inline; filename="calendar.ics"',
      "X-Robots-Tag": "noindex",
    });
  },
);
