import type { ResourceField } from "#domain/catalogue/resources/fields.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { t, tOr } from "../texts.ts";
import { formatCell } from "./cell-text.ts";
import type { ResourceOptions, ResourceRecord } from "./resources.ts";

/** Fields that name a record, best first. */
const NAME_FIELDS = ["name", "full_name", "code", "description"] as const;

/** Kinds of fields that identify a record without a name, such as a closure by branch and day. */
const IDENTIFYING_KINDS: ReadonlySet<ResourceField["kind"]> = new Set(["reference", "choice", "date", "time", "text"]);

const MAX_PARTS = 3;

/** Returns a record's title: its name, the values that identify it, or its number. */
function formatRecordTitle(
  { fields }: Pick<Resource, "fields">,
  record: ResourceRecord,
  options: ResourceOptions,
): string {
  const own = NAME_FIELDS.find((name) => fields.some((field) => field.name === name) && record[name]);
  if (own) return String(record[own]);
  const parts = fields
    .filter(({ kind, name }) => (IDENTIFYING_KINDS.has(kind) || name === "weekday") && record[name])
    .map((field) => formatCell(field, record, options));
  return parts.slice(0, MAX_PARTS).join(" · ") || t("numbered", { n: record.id });
}

/** Returns the title of a form: the single resource, the record or what a new record is. */
export function formatFormTitle(
  resource: Resource,
  record: ResourceRecord | undefined,
  options: ResourceOptions,
): string {
  if (resource.isSingle) return t(`list.${resource.name}`);
  return record ? formatRecordTitle(resource, record, options) : getNewRecordTitle(resource);
}

/** Returns what a new record is. Also the text of the button that opens its form. */
export const getNewRecordTitle = ({ name }: Pick<Resource, "name">): string => tOr(`new.${name}`, t("new"));
