import type { Right } from "#domain/access/rights.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { Field, Values } from "./fields.ts";
import type { ResourceName } from "./names.ts";
import type { Problem } from "./problems.ts";

/** A kind of thing that the office keeps: its fields, who may see and change it, and what must be true of it. */
export interface Resource {
  readonly name: ResourceName;
  /** One of them, on the wire. */
  readonly singular: string;
  /** What the pages of the interface's document say of it. */
  readonly about: string;
  readonly tag: "Company" | "Expenses" | "Prices" | "Rules" | "Transfers" | "Access" | "Settings" | "Webhooks";
  /** The fields that name it; a single number that nobody gives is counted up. */
  readonly key: readonly string[];
  readonly isCounted?: true;
  readonly fields: readonly Field[];
  readonly seeing: Right;
  readonly changing: Right;
  /** The field that says whose branch it is of; nothing in it is all of them. */
  readonly branch?: string;
  /** The field that names the vehicle whose branch it is of; what names none shows all branches, to nobody else. */
  readonly ofVehicle?: string;
  /** What no two of them share. */
  readonly unique?: readonly (readonly string[])[];
  /** The fields by any of which somebody is called: no two of them are called the same, by whichever. */
  readonly called?: readonly string[];
  /** Whether one can be removed; else it is deactivated, or stays. */
  readonly isRemovable: boolean;
  /** Made by an operation of its own. */
  readonly isMadeApart?: true;
  /** There is one, and it is always there. */
  readonly isSingle?: true;
  /** What its fields must be together, and beside the others of the catalogue. */
  readonly check?: (values: Values, others: Others) => readonly Problem[];
}

/** What a thing is held against. */
export interface Others {
  /** Of the thing itself, where it is there already. */
  readonly id: string | undefined;
  readonly catalogue: Pick<Catalogue, "branches" | "driverAgeRules" | "families" | "seasonPeriods"> & {
    readonly settings: Pick<Catalogue["settings"], "seriesPattern"> & { readonly currency?: string };
  };
}

/** The text that names one of them in addresses. */
export function getResourceId({ key }: Pick<Resource, "key">, values: Values): string {
  return key.map((name) => String(values[name])).join("~");
}

export function findField({ fields }: Pick<Resource, "fields">, name: string): Field | undefined {
  return fields.find((field) => field.name === name);
}
