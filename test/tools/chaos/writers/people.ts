import { type AccountName, unexpected } from "#tools/platform/client.ts";
import { signInAsStaff } from "#tools/platform/credentials.ts";
import type { Writer, WriterContext } from "./context.ts";
import { OFFICE, writeKeyed } from "./keyed.ts";

/** Somebody of the office who keeps its customers: two are entered, said more of, made one, and one is forgotten. */
export function peopleWriter(account: AccountName): Writer {
  return async (context) => {
    const [kept, gone] = [await enter(context, account), await enter(context, account)];
    if (!kept || !gone) return;
    const path = `/customers/${kept.id}`;
    const of = { account, kind: "customers", id: kept.id } as const;
    const zip = { expected_version: kept.version, address_zip: String(context.random.between(10_000, 99_999)) };
    const changed = await writeKeyed(context, { ...of, method: "PATCH", path, body: zip });
    const said = { expected_version: changed?.version ?? kept.version, consents: true, door: "desk" };
    await writeKeyed(context, { ...of, method: "POST", path: `${path}/consent`, body: said });
    const merge = { into: Number(kept.id), reason: "chaos" };
    await writeKeyed(context, { ...of, method: "POST", path: `/customers/${gone.id}/merge`, body: merge });
    if (context.random.chance(0.5))
      await writeKeyed(context, { ...of, method: "POST", path: `${path}/erase`, body: { reason: "chaos" } });
  };
}

function enter(context: WriterContext, account: AccountName) {
  const body = { name: "Pau", surname: `of ${account}`, document_id: `CHAOS${context.random.hex(8).toUpperCase()}` };
  return writeKeyed(context, { account, method: "POST", path: "/customers", body, kind: "customers" });
}

/** An administrator ends a session that was just opened: whoever has it is out, whatever was killed meanwhile. */
export function sessionsWriter(account: AccountName): Writer {
  return async (context) => {
    const token = await signInAsStaff(context.client, account);
    context.history.logins += 1;
    const id = sessionOf(token);
    const path = `/sessions/${id}/end`;
    await writeKeyed(context, { account, method: "POST", path, body: { forget: false }, kind: "sessions", id });
    const call = { account, method: "GET", path: `${OFFICE}/seasons`, headers: { Authorization: token } };
    const refused = await context.client.sendUntilAnswered(call);
    if (refused.status !== 401) throw unexpected(call, refused);
  };
}

/** A token names its session. */
export function sessionOf(token: string): string {
  const [, claims = ""] = token.replace("Bearer ", "").split(".");
  return (JSON.parse(Buffer.from(claims, "base64url").toString()) as { readonly jti: string }).jti;
}
