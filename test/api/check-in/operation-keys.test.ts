import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { callAsStaff, readFirstRow } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { countSecretsByKey } from "#worker/usecases/operations/reencrypt-secrets.ts";

interface Seals {
  readonly own: number;
  readonly data: readonly { readonly seal: number; readonly key: string }[];
}

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
});

const readUserId = async (username: string) =>
  Number((await readFirstRow("SELECT id FROM users WHERE username = ?", username))?.["id"]);

async function ask(token: string, seals: readonly unknown[] = []): Promise<Seals> {
  const answer = await callAsStaff("POST", "/v1/booking/check-in-seals", token, { seals });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  return answer.json();
}

const sortSealIds = ({ data }: Seals) => data.map(({ seal }) => seal).toSorted((a, b) => a - b);

describe("encryption keys of operations stored on a device", () => {
  // Proves "check-in.md: day, vehicles and extras": POST /api/v1/booking/check-in-seals: the same key at every sign-in,
  //   under another name too
  test("returns the same encryption key to its user at every sign-in, on two devices and under a new user name", async () => {
    const [seals, other] = await Promise.all([ask(await createToken("desk")), ask(await createToken("desk"))]);
    expect(seals).toEqual(other);
    expect(seals).toMatchObject({ own: await readUserId("desk"), data: [{ seal: seals.own }] });
    expect(atob(seals.data[0]?.key ?? "")).toHaveLength(32);
    await env.TENANT_ACME.prepare("UPDATE users SET username = 'renamed' WHERE id = ?").bind(seals.own).run();
    expect(await ask(await createToken("renamed"))).toEqual(seals);
  });

  // Proves "check-in.md: day, vehicles and extras": POST /api/v1/booking/check-in-seals: one's own, and for the office
  //   those of its branches
  test("returns the encryption key of stored operations to their author and to office users of the same branches", async () => {
    const [desk, boss] = [await readUserId("desk"), await readUserId("boss")];
    const own = await ask(await createToken("desk"));
    expect(sortSealIds(await ask(await createToken("desk"), [boss, 999]))).toEqual([desk]);
    const office = await ask(await createToken("boss"), [desk]);
    expect(sortSealIds(office)).toEqual([desk, boss].toSorted((a, b) => a - b));
    expect(office.data.find(({ seal }) => seal === desk)?.key).toBe(own.data[0]?.key);
  });

  // Proves "check-in.md: day, vehicles and extras": POST /api/v1/booking/check-in-seals: none of another branch
  test("hides a user's encryption key from office users of other branches", async () => {
    const [desk, boss] = [await readUserId("desk"), await readUserId("boss")];
    const db = env.TENANT_ACME;
    await db.batch([
      db.prepare("UPDATE users SET all_branches = 0 WHERE id IN (?, ?)").bind(desk, boss),
      db.prepare("DELETE FROM user_branches WHERE user_id IN (?, ?)").bind(desk, boss),
      db.prepare("INSERT INTO user_branches (user_id, branch_code) VALUES (?, 'AIR'), (?, 'TOWN')").bind(desk, boss),
    ]);
    expect(sortSealIds(await ask(await createToken("boss"), [desk]))).toEqual([boss]);
  });

  test("returns a deleted user's encryption key to an office user of all branches", async () => {
    await env.TENANT_ACME.prepare("UPDATE users SET all_branches = 1 WHERE username = 'boss'").run();
    expect(sortSealIds(await ask(await createToken("boss"), [987_654]))).toContain(987_654);
  });

  test("derives the keys of stored operations from an encrypted secret that is re-encrypted with the other secrets", async () => {
    await ask(await createToken("desk"));
    const storedSeal = await readFirstRow("SELECT sealed FROM account_secrets WHERE name = 'work_seal'");
    expect(String(storedSeal?.["sealed"]).length).toBeGreaterThan(60);
    expect(await countSecretsByKey(openTestTenant(env).db, openTestTenant(env))).toMatchObject({ unknown: 0 });
  });

  // Proves "check-in.md: day, vehicles and extras": POST /api/v1/booking/check-in-seals: a wrong field is named
  test.each([
    ["a text instead of a number", ["x"]],
    ["a number below 1", [0]],
    ["more than 100 numbers", Array.from({ length: 101 }, (_, index) => index + 1)],
  ])("rejects a request for keys of stored operations with %s, naming the field", async (_what, seals) => {
    const answer = await callAsStaff("POST", "/v1/booking/check-in-seals", await createToken("desk"), { seals });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(await answer.json())).toContain("seals");
  });

  test("returns encryption keys of stored operations only to staff sessions", async () => {
    expect((await callAsStaff("POST", "/v1/booking/check-in-seals", "nobody", {})).status).toBe(401);
    expect((await callAsStaff("POST", "/v1/booking/check-in-seals", await createToken("ana"), {})).status).toBe(403);
  });
});
