import { expect, it } from "vitest";
import { DEMO_MASTER_KEY, openCopiedDemo } from "#support/demo-data.ts";
import { decryptSecret } from "#worker/auth/secret-encryption.ts";
import { gateways } from "#worker/gateways/gateways.ts";
import { parseMerchantSettings } from "#worker/gateways/protocol.ts";

interface Row {
  readonly method: keyof typeof gateways;
  readonly environment: string;
  readonly merchant: string;
  readonly sealed: string | null;
}

it.each([
  ["acme", ["tpvA256", "tpvB", "tpvC", "wallet_standard"]],
  ["globex", ["tpvC", "wallet_standard"]],
] as const)("lets %s pay through the simulator by every method that it offers", async (account, methods) => {
  const { rows } = await openCopiedDemo(account);
  const invalidRows = rows<Row & object>(
    "SELECT method, environment, merchant, secret_sealed AS sealed FROM payment_gateways ORDER BY method",
  );
  expect(invalidRows.map(({ method }) => method)).toEqual(methods);
  for (const { method, environment, merchant, sealed } of invalidRows) {
    expect(environment).toBe("stand_in");
    const { protocol } = gateways[method];
    expect(parseMerchantSettings(protocol, JSON.parse(merchant))).toBeDefined();
    expect(
      sealed !== null && (await decryptSecret({ name: account, masterKey: DEMO_MASTER_KEY }, sealed)).length > 0,
    ).toBe(protocol.hasSecret);
  }
});
