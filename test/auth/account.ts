import { Buffer } from "node:buffer";
import type { AccountSecrets } from "#worker/auth/account-keys.ts";

export const masterKey = Buffer.alloc(32, "first master key").toString("base64");
export const otherMasterKey = Buffer.alloc(32, "other master key").toString("base64");

export const account: AccountSecrets = { name: "acme", masterKey };
