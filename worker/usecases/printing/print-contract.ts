import { type PlatformLanguage, pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { getCatalogueNames, localizeBookingNames, translateName } from "#domain/catalogue/names.ts";
import type { CheckInDayBooking } from "#domain/check-in/day.ts";
import { type ContractStatusMark, createContractPrintout } from "#domain/printing/contracts.ts";
import { addUnsavedHandOver, type UnsavedHandOver } from "#domain/printing/typed-hand-over.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { fromVehicleRows } from "#worker/store/catalogue/vehicles.ts";
import { toCheckInDayBooking, toListedVehicle } from "#worker/store/check-in/entries.ts";
import {
  contractToPrintQueries,
  contractVehicleQuery,
  type RentalIdentifier,
} from "#worker/store/printing/contracts.ts";
import { branchIssuersQuery, generalConditionsQuery, letterheadQuery } from "#worker/store/printing/letterhead.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { computeFingerprint } from "#worker/usecases/shared/fingerprint.ts";
import { hashBytesSha256 } from "#worker/usecases/shared/hash-bytes.ts";
import { createPrintoutSettings, getLessor } from "#worker/usecases/shared/printing-context.ts";
import { createPrintedContractTexts } from "./contract-parts.ts";
import {
  createPrintoutFileName,
  type PrintedFile,
  type PrintoutAccess,
  type PrintoutReader,
  type PrintRefusal,
  readPrintableData,
} from "./read-printable.ts";

/**
 * Prints a rental contract as PDF. Signed parts are printed as signed, others with the current booking data. A fully
 * signed contract is stored at its first printing and never changes.
 */
export async function printContract(
  reader: PrintoutReader,
  name: RentalIdentifier,
): Promise<Result<StaffAnswer<PrintedFile>, PrintRefusal>> {
  const read = await readContractParts(reader, name);
  if (!read.ok) return read;
  const { tenant, entry, createdAt, parts, names, printing, freshToken } = read.value;
  const stamp = STAMPS[entry.status];
  const printout = createContractPrintout(parts, printing, { bookingId: entry.id, at: createdAt, stamp });
  const body = await (names ? printCached(tenant, entry.id, names, printout) : tenant.print(printout));
  return ok({ value: { name: createPrintoutFileName("contract", entry.id), body }, freshToken });
}

/** Text of one delivery, exchange or return of a contract, which the customer reads before signing. */
export interface ContractTextToRead {
  readonly text: string;
  readonly language: PlatformLanguage;
  /** Whether the customer has signed this text. */
  readonly isSigned: boolean;
}

/**
 * Returns the texts of a rental contract: deliveries, signed exchanges, then returns. With a hand-over, returns only
 * its text, as the contract will contain it.
 */
export async function readContractTexts(
  reader: PrintoutReader,
  name: RentalIdentifier,
  handOver: UnsavedHandOver | undefined,
): Promise<Result<StaffAnswer<readonly ContractTextToRead[]>, PrintRefusal>> {
  const read = await readContractParts(reader, name, handOver);
  if (!read.ok) return read;
  const { parts, index: unitIndex, freshToken } = read.value;
  // Deliveries are the first parts, one per unit.
  const shown = unitIndex === undefined ? parts : parts.slice(unitIndex, unitIndex + 1);
  const value = shown.map(({ text, language, signature }) => ({ text, language, isSigned: signature !== undefined }));
  return ok({ value, freshToken });
}

async function readContractParts(reader: PrintoutReader, name: RentalIdentifier, handOver?: UnsavedHandOver) {
  const read = await readContractData(reader, name, handOver);
  if (!read.ok) return read;
  const { tenant, entry, surroundings, ...rest } = read.value;
  return ok({ ...rest, tenant, entry, ...(await createPrintedContractTexts(tenant, entry, surroundings)) });
}

/** Reads a rental, with a typed hand-over if given, and the data of its contract's texts in the customer's language. */
export async function readContractData(reader: PrintoutReader, name: RentalIdentifier, handOver?: UnsavedHandOver) {
  const read = await readPrintableData(reader, ({ db }) => [
    ...contractToPrintQueries(db, name),
    letterheadQuery(db),
    branchIssuersQuery(db),
    generalConditionsQuery(db),
    ...(handOver?.reference === undefined ? [] : [contractVehicleQuery(db, handOver.reference)]),
  ]);
  if (!read.ok) return read;
  const { tenant, catalogue, rows, freshToken, canRead } = read.value;
  const [[entryRow], handOvers, [owner], letterhead, issuers, terms, vehicleRows = []] = rows;
  const recorded = entryRow && toCheckInDayBooking(entryRow);
  const branchCodes = recorded ? [recorded.branchCode, recorded.returnBranchCode] : [];
  if (!entryRow || !recorded || !canRead({ branchCodes, freeAccessId: owner?.freeAccessId ?? null })) {
    return err({ kind: "reservationNotFound" } as const);
  }
  const handedOver = addHandOver(recorded, handOver, vehicleRows, canRead);
  if (!handedOver.ok) return handedOver;
  const { entry, index } = handedOver.value;
  const { settings } = catalogue;
  const language = pickPlatformLanguage(entry.customer.language, settings.defaultLanguage);
  const issuer = issuers.find(({ code }) => code === entry.branchCode);
  const printing = createPrintoutSettings(catalogue, letterhead, issuer, language);
  const localized = localizeBookingNames(entry, getCatalogueNames(catalogue), language);
  const surroundings = {
    handOvers,
    closing: entryRow.booking,
    timezone: settings.timezone,
    branchNames: new Map(
      [...catalogue.branches].map(([code, { name, names }]) => [code, translateName(names, language, name)]),
    ),
    context: {
      language,
      country: printing.country,
      money: printing.money,
      lessor: getLessor(settings.accountName, issuer),
      terms: pickContractTerms(terms, language, settings.defaultLanguage)?.terms ?? "",
    },
  };
  const { createdAt } = entryRow.booking;
  return ok({ tenant, entry: localized, surroundings, index, createdAt, printing, freshToken });
}

/** Adds a typed hand-over to a booking. The vehicle that it names belongs to the group or to a branch of the reader. */
function addHandOver(
  recorded: CheckInDayBooking,
  handOver: UnsavedHandOver | undefined,
  vehicleRows: Parameters<typeof fromVehicleRows>[0],
  canRead: PrintoutAccess,
) {
  if (!handOver) return ok({ entry: recorded, index: undefined });
  const [vehicle] = fromVehicleRows(vehicleRows, new Map()).map(toListedVehicle);
  const isShared = vehicle?.storageId === recorded.branchGroupId;
  const isUsable = vehicle && (isShared || canRead({ branchCodes: [vehicle.branchCode], freeAccessId: null }));
  if (handOver.reference !== undefined && !isUsable) return err({ kind: "vehicleNotFound" } as const);
  const typed = addUnsavedHandOver(recorded, handOver, vehicle);
  return typed ? ok(typed) : err({ kind: "unitNotFound" } as const);
}

const STAMPS: Readonly<Record<string, ContractStatusMark>> = { pending_confirmation: "draft", cancelled: "cancelled" };

/** Returns the general conditions in the first available language. Undefined if there are none in these languages. */
export function pickContractTerms<T extends { readonly language: string; readonly terms: string }>(
  rows: readonly T[],
  ...languages: readonly string[]
): T | undefined {
  return languages.flatMap((preferred) => rows.filter(({ language }) => language === preferred))[0];
}

// The file name comes from the signed content. A different signature gives a different file. Nothing in the name can
// change later.
async function printCached(
  tenant: Tenant,
  bookingId: number,
  names: readonly string[],
  printout: Parameters<Tenant["print"]>[0],
): Promise<Uint8Array<ArrayBuffer>> {
  const path = `contracts/${bookingId}/${await computeFingerprint(names)}.pdf`;
  const storedFile = await tenant.files.get(path);
  if (storedFile) return readBytes(storedFile);
  const printed = await tenant.print(printout);
  const sha256 = await hashBytesSha256(printed);
  await tenant.files.put(path, printed, { sha256, contentType: "application/pdf" });
  // Return the stored copy if a concurrent request printed it first.
  const first = await tenant.files.get(path);
  return first ? readBytes(first) : printed;
}

async function readBytes(stream: ReadableStream): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
