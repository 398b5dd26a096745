import { type AccountName, createUnexpectedAnswerError } from "#tools/platform/client.ts";
import { signInAsStaff } from "#tools/platform/credentials.ts";
import type { ChaosWriter, WriterContext } from "./context.ts";
import { OFFICE_PATH, writeOfficeResource } from "./office-requests.ts";

/** Creates an office user who creates two customers, changes, merges and erases them. */
export function createCustomerWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const [item, toldThing] = [await enter(context, account), await enter(context, account)];
    if (!item || !toldThing) return;
    const path = `/customers/${item.id}`;
    const customerTarget = { account, kind: "customers", id: item.id } as const;
    const zip = { expected_version: item.version, address_zip: String(context.random.between(10_000, 99_999)) };
    const changed = await writeOfficeResource(context, { ...customerTarget, method: "PATCH", path, body: zip });
    const customerChange = { expected_version: changed?.version ?? item.version, consents: true, door: "desk" };
    await writeOfficeResource(context, {
      ...customerTarget,
      method: "POST",
      path: `${path}/consent`,
      body: customerChange,
    });
    const merge = { into: Number(item.id), reason: "chaos" };
    await writeOfficeResource(context, {
      ...customerTarget,
      method: "POST",
      path: `/customers/${toldThing.id}/merge`,
      body: merge,
    });
    if (context.random.chance(0.5))
      await writeOfficeResource(context, {
        ...customerTarget,
        method: "POST",
        path: `${path}/erase`,
        body: { reason: "chaos" },
      });
  };
}

function enter(context: WriterContext, account: AccountName) {
  const body = { name: "Pau", surname: `of ${account}`, document_id: `CHAOS${context.random.hex(8).toUpperCase()}` };
  return writeOfficeResource(context, { account, method: "POST", path: "/customers", body, kind: "customers" });
}

/** Creates an administrator who ends a new session, which must stay ended after any kill. */
export function createSessionsWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const token = await signInAsStaff(context.client, account);
    context.history.logins += 1;
    const id = readSessionId(token);
    const path = `/sessions/${id}/end`;
    await writeOfficeResource(context, {
      account,
      method: "POST",
      path,
      body: { forget: false },
      kind: "sessions",
      id,
    });
    const call = { account, method: "GET", path: `${OFFICE_PATH}/seasons`, headers: { Authorization: token } };
    const refused = await context.client.sendUntilAnswered(call);
    if (refused.status !== 401) throw createUnexpectedAnswerError(call, refused);
  };
}

/** Returns the session id in a token. */
export function readSessionId(token: string): string {
  const [, claims = ""] = token.replace("Bearer ", "").split(".");
  return (JSON.parse(Buffer.from(claims, "base64url").toString()) as { readonly jti: string }).jti;
}
