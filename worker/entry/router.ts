import { routeRequest } from "#worker/router/app.ts";
import type { RouterEnvironment } from "#worker/router/environment.ts";

/** Router in front of several cells. A deployment with one cell doesn't need it (decision 0073). */
export default { fetch: routeRequest } satisfies ExportedHandler<RouterEnvironment>;
