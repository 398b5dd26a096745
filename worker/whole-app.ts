import { setAuthoritySimulator } from "#worker/tenancy/authorities.ts";
import { customerAccessRoutes } from "./api/customer-access/routes.ts";
import { officeRoutes } from "./api/office/routes.ts";
import { createApp } from "./app.ts";
import { simulateAuthority } from "./development/stand-in-authorities.ts";

/** App with every interface, including the office's. */
export const app = createApp({ office: officeRoutes, access: customerAccessRoutes });

if (DEVELOPMENT_BUILD) setAuthoritySimulator(simulateAuthority);
