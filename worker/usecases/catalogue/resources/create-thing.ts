import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { FieldValue, Values } from "#domain/catalogue/resources/fields.ts";
import { initialValues, parseValues } from "#domain/catalogue/resources/parse.ts";
import { fieldOf, idOf, type Resource } from "#domain/catalogue/resources/resource.ts";
import { ok, refuse } from "#domain/result.ts";
import {
  lastVersionQuery,
  nextIdQuery,
  thingQueries,
  toThings,
} from "#worker/store/catalogue/resources/resource-queries.ts";
import { insertThing } from "#worker/store/catalogue/resources/resource-writes.ts";
import type { OfficeWrite } from "#worker/usecases/bookings/moves/office-context.ts";
import { findNamesakes, namesakeQueries, neighbourQueries } from "./resource-neighbours.ts";
import { prepareSecrets, specialColumns } from "./resource-rules.ts";
import { entryOf, refuseThing, type Said, type Written, withoutSecrets } from "./thing-decision.ts";
import { writeThingOnce } from "./write-thing-once.ts";

/** Makes a thing: what is not said of it is as its kind begins; `made` are columns of our own. Two round trips. */
export async function createThing(
  write: OfficeWrite,
  resource: Resource,
  said: Said,
  made: Readonly<Record<string, unknown>> = {},
): Written {
  const { db } = write.tenant;
  const secrets = await prepareSecrets(write.tenant, resource, said);
  const wanted = resource.isCounted ? "" : idOf(resource, keyOf(resource, said));
  const named = neighbourQueries(db, resource, said);
  const namesakes = namesakeQueries(db, resource, said);
  return writeThingOnce(write, resource, {
    content: { create: withoutSecrets(resource, said) },
    read: () => [
      resource.isCounted ? nextIdQuery(db, resource) : lastVersionQuery(db, resource, wanted),
      ...named,
      ...namesakes,
      ...thingQueries(db, resource, wanted),
    ],
    decide: (reading) => {
      const { catalogue } = reading;
      const [last, ...rows] = reading.rows as readonly [readonly Numbers[], ...unknown[]];
      const parsed = parseValues(resource, said, { decimals: catalogue.settings.currencyDecimals });
      if (!parsed.ok) return refuse({ kind: "problems", problems: parsed.error });
      const values = { ...newValues(resource, catalogue), ...parsed.value };
      const refused = refuseThing(resource, values, { reading, said, id: undefined, secrets, neighbours: rows });
      if (refused) return refused;
      const [others, own] = [rows.slice(named.length), rows.slice(named.length + namesakes.length)];
      const called = findNamesakes(resource, said, others.slice(0, namesakes.length));
      if (called.length > 0) return refuse({ kind: "taken", fields: called });
      if (toThings(resource, own).length > 0) return refuse({ kind: "taken", fields: resource.key });
      const { number, id, version } = nameOf(resource, values, last[0]);
      const entry = entryOf(reading, resource, { id, version, move: "created", after: values });
      const more = { ...specialColumns(resource, { values, before: undefined, secrets, now: write.now }), ...made };
      return ok({ resource: id, statements: insertThing(db, resource, values, { id: number, entry, more }) });
    },
  });
}

type Numbers = Readonly<Partial<Record<"id" | "version", number | null>>>;

// What was removed under the same name goes on in its history.
function nameOf(resource: Resource, values: Values, { id = 1, version = 0 }: Numbers = {}) {
  if (resource.isCounted) return { number: Number(id), id: String(id), version: 1 };
  return { number: undefined, id: idOf(resource, values), version: Number(version) + 1 };
}

// The key as it will be kept, to see whether it is there already.
function keyOf(resource: Resource, said: Said): Values {
  const kept = (name: string): FieldValue => {
    const field = fieldOf(resource, name);
    const initial = field?.initial && "is" in field.initial ? field.initial.is : "";
    const text = String(said[name] ?? initial).trim();
    return field?.kind === "text" && field.form === "capitals" ? text.toUpperCase() : text;
  };
  return Object.fromEntries(resource.key.map((name) => [name, kept(name)]));
}

// A new thing has what its kind begins with, some of it the account's own.
function newValues({ fields }: Resource, { settings }: Catalogue): Values {
  const own = fields.flatMap(({ name, initial }) =>
    initial && "setting" in initial ? [[name, settings[initial.setting]] as const] : [],
  );
  return { ...initialValues(fields), ...Object.fromEntries(own) };
}
