import { expect, test } from "vitest";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import { BOTH_THEMES, type Office, useOffice } from "../../browser/office-page.ts";

let office: Office;
let page: Office["page"];
let token: string;

const { press } = useOffice((opened) => {
  ({ office, page, token } = opened);
});

// Proves "office.md": Two people change one price table: neither loses what they wrote
test("merges two users' edits of one price table, with conflicting prices side by side", async () => {
  const path = "/api/v1/office/prices/table";
  const read = async () => ((await office.ask("GET", path, { token })).body as { readonly table: Table }).table;
  const before = await read();
  // Two prices of two categories: one that both users change, one that only the other changes.
  const priced = before.rows.flatMap(({ prices }, row) => {
    const column = prices.findIndex(Boolean);
    return column < 0 ? [] : [{ row, column }];
  });
  const [both, theirs] = priced;
  if (!both || !theirs) throw new Error("The demo company has no prices.");
  const cell = ({ row, column }: Place) => page.locator(".grid tbody tr").nth(row).locator("input").nth(column);
  const write = async ({ version: expected_version, brackets }: Table, rows: Table["rows"]) => {
    const body = {
      expected_version,
      brackets,
      rows: rows.map(({ category_code, prices }) => ({ category_code, prices })),
    };
    expect(await office.ask("PUT", path, { token, body })).toMatchObject({ status: 200 });
  };
  await page.goto(`${office.address}#/prices-table`);
  await cell(both).fill("77,50");
  await write(before, withPrice(withPrice(before.rows, both, "71.00"), theirs, "72.00"));
  await press("Speichern");
  await page.getByText("Jemand hat dies inzwischen geändert.").waitFor();
  await page.getByText("Von jemand anderem gespeichert: 71,00").waitFor();
  expect([await cell(both).inputValue(), await cell(theirs).inputValue()]).toEqual(["77,50", "72,00"]);
  await page.getByText("Eine Mietdauer ohne Preis wird nicht verkauft.").waitFor();
  expect(await page.locator("main select").nth(0).locator("option").first().textContent()).toBe("Ohne Saison");
  await office.looksRight("price-table-changed-meanwhile", BOTH_THEMES);
  await page.reload();
  await page.getByText("Ihre ungespeicherten Änderungen wurden wiederhergestellt.").waitFor();
  expect(await cell(both).inputValue()).toBe("77,50");
  await press("Speichern");
  await page.getByText("Bestehende Reservierungen behalten ihren Preis.").waitFor();
  const after = await read();
  const priceAt = ({ row, column }: Place) => after.rows[row]?.prices[column];
  expect([priceAt(both), priceAt(theirs)]).toEqual(["77.50", "72.00"]);
  await write(after, before.rows);
});

interface Place {
  readonly row: number;
  readonly column: number;
}

function withPrice(rows: Table["rows"], { row, column }: Place, price: string): Table["rows"] {
  return rows.map((item, at) => (at === row ? { ...item, prices: item.prices.with(column, price) } : item));
}

interface Table {
  readonly version: number;
  readonly brackets: readonly unknown[];
  readonly rows: readonly { readonly category_code: string; readonly prices: readonly (string | null)[] }[];
}

async function typePassword(name: string): Promise<void> {
  const user = demoAccounts.flatMap(({ users }) => users).find(({ username }) => username === `${name}@acme.test`);
  await page.getByLabel("E-Mail oder Benutzer").fill(user?.username ?? "");
  await page.getByLabel("Passwort").fill(user?.password ?? "");
  await press("Anmelden");
}

const signOut = async () => office.ask("DELETE", "/api/v1/logout", { token: await office.token() });

// Sets the same password again, which still ends all sessions of the user.
async function changePassword(): Promise<unknown> {
  const own = await office.token();
  const { body } = await office.ask("GET", "/api/v1/office/users?page_size=200", { token: own });
  const listed = (body as { readonly data: readonly { id: number; username: string; version: number }[] }).data;
  const user = listed.find(({ username }) => username === "staff@acme.test");
  const { password = "" } =
    demoAccounts.flatMap(({ users }) => users).find(({ username }) => username === user?.username) ?? {};
  return office.ask("PATCH", `/api/v1/office/users/${user?.id}`, {
    token: own,
    body: { expected_version: user?.version, password },
  });
}

// Proves "office.md": A session ends, or a password is changed, while a form is filled
test.each([
  ["a session ends", signOut],
  ["a password is changed elsewhere", changePassword],
])("restores a form for the same user, but not for another, if %s while the form is filled in", async (_, end) => {
  await signOut();
  await page.reload();
  await typePassword("staff");
  await page.getByRole("button", { name: "Anmelden" }).waitFor({ state: "detached" });
  await page.goto(`${office.address}#/list/seasons/new`);
  const name = page.getByLabel("Name *").first();
  await name.fill("Bleibt da");
  const endSession = async () => expect(await end()).toMatchObject({ status: 200 });
  await endSession();
  await press("Speichern");
  await typePassword("staff");
  await page.getByText("Ihre ungespeicherten Änderungen wurden wiederhergestellt.").waitFor();
  expect(await name.inputValue()).toBe("Bleibt da");
  await endSession();
  await press("Speichern");
  await typePassword("manager");
  await page.getByRole("heading", { name: "Neue Saison" }).waitFor();
  await expect.poll(() => name.inputValue()).toBe("");
  expect(office.faults()).toEqual([]);
});
