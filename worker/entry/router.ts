import { router } from "#worker/router/app.ts";

/** Router in front of several cells. A deployment with one cell doesn't need it (docs/decisions/0073-cells.md). */
export default { fetch: router.fetch };
