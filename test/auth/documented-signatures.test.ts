import { createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isMessageSignedBy, readSignatureInput } from "#worker/auth/message-signature.ts";
import { encryptSecret } from "#worker/auth/secret-encryption.ts";
import { signPathAndQuery } from "#worker/auth/signature.ts";
import { account, masterKey } from "./account.ts";

const page = readFileSync("docs/interfaces/conventions.md", "utf8");
const SECRET = "acme-agency-secret";

// Proves "security, privacy and operation": Signed calls: the examples are correct
test("calculates the same signatures as the documentation's worked examples", async () => {
  const examples = [...page.matchAll(/^data {7}(\S+)\nsignature {2}(\w+)$/gm)];
  expect(examples.length).toBeGreaterThan(1);
  for (const [, data = "", signature] of examples) expect(await signPathAndQuery(SECRET, data)).toBe(signature);
});

interface Printed {
  readonly first: string;
  readonly headers: Readonly<Record<string, string>>;
}

test.each(["?customer-language=en", ""])(
  "verifies the signatures that the documented Node code creates for a call with the query %j",
  async (query) => {
    const code = /```js\n\/\/ Node: version 1, then version 2\nimport [^\n]+\n([\s\S]+?)```/.exec(page)?.[1] ?? "";
    const signedRequest = {
      key: "acme-agency",
      secret: SECRET,
      path: "/api/booking/ota/location-list",
      query,
      body: "",
    };
    const known = { ...signedRequest, host: "acme.example.com", createHmac, randomUUID };
    const { first, headers } = new Function(...Object.keys(known), `${code}\nreturn { first, headers };`)(
      ...Object.values(known),
    ) as Printed;
    expect(first).toBe(`acme-agency:${await signPathAndQuery(SECRET, signedRequest.path + query)}`);

    const message = {
      method: "GET",
      url: `https://${known.host}${signedRequest.path}${query}`,
      body: new ArrayBuffer(0),
      header: (name: string) =>
        Object.entries(headers).find(([text]) => text.toLowerCase() === name.toLowerCase())?.[1],
    };
    const input = readSignatureInput(message, Date.now());
    if (!input) throw new Error("the signature's input is not readable");
    const partner = {
      apiKey: "acme-agency",
      encryptedSecret: await encryptSecret(masterKey, account.name, SECRET),
      previousEncryptedSecret: undefined,
      previousValidUntil: undefined,
      agency: undefined,
      scopes: { ota: true, integration: false, analytics: false },
      keyOnly: false,
      signatures: "both" as const,
      publicKey: undefined,
      networks: [],
    };
    expect(await isMessageSignedBy(partner, { input, message }, account, Date.now())).toBe(true);
  },
);
