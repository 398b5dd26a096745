import fc from "fast-check";
import type { Random } from "#scripts/demo/random.ts";

// Both date formats, days without or with a repeated hour, and invalid dates.
const DATES = [
  "2026-03-29",
  "29/03/2026",
  "2026-10-25",
  "25/10/2026",
  "2027-03-28",
  "2028-02-29",
  "2027-02-29",
  "31/02/2027",
  "2026-13-01",
  "0000-00-00",
  "9999-12-31",
  "99999-01-01",
  "2027-1-5",
  "-271821-04-20",
];
const TIMES = ["00:00", "02:30", "03:00", "10:00", "23:59", "24:00", "25:61", "9:5", "10:00:00"];
const TEXTS = [
  "",
  " ",
  "null",
  "undefined",
  "NaN",
  "Infinity",
  "-1",
  "0",
  "1.5",
  "1e3",
  "0x10",
  "9007199254740993",
  "123456789012345678901234567890",
  "true",
  "[object Object]",
  "' OR '1'='1",
  "%",
  "_",
  "%25%00",
  "a\u0000b",
  "\u0001\u0002\u001b[31m",
  "line\nbreak\r\nX-Injected: yes",
  "\u202eright to left",
  "\u{1f697}\u{1f3fd}\u200d",
  "e\u0301\u0301\u0301",
  "\ud800",
  "<script>alert(1)</script>",
  "../../../etc/passwd",
  "{{7*7}}",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "=1+1",
  "x".repeat(300),
  "\u00e9".repeat(5000),
];
const NUMBERS = [0, -0, -1, 1, 0.1, 1.5, -1e9, 1e21, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 2 ** 63, 5e-324];

const POLLUTION = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}';

const hostileValues = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 4, arbitrary: fc.constantFrom(...DATES) },
  { weight: 2, arbitrary: fc.constantFrom(...TIMES) },
  { weight: 4, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 2, arbitrary: fc.oneof(fc.double(), fc.maxSafeInteger()) },
  { weight: 4, arbitrary: fc.jsonValue({ stringUnit: "binary" }) },
  { weight: 1, arbitrary: fc.constantFrom({ length: -1 }, JSON.parse(POLLUTION)) },
  { weight: 1, arbitrary: fc.integer({ min: 20, max: 400 }).map(createNestedValue) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...NUMBERS), { minLength: 100, maxLength: 2000 }) },
  { weight: 4, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
);

/** Returns a value that no reasonable client sends. */
export function createHostileValue(random: Random): unknown {
  return fc.sample(hostileValues, { seed: random.between(0, 2 ** 31 - 1), numRuns: 1 })[0];
}

/** Returns a hostile value as text, for paths, queries and forms. */
export function createHostileText(random: Random): string {
  const value = createHostileValue(random);
  return (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 2000).toWellFormed();
}

function createNestedValue(levels: number): unknown {
  let value: unknown = "bottom";
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Changes one position of a value: hostile, missing, or with an unknown member. */
export function mutateValue(value: unknown, random: Random): unknown {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.8)) {
    const at = random.between(0, value.length - 1);
    return value.map((item, index) => (index === at ? mutateValue(item, random) : item));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || random.chance(0.05))
    return createHostileValue(random);
  const names = Object.keys(value);
  if (names.length === 0 || random.chance(0.12)) {
    const unknown = random.pick(["status", "total_cost", "tenant_id", "isAdmin", "id", "version", "\u0000"]);
    return { ...value, [unknown]: createHostileValue(random) };
  }
  const name = random.pick(names);
  if (random.chance(0.15)) return Object.fromEntries(Object.entries(value).filter(([text]) => text !== name));
  const member = (value as Readonly<Record<string, unknown>>)[name];
  return { ...value, [name]: random.chance(0.5) ? mutateValue(member, random) : createHostileValue(random) };
}
