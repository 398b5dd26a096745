import { canAccessBranch } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { ok, type Result } from "#domain/result.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import type { Query, QueryResults } from "#worker/store/database.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";

/** Reader of a document: staff, anyone with the booking's unguessable id, or a partner of the integration API. */
export type PrintoutReader =
  | { readonly kind: "partner"; readonly tenant: Tenant }
  | { readonly kind: "staff"; readonly request: StaffRequest }
  | { readonly kind: "link"; readonly tenant: Tenant; readonly freeAccessId: string };

export type PrintRefusal = OfficeRefusal | { readonly kind: "documentNotFound" } | { readonly kind: "chargeNotFound" };

/** File to return. */
export interface PrintedFile {
  readonly name: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Fields that decide access to a document. */
interface DocumentAccessFields {
  readonly branchCodes: readonly string[];
  readonly freeAccessId: string | null;
}

/** Whether a reader has access to a document with these fields. */
export type PrintoutAccess = (owned: DocumentAccessFields) => boolean;

/** Results of the queries for a printout, and the reader's access. */
export interface PrintableData<T extends readonly Query[]> {
  readonly tenant: Tenant;
  readonly catalogue: Catalogue;
  readonly rows: QueryResults<T>;
  readonly freshToken: string | undefined;
  readonly isStaff: boolean;
  readonly canRead: PrintoutAccess;
}

/** Reads the data to print in one round trip. `canRead` checks the reader's access. */
export async function readPrintableData<const T extends readonly Query[]>(
  reader: PrintoutReader,
  createQueries: (tenant: Tenant) => T,
): Promise<Result<PrintableData<T>, OfficeRefusal>> {
  if (reader.kind !== "staff") {
    const { tenant } = reader;
    const { catalogue, rows } = await readWithFreshCatalogue(tenant, () => createQueries(tenant));
    const canRead = (owned: DocumentAccessFields) =>
      reader.kind === "partner" || owned.freeAccessId === reader.freeAccessId;
    return ok({ tenant, catalogue, rows, freshToken: undefined, isStaff: false, canRead });
  }
  const { tenant } = reader.request;
  const read = await readAsStaff(reader.request, () => createQueries(tenant));
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const canRead = ({ branchCodes }: DocumentAccessFields) => canAccessBranch(staff, ...branchCodes);
  return ok({ tenant, catalogue, rows, freshToken, isStaff: true, canRead });
}

/** Builds a file name with characters that every system accepts. */
export function createPrintoutFileName(
  ...all: readonly (string | number | undefined | { readonly ending: string | undefined })[]
): string {
  const ending = all.find((part) => typeof part === "object")?.ending ?? "pdf";
  const name = all
    .filter((part) => typeof part !== "object")
    .filter((part) => part !== undefined && part !== "")
    .join("-")
    .normalize("NFKD")
    .replace(/[^\w.-]+/g, "-");
  return `${name.toLowerCase()}.${ending}`;
}
