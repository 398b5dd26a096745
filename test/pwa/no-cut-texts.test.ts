import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// A browser cuts pasted text at an input's maximum length without a word. The server refuses it and names the field.
test("never cuts a text that staff or visitors paste: only one-time codes have a maximum length", () => {
  const sources = globSync("pwa/{check-in,office,shared,widget}/**/*.{ts,tsx}").filter(
    (path) => !path.includes("/dist/"),
  );
  const inputs = sources.flatMap((path) => {
    const text = readFileSync(path, "utf8");
    return [...text.matchAll(/\bmaxlength=/gi)].map(({ index }) => `${path}: ${text.slice(index - 120, index)}`);
  });
  expect(inputs.length).toBeGreaterThan(0);
  expect(inputs.filter((input) => !input.includes('autocomplete="one-time-code"'))).toEqual([]);
});
