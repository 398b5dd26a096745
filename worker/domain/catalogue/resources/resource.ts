import type { Right } from "#domain/access/rights.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { Problem } from "#domain/problems.ts";
import type { ResourceField, ResourceValues } from "./fields.ts";
import type { ResourceName } from "./names.ts";

/** Type of resource that the office manages: fields, read and write rights, and validity checks. */
export interface Resource {
  readonly name: ResourceName;
  /** Singular name in the API. */
  readonly singular: string;
  /** Description in the OpenAPI document. */
  readonly about: string;
  readonly tag:
    | "Company"
    | "Fleet"
    | "Expenses"
    | "Prices"
    | "Rules"
    | "Transfers"
    | "Access"
    | "Settings"
    | "Webhooks";
  /** Fields that identify a resource. A single numeric key without a value is assigned automatically. */
  readonly key: readonly string[];
  readonly isCounted?: true;
  readonly fields: readonly ResourceField[];
  readonly readRight: Right;
  readonly writeRight: Right;
  /** Whether anyone with the resource's link gets access, so that a write requires a recent second factor. */
  readonly opensAccess?: true;
  /** Field with the resource's branch. Empty means all branches. */
  readonly branch?: string;
  /**
   * Field with the vehicle that determines the branch. A resource without a vehicle is visible only to users of all
   * branches.
   */
  readonly vehicleField?: string;
  /** Field combinations that must be unique. */
  readonly unique?: readonly (readonly string[])[];
  /** Fields that can each serve as a login or name. A value must be unique across all of them. */
  readonly nameFields?: readonly string[];
  /** Whether a resource can be deleted. Otherwise it can only be deactivated, or always stays. */
  readonly isRemovable: boolean;
  /** Whether a separate operation creates the resource. */
  readonly hasOwnCreation?: true;
  /** Whether exactly one resource of this type exists at all times. */
  readonly isSingle?: true;
  /** Checks the fields together and against other catalogue data. */
  readonly check?: (values: ResourceValues, others: ResourceCheckContext) => readonly Problem[];
}

/** Data that a resource is checked against. */
export interface ResourceCheckContext {
  /** Id of the resource, if it exists. */
  readonly id: string | undefined;
  readonly catalogue: Pick<Catalogue, "branches" | "driverAgeRules" | "families" | "seasonPeriods"> & {
    readonly settings: Pick<Catalogue["settings"], "seriesPattern"> & { readonly currency?: string };
  };
}

/** Returns the resource's id for URLs. */
export function getResourceId({ key }: Pick<Resource, "key">, values: ResourceValues): string {
  return key.map((name) => String(values[name])).join("~");
}

export function findResourceField({ fields }: Pick<Resource, "fields">, name: string): ResourceField | undefined {
  return fields.find((field) => field.name === name);
}
