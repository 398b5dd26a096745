import { setAuthoritySimulator } from "#worker/tenancy/authorities.ts";
import { customerAccessRoutes } from "./api/customer-access/routes.ts";
import { officeRoutes } from "./api/office/routes.ts";
import { createApp } from "./app.ts";
import { simulateAuthority } from "./development/stand-in-authorities.ts";

/** Every interface there is, the office's too. */
export const app = createApp({ office: officeRoutes, access: customerAccessRoutes });

if (DEVELOPMENT_BUILD) setAuthoritySimulator(simulateAuthority);
