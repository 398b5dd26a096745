import { Hono } from "hono";

// Drawn, so that the demo companies need no image files.
const SEDAN =
  "M12 62h10a13 13 0 0 1 26 0h44a13 13 0 0 1 26 0h12c3 0 4-2 4-5 0-10-8-15-20-17l-18-3-19-17H42L24 38l-9 4c-5 2-6 8-6 15 0 3 1 5 3 5z";
const CABRIO =
  "M10 62h12a13 13 0 0 1 26 0h44a13 13 0 0 1 26 0h12c3 0 4-2 4-5 0-9-8-13-20-15l-22-2-12-14-4 2 8 12H28l-14 3c-5 2-6 7-6 14 0 3 0 5 2 5z";
const VAN =
  "M8 62h12a13 13 0 0 1 26 0h50a13 13 0 0 1 26 0h10c3 0 4-2 4-5V46c0-4-3-7-8-8l-18-4-14-20H16c-5 0-8 3-8 8v36c0 3-2 4 0 4z";
const PARCEL = "M72 16l34 14v36L72 80 38 66V30zM38 30l34 14 34-14-3-1-31 13-31-13zM71 44h2v35h-2z";
const SHAPES: Readonly<Record<string, string>> = { sedan: SEDAN, cabrio: CABRIO, van: VAN, extra: PARCEL };
const WIDTHS: Readonly<Record<string, number>> = { medium: 360, full: 1080 };

/** Pictures of the demo companies' categories and extras, in development: `/demo-photos/van-3b82c4-medium.svg`. */
export const demoPhotoRoutes = new Hono();

demoPhotoRoutes.get("/:name{(sedan|cabrio|van|extra)-[0-9a-f]{6}-(medium|full)\\.svg}", (c) => {
  const [shape = "", color = "", size = ""] = c.req.param("name").replace(".svg", "").split("-");
  return c.body(drawing(shape, color, WIDTHS[size] ?? 360), 200, {
    "Content-Type": "image/svg+xml",
    "Content-Security-Policy": "default-src 'none'; style-src 'none'",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Cache-Control": "public, max-age=86400",
  });
});

function drawing(shape: string, color: string, width: number): string {
  const wheels = (shape === "extra" ? [] : [35, 105]).map(
    (x) => `<circle cx="${x}" cy="62" r="10" fill="#333"/><circle cx="${x}" cy="62" r="4" fill="#ddd"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 144 96" width="${width}" height="${(width * 2) / 3}"><rect width="144" height="96" fill="#f1f4f7"/><path d="${SHAPES[shape] ?? SEDAN}" fill="#${color}" fill-rule="evenodd"/>${wheels.join("")}</svg>`;
}
