import type { Hono } from "hono";
import { renderSetPasswordPage } from "#worker/api/customer-access/change-password-page.ts";
import { customerAccessRoutes } from "#worker/api/customer-access/routes.ts";
import { renderVerifyEmailPage } from "#worker/api/customer-access/verify-email-page.ts";
import { documentRoutes } from "#worker/api/documents/routes.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { officeRoutes } from "#worker/api/office/routes.ts";
import { paymentRoutes } from "#worker/api/payments/routes.ts";
import { quotePageRoutes } from "#worker/api/quotes/routes.ts";
import { SET_PASSWORD_PATH } from "#worker/usecases/access/recover-password.ts";
import { VERIFY_EMAIL_PATH } from "#worker/usecases/access/verify-email.ts";

/**
 * Registers the routes that only the office Worker serves: the office, documents at the desk, sign-in, customers'
 * accounts, quotes and payments. Must be called last, because customer access answers all other paths of `/api/v1`.
 */
export function registerOfficeRoutes(app: Hono<AppEnvironment>): void {
  app.route("/api/v1/office", officeRoutes);
  app.route("/api", documentRoutes);
  app.route("/api/v1", customerAccessRoutes);
  app.get(SET_PASSWORD_PATH, renderSetPasswordPage);
  app.get(VERIFY_EMAIL_PATH, renderVerifyEmailPage);
  app.route("/", quotePageRoutes);
  app.route("/", paymentRoutes);
}
