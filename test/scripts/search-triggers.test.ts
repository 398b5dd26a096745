import fc from "fast-check";
import { expect, test } from "vitest";
import { FOLDED_LETTERS, foldText } from "#domain/search-text.ts";
import { searchTriggers } from "#scripts/schema/search-triggers.ts";
import { sqliteD1 } from "#support/sqlite-d1.ts";

test("the database folds a text as the one who looks for it does", () => {
  const d1 = sqliteD1();
  const insert = searchTriggers().find(({ name }) => name === "customers_are_searched");
  const expression = /json_object\(CAST\(NEW\.id AS TEXT\), ([\s\S]*)\)\)\n {2}ON CONFLICT/.exec(
    insert?.sql ?? "",
  )?.[1];
  const foldedName = expression?.replaceAll("NEW.name", "one.name").replaceAll(/NEW\.\w+/g, "''") ?? "";
  const letters = [...FOLDED_LETTERS.map(([letter]) => letter), ..."aZ09 .-/'\"\\@Жλ東"];
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...letters), minLength: 1 }), (name) => {
      const quoted = `'${name.replaceAll("'", "''")}'`;
      const [row] = d1.rows<{ text: string }>(`SELECT ${foldedName} AS text FROM (SELECT ${quoted} AS name) AS one`);
      expect(row?.text.split("\n")[0]).toBe(`${foldText(name)}  `);
    }),
    { numRuns: 60 },
  );
});
