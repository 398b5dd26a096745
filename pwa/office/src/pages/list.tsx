import { useEffect, useRef, useState } from "preact/hooks";
import type { Field, Unit } from "#domain/catalogue/resources/fields.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { dayText, may, money, percentText } from "../account.ts";
import { ask, contentOf, office } from "../api.ts";
import { Rows } from "../desk/rows.tsx";
import { toldLate } from "../desk/sending.ts";
import { Trouble } from "../desk/trouble.tsx";
import { linkTo } from "../route.ts";
import { t, tOr } from "../texts.ts";
import { unitOf } from "./points.ts";
import type { Options, Thing } from "./things.ts";

const COLUMNS = 6;
const SHOWN: ReadonlySet<Field["kind"]> = new Set([
  "text",
  "whole",
  "money",
  "percent",
  "measured",
  "flag",
  "date",
  "time",
  "choice",
  "reference",
  "rows",
]);
const LONG = 200;
const WAIT_MILLISECONDS = 200;

interface Found {
  readonly things: readonly Thing[];
  readonly total: number;
  readonly next: string | null;
  readonly options: Options;
}

/** The things of a kind: found by any part of them, a page at a time. */
export function List({ resource }: { readonly resource: Resource }) {
  const [text, setText] = useState("");
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState("");
  const last = useRef(0);
  const read = async (before: readonly Thing[], after: string | null) => {
    last.current += 1;
    const turn = last.current;
    const found = await findThings(resource, text, after).catch(() => t("failed"));
    // The last question's answer counts.
    if (turn !== last.current) return;
    setProblem(typeof found === "string" ? found : "");
    if (typeof found !== "string") setFound({ ...found, things: [...before, ...found.things] });
  };
  useEffect(() => {
    const timer = setTimeout(() => read([], null), text ? WAIT_MILLISECONDS : 0);
    return () => clearTimeout(timer);
  }, [text, toldLate.value.turn]);
  const fields = columnsOf(resource, found?.things ?? []);
  return (
    <main>
      <div class="head">
        <h1>{t(`list.${resource.name}`)}</h1>
        {may(resource.changing) && (
          <a class="button main" href={linkTo("list", resource.name, "new")}>
            {t("new")}
          </a>
        )}
      </div>
      <p class="soft">{t(`about.${resource.name}`)}</p>
      <label class="search">
        {t("search")}
        <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <Trouble problem={problem} onRetry={() => read([], null)} />
      {!found && !problem && <p>{t("loading")}…</p>}
      {found && (
        <p aria-live="polite">
          {found.total > 0
            ? t("found", { n: found.total })
            : t(text ? "nothingFound" : may(resource.changing) ? "empty" : "noneYet")}
        </p>
      )}
      {found && found.total > 0 && (
        <Rows<Thing>
          name={t(`list.${resource.name}`)}
          rows={found.things}
          columns={fields.map((one, at) => ({
            head: tOr(`field.${one.name}`, one.name),
            cell: (thing) =>
              at === 0 && !hasValue(one, thing) ? t("numbered", { n: thing.id }) : cellOf(one, thing, found.options),
            is: lookOf(one),
          }))}
          keyOf={({ id }) => id}
          to={({ id }) => ["list", resource.name, id]}
        />
      )}
      {found?.next && (
        <button type="button" onClick={() => read(found.things, found.next)}>
          {t("more")}
        </button>
      )}
    </main>
  );
}

/** A page of what is found, or why nothing could be read. */
async function findThings({ name }: Resource, text: string, after: string | null): Promise<Found | string> {
  const query = new URLSearchParams({
    options: "true",
    page_size: "100",
    ...(text && { q: text }),
    ...(after && { after }),
  });
  const answer = await ask("GET", office(`/${name}?${query}`));
  const content = contentOf<{ readonly data: Thing[] } & Omit<Found, "things">>(answer);
  if (!content) return answer.status === 403 ? t("notAllowed") : t("failed");
  const { data, total, next, options } = content;
  return { things: data, total, next, options };
}

const NUMBERS: ReadonlySet<Field["kind"]> = new Set(["money", "percent", "whole"]);

function lookOf({ kind, name }: Field): "date" | "number" | undefined {
  if (kind === "date") return "date";
  return NUMBERS.has(kind) && name !== "weekday" ? "number" : undefined;
}

// What says most: short fields first, as they are declared; of those that nobody filled in none but the first.
function columnsOf({ fields }: Resource, things: readonly Thing[]): readonly Field[] {
  const short = fields.filter(
    (one) => SHOWN.has(one.kind) && (one.kind !== "text" || one.longest < LONG) && !one.name.startsWith("address_"),
  );
  return short.filter((one, at) => at === 0 || things.some((thing) => hasValue(one, thing))).slice(0, COLUMNS);
}

function hasValue({ name }: Field, thing: Thing): boolean {
  const value = thing[name];
  return value !== null && value !== undefined && value !== "";
}

/** A value as a list shows it, in words. */
export function cellOf(one: Field, thing: Readonly<Record<string, unknown>>, options: Options = {}): string {
  const value = thing[one.name];
  if (value === null || value === undefined || value === "") return t("nothing");
  if (one.kind === "flag") return t(value === true ? "yes" : "no");
  if (one.kind === "choice") return tOr(`option.${value}`, String(value));
  if (one.kind === "rows") return String((value as readonly unknown[]).length);
  if (one.name === "weekday") return tOr(`day.${value}`, String(value));
  if (one.kind === "reference") return options[one.name]?.find(({ id }) => id === value)?.name ?? String(value);
  return WRITTEN[unitOf(one, thing)]?.(String(value)) ?? asText(value);
}

const asText = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));

// What people write otherwise than the wire does.
const WRITTEN: Readonly<Partial<Record<Field["kind"] | Unit, (value: string) => string>>> = {
  money,
  date: (day) => dayText(day),
  percent: percentText,
};
