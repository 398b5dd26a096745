import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createWebhookKeys, signWebhook, signWebhookV1 } from "#worker/auth/webhook-signature.ts";

const toBytes = (text: string) => Uint8Array.from(new TextEncoder().encode(text));
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (text) => text.charCodeAt(0));

describe("a webhook's signature", () => {
  // Proves "webhooks.md": The published vector of Standard Webhooks
  test("matches the test vector of Standard Webhooks", async () => {
    const signed = 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}';
    expect(await signWebhookV1("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", toBytes(signed))).toBe(
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    );
  });

  // Proves "webhooks.md": The recorded message verifies with its secret and public key
  test("verifies the documentation's recorded webhook message, and refuses a changed one", async () => {
    const page = readFileSync("docs/interfaces/webhooks.md", "utf8").split("### Test a receiver")[1] ?? "";
    const cell = (name: string) => new RegExp(`\\| ${name} \\| \`([^\`]+)\` \\|`).exec(page)?.[1] ?? "";
    const body = /```json\n(.+)\n```/.exec(page)?.[1] ?? "";
    const [v1 = "", v1a = ""] = cell("`webhook-signature`").split(" ");
    const toSigned = (text: string) => toBytes(`${cell("`webhook-id`")}.${cell("`webhook-timestamp`")}.${text}`);
    expect(await signWebhookV1(cell("secret"), toSigned(body))).toBe(v1);
    expect(await signWebhookV1(cell("secret"), toSigned(`${body} `))).not.toBe(v1);
    const raw = fromBase64(cell("public key").slice("whpk_".length));
    const key = await crypto.subtle.importKey("raw", raw, "Ed25519", true, ["verify"]);
    const verify = (text: string) =>
      crypto.subtle.verify("Ed25519", key, fromBase64(v1a.slice("v1a,".length)), toSigned(text));
    expect([await verify(body), await verify(`${body} `)]).toEqual([true, false]);
  });

  // Proves "webhooks.md": `v1` and `v1a` for each pair of keys that is good
  test("signs a webhook with the secret and the private key of each valid key pair", async () => {
    const [first, second] = [await createWebhookKeys(), await createWebhookKeys()];
    const message = { id: "msg_1", timestamp: 1_700_000_000, body: '{"type":"webhook.test"}' };
    const signatures = (await signWebhook([first, second], message)).split(" ");
    expect(signatures.map((signature) => signature.split(",")[0])).toEqual(["v1", "v1a", "v1", "v1a"]);
    const signed = toBytes(`msg_1.1700000000.${message.body}`);
    expect(signatures[2]).toBe(await signWebhookV1(second.secret, signed));
    expect(fromBase64(first.secret.slice("whsec_".length))).toHaveLength(32);
    const publicKey = await crypto.subtle.importKey(
      "raw",
      fromBase64(first.publicKey.slice("whpk_".length)),
      "Ed25519",
      true,
      ["verify"],
    );
    const verify = (text: string) =>
      crypto.subtle.verify("Ed25519", publicKey, fromBase64(text.slice("v1a,".length)), signed);
    expect(await verify(signatures[1] ?? "")).toBe(true);
    expect(await verify(signatures[3] ?? "")).toBe(false);
  });
});
