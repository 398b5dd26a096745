import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Office } from "./office-page.ts";

export const PASSWORD = "Lilac-bicycle-42!";

/** Creates a separate user, so that other sign-ins don't need a second factor. */
export async function createStaffUser(
  office: Office,
  username: string,
  full_name: string,
  role: string,
): Promise<number> {
  const body = { username, email: username, full_name, role, all_branches: true, password: PASSWORD, language: "de" };
  const createdUser = await office.ask("POST", "/api/v1/office/users", { token: await office.token(), body });
  expect(createdUser).toMatchObject({ status: 201 });
  return (createdUser.body as { readonly user: { readonly id: number } }).user.id;
}

/** Adds a virtual authenticator to the browser. */
export async function addPasskeyAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
