import "./page.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { Role } from "#domain/access/sessions.ts";
import { setAccount } from "../../pwa/office/src/account.ts";
import { isRetryable } from "../../pwa/office/src/desk/load-error.tsx";
import { formatMissingRight } from "../../pwa/office/src/desk/refusals.ts";
import { findPageRefusal, findSettingsPage } from "../../pwa/office/src/settings-menu.ts";
import { loadTexts } from "../../pwa/office/src/texts.ts";

const signInAs = (role: Role) =>
  setAccount({ user: { full_name: "Ana", role } } as unknown as Parameters<typeof setAccount>[0]);

const findMissingRight = (role: Role, name: string, ...path: readonly string[]) => {
  signInAs(role);
  return findPageRefusal(name, path)?.right;
};

beforeAll(() => loadTexts("en"));

describe("pages that a role may not open", () => {
  test("refuses users the form for a new record if they lack its permission, and names the form", () => {
    expect(findMissingRight("agent", "fleet", "new")).toBe("manage");
    expect(findMissingRight("agent", "expenses", "new")).toBe("manage");
    expect(findMissingRight("operator", "customers", "new")).toBe("sell");
    expect(findMissingRight("operator", "reservations", "new")).toBe("sell");
    expect(findMissingRight("agent", "reservations", "new")).toBeUndefined();
    expect(findMissingRight("manager", "fleet", "new")).toBeUndefined();
    signInAs("agent");
    expect(findPageRefusal("fleet", ["new"])?.title).toBe("Add vehicle");
  });

  test("refuses users a settings page or list if they lack its permission, and shows no link to it", () => {
    expect(findMissingRight("manager", "list", "users")).toBe("administer");
    expect(findMissingRight("manager", "list", "gateways", "new")).toBe("administer");
    expect(findMissingRight("agent", "changes")).toBe("manage");
    expect(findMissingRight("agent", "list", "calendars")).toBe("manage");
    expect(findMissingRight("agent", "list", "seasons")).toBeUndefined();
    expect(findMissingRight("administrator", "list", "users")).toBeUndefined();
    signInAs("agent");
    expect([findSettingsPage("calendars"), findSettingsPage("users")]).toEqual([undefined, undefined]);
  });

  test("names the role that has the missing permission", () => {
    expect(formatMissingRight("manage")).toBe("You don't have permission for managers' actions. Ask a manager.");
    expect(formatMissingRight("administer")).toBe(
      "You don't have permission for administration. Ask an administrator.",
    );
  });

  test("offers a retry after failures of the server, and not after refusals", () => {
    expect([500, 503, 409, 429].map(isRetryable)).toEqual([true, true, true, true]);
    expect([400, 403, 404].map(isRetryable)).toEqual([false, false, false]);
  });
});
