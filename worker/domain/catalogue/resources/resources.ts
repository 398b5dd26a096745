import { ACCESS } from "./access.ts";
import { COMPANY } from "./company.ts";
import { EXPENSES } from "./expenses.ts";
import type { ResourceName } from "./names.ts";
import type { Resource } from "./resource.ts";
import { SELLING } from "./selling.ts";
import { TRANSFERS } from "./transfers.ts";

/** Everything that the office keeps by lists and forms. */
export const RESOURCES: readonly Resource[] = [...COMPANY, ...SELLING, ...TRANSFERS, ...EXPENSES, ...ACCESS];

const byName = new Map(RESOURCES.map((resource) => [resource.name, resource]));

/** The declaration of a kind of thing. */
export function getResource(name: ResourceName): Resource {
  const resource = byName.get(name);
  if (!resource) throw new Error(`no resource ${name}`);
  return resource;
}
