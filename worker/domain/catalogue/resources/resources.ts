import { ACCESS } from "./access.ts";
import { COMPANY } from "./company.ts";
import { EXPENSES } from "./expenses.ts";
import type { ResourceName } from "./names.ts";
import type { Resource } from "./resource.ts";
import { SELLING } from "./selling.ts";
import { SERVICES } from "./services.ts";
import { TRANSFERS } from "./transfers.ts";

/** All resources that the office manages with lists and forms. */
export const RESOURCES: readonly Resource[] = [
  ...COMPANY,
  ...SELLING,
  ...TRANSFERS,
  ...SERVICES,
  ...EXPENSES,
  ...ACCESS,
];

const byName = new Map(RESOURCES.map((resource) => [resource.name, resource]));

/** Returns the declaration of a resource type. */
export function getResource(name: ResourceName): Resource {
  const resource = byName.get(name);
  if (!resource) throw new Error(`no resource ${name}`);
  return resource;
}
