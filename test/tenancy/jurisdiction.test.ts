import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { resolveHostByBindings } from "#worker/tenancy/accounts.ts";
import {
  getBindingAccount,
  getBindingJurisdiction,
  getBindingName,
  listAccountNames,
} from "#worker/tenancy/bindings.ts";

/** Environment with a company in the European Union. Records objects, because the runtime has no jurisdictions. */
function withEuVans() {
  const opened: string[] = [];
  const namespace = (place: string) => ({
    idFromName: (name: string) => name,
    get: (name: string) => {
      opened.push(`${place} ${name}`);
      return { read: async () => undefined, tables: async () => [] };
    },
    jurisdiction: (jurisdiction: string) => namespace(jurisdiction),
  });
  const bucket = (place: string) => ({
    head: async (key: string) => {
      opened.push(`${place} ${key}`);
      return null;
    },
  });
  const bindings = {
    ...env,
    TENANT_ACME: env.TENANT_ACME,
    EU_TENANT_EU_VANS: env.TENANT_GLOBEX,
    SHOPPING_CARTS: namespace("anywhere"),
    SCRATCH_DATABASES: namespace("anywhere"),
    FILES: bucket("files anywhere"),
    BACKUPS: bucket("backups anywhere"),
    FILES_EU: bucket("files eu"),
    BACKUPS_EU: bucket("backups eu"),
  } as unknown as Cloudflare.Env;
  const open = (name: string) => {
    const site = resolveHostByBindings(bindings, `http://${name}.localhost/`, Date.now());
    if (site.kind !== "account") throw new Error(`${name} is not served`);
    return site.tenant;
  };
  return { bindings, opened, open };
}

test("includes account and jurisdiction in a binding's name", () => {
  expect(getBindingName("eu-vans", "eu")).toBe("EU_TENANT_EU_VANS");
  expect([getBindingAccount("EU_TENANT_EU_VANS"), getBindingJurisdiction("EU_TENANT_EU_VANS")]).toEqual([
    "eu-vans",
    "eu",
  ]);
  expect([getBindingAccount("TENANT_EU_VANS"), getBindingJurisdiction("TENANT_EU_VANS")]).toEqual([
    "eu-vans",
    undefined,
  ]);
  expect(getBindingAccount("FR_TENANT_VANS")).toBeUndefined();
});

describe("a company in a jurisdiction", () => {
  test("stores carts, temporary databases, photos and backups of a company in its jurisdiction", async () => {
    const { bindings, opened, open } = withEuVans();
    expect(listAccountNames(bindings)).toContain("eu-vans");
    for (const tenant of [open("eu-vans"), open("acme")]) {
      await tenant.cart("1").read();
      await tenant.transferCart("2").read();
      await tenant.scratch?.tables();
      await tenant.files.has("photo");
      await tenant.copies?.rows.has("day");
    }
    expect(opened).toEqual([
      "eu t/eu-vans/cart/1",
      "eu t/eu-vans/transfer-cart/2",
      "eu t/eu-vans/import",
      "files eu t/eu-vans/photo",
      "backups eu rows/eu-vans/day",
      "anywhere t/acme/cart/1",
      "anywhere t/acme/transfer-cart/2",
      "anywhere t/acme/import",
      "files anywhere t/acme/photo",
      "backups anywhere rows/acme/day",
    ]);
  });
});
