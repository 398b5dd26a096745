import { officeRoutes } from "./api/office/routes.ts";
import { createApp } from "./app.ts";

/** Every interface there is, the office's too. */
export const app = createApp(officeRoutes);
