import type { Values } from "#domain/catalogue/resources/fields.ts";
import { parseValues } from "#domain/catalogue/resources/parse.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { tellValues } from "#domain/catalogue/resources/told.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import {
  holdersQueries,
  type KeptThing,
  lastVersionQuery,
  thingQueries,
  toThings,
} from "#worker/store/catalogue/resources/resource-queries.ts";
import { type ThingEntry, updateThing } from "#worker/store/catalogue/resources/resource-writes.ts";
import type { OfficeWrite } from "#worker/usecases/bookings/moves/office-context.ts";
import { isNothingSaid, whatDiffers } from "#worker/usecases/shared/what-differs.ts";
import { isOwn } from "./read-resources.ts";
import { findNamesakes, namesakeQueries, neighbourQueries } from "./resource-neighbours.ts";
import type { ResourceRefusal } from "./resource-refusals.ts";
import { prepareSecrets, specialColumns } from "./resource-rules.ts";
import { entryOf, refuseBranch, refuseThing, type Said, type Written, withoutSecrets } from "./thing-decision.ts";
import { toUses } from "./uses.ts";
import { type ThingReading, writeThingOnce } from "./write-thing-once.ts";

interface Change {
  readonly id: string;
  readonly expectedVersion: number;
  readonly said: Said;
}

/** Changes a thing by the version that was read; what is not said stays. Two round trips. */
export async function changeThing(write: OfficeWrite, resource: Resource, change: Change): Written {
  const { db } = write.tenant;
  const { id, expectedVersion, said } = change;
  const secrets = await prepareSecrets(write.tenant, resource, said);
  const newId = renamed(resource, change);
  const named = neighbourQueries(db, resource, said);
  const namesakes = namesakeQueries(db, resource, said, id);
  const own = thingQueries(db, resource, id);
  const renaming = newId === id ? [] : thingQueries(db, resource, newId);
  const held = Object.keys(said).flatMap((field) =>
    holdersQueries(db, resource, id, field).map((query) => ({ field, query })),
  );
  return writeThingOnce(write, resource, {
    content: { change: withoutSecrets(resource, said), id, expectedVersion },
    read: () => [
      lastVersionQuery(db, resource, newId),
      ...named,
      ...namesakes,
      ...own,
      ...renaming,
      ...held.map(({ query }) => query),
    ],
    decide: (reading) => {
      const [last, ...rows] = reading.rows as readonly [readonly { version: number | null }[], ...unknown[]];
      const others = rows.slice(named.length, named.length + namesakes.length);
      const things = rows.slice(named.length + namesakes.length, rows.length - held.length);
      const found = findThing(reading, resource, { change, thing: toThings(resource, things)[0] });
      if (!found.ok) return found;
      const { thing, changed } = found.value;
      const values = { ...thing.values, ...changed };
      const refused = refuseThing(resource, values, { reading, said, id, secrets, neighbours: rows });
      if (refused) return refused;
      const called = findNamesakes(resource, said, others);
      if (called.length > 0) return refuse({ kind: "taken", fields: called });
      const holders = rows
        .slice(rows.length - held.length)
        .filter((_, at) => isOther(thing, changed, held[at]?.field ?? ""));
      const uses = toUses(holders);
      if (uses.length > 0) return refuse({ kind: "inUse", uses });
      if (isThere(resource, things.slice(own.length))) return refuse({ kind: "taken", fields: resource.key });
      const other = whatDiffers(changed, thing.values);
      const more = specialColumns(resource, { values: other, before: thing.values, secrets, now: write.now });
      if (isNothingSaid(other, more)) return ok({ resource: id, statements: [] });
      const before = { thing, last: lastOf(last) };
      const entries = entriesOf(reading, resource, { change, newId, changed: other, ...before });
      return ok({ resource: newId, statements: updateThing(db, resource, other, { id, entries, more }) });
    },
  });
}

const isOther = ({ values }: KeptThing, changed: Values, field: string) =>
  changed[field] !== undefined && changed[field] !== values[field];

// What was read of its new id, where it has one.
const isThere = (resource: Resource, renaming: readonly unknown[]) =>
  renaming.length > 0 && toThings(resource, renaming).length > 0;

const lastOf = ([one]: readonly { readonly version: number | null }[]) => one?.version ?? 0;

function findThing(
  { staff, catalogue }: ThingReading,
  resource: Resource,
  { change, thing }: { readonly change: Change; readonly thing: KeptThing | undefined },
): Result<{ readonly thing: KeptThing; readonly changed: Values }, ResourceRefusal> {
  if (!thing || !isOwn(staff, resource, thing)) return refuse({ kind: "thingNotFound" });
  if (thing.version !== change.expectedVersion) return refuse({ kind: "thingChanged", thing });
  // As it is, too: a rule for all branches is not made one's own.
  const refused = refuseBranch(resource, thing.values, staff);
  if (refused) return refused;
  const { currencyDecimals: decimals } = catalogue.settings;
  const present = tellValues(resource, thing.values, decimals);
  const parsed = parseValues(resource, change.said, { decimals, present });
  return parsed.ok ? ok({ thing, changed: parsed.value }) : refuse({ kind: "problems", problems: parsed.error });
}

interface Entries {
  readonly change: Change;
  readonly newId: string;
  readonly thing: KeptThing;
  readonly changed: Values;
  /** The version of the last entry under the new id. */
  readonly last: number;
}

// A thing that is named by what it is keeps a history under its name of then, and goes on under the new one.
function entriesOf(
  reading: ThingReading,
  resource: Resource,
  { change: { id, expectedVersion }, newId, thing, changed, last }: Entries,
): readonly [ThingEntry, ...ThingEntry[]] {
  const before = Object.fromEntries(Object.keys(changed).map((name) => [name, thing.values[name] ?? null]));
  const entry = { before, after: changed };
  const next = expectedVersion + 1;
  if (newId === id) return [entryOf(reading, resource, { id, version: next, move: "changed", ...entry })];
  const version = Math.max(expectedVersion, last) + 1;
  return [
    entryOf(reading, resource, { id: newId, version, move: "changed", ...entry }),
    entryOf(reading, resource, { id, version: next, move: "renamed", ...entry }),
  ];
}

function renamed(resource: Resource, { id, said }: Change): string {
  if (resource.key.length === 1) return id;
  const parts = id.split("~");
  return resource.key.map((name, index) => String(said[name] ?? parts[index])).join("~");
}
