import { ACCESS_RESOURCES } from "./access.ts";
import { COMPANY_RESOURCES } from "./company.ts";
import { EXPENSE_RESOURCES } from "./expenses.ts";
import type { ResourceName } from "./names.ts";
import type { Resource } from "./resource.ts";
import { SELLING_RESOURCES } from "./selling.ts";
import { VEHICLE_SERVICE_RESOURCES } from "./services.ts";
import { TRANSFER_RESOURCES } from "./transfers.ts";

/** All resources that the office manages with lists and forms. */
export const RESOURCES: readonly Resource[] = [
  ...COMPANY_RESOURCES,
  ...SELLING_RESOURCES,
  ...TRANSFER_RESOURCES,
  ...VEHICLE_SERVICE_RESOURCES,
  ...EXPENSE_RESOURCES,
  ...ACCESS_RESOURCES,
];

const byName = new Map(RESOURCES.map((resource) => [resource.name, resource]));

/** Returns the declaration of a resource type. */
export function getResource(name: ResourceName): Resource {
  const resource = byName.get(name);
  if (!resource) throw new Error(`no resource ${name}`);
  return resource;
}
