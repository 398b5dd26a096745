import { type PlatformLanguage, pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import type { CheckInDayBooking, CheckInDayUnit } from "#domain/check-in/day.ts";
import { formatDate } from "#domain/money-notation.ts";
import { hasContractTextFormat, MAX_CONTRACT_BYTES } from "#domain/printing/contract-blocks.ts";
import {
  type ContractTextSettings,
  collectContractTextData,
  collectReturnRecordData,
} from "#domain/printing/contract-facts.ts";
import { writeContractText, writeReturnRecord } from "#domain/printing/contract-text.ts";
import { getContractTexts } from "#domain/printing/contract-texts/index.ts";
import {
  type ContractTextSignature,
  MAX_SIGNATURE_BYTES,
  type PrintedContractText,
} from "#domain/printing/contracts.ts";
import { getPrintTexts } from "#domain/printing/texts.ts";
import type { PrintedHandOverRow } from "#worker/store/printing/contracts.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { type CheckInFileId, getCheckInFilePath } from "#worker/usecases/check-in/files.ts";
import { toPrintableImage } from "#worker/usecases/shared/printing-context.ts";
import { readStreamUpTo } from "#worker/usecases/shared/read-stream.ts";

interface ContractContextValue {
  readonly handOvers: readonly PrintedHandOverRow[];
  readonly timezone: string;
  /** Branch names by code. */
  readonly branchNames: ReadonlyMap<string, string>;
  readonly context: ContractTextSettings;
  /** Charges from the returns of the full contract. */
  readonly closing: {
    readonly supplement1Cents: number;
    readonly supplement2Cents: number;
    readonly supplement3Cents: number;
  };
}

/** Signature as sent by a device. */
interface SentSignature {
  readonly method: ContractTextSignature["method"];
  readonly name: string;
  readonly signed_at: string;
  readonly hash?: string;
  readonly contract_hash?: string;
  readonly contract_language?: string;
  readonly absent_reason?: string;
}

/** Printed fields of a device's work. Times are from the device's clock. */
interface SentWork {
  readonly signature?: SentSignature;
  readonly return_rental_location_code?: string;
  readonly clock_offset_ms?: number;
}

interface NamedContractPart {
  readonly part: PrintedContractText;
  /** Name of the signed part. Undefined if it isn't signed or hasn't arrived completely. */
  readonly name: string | undefined;
}

/** Part to print: its completed hand-over, if any, and its text as long as it isn't signed. */
interface PlannedPart {
  readonly handOver: PrintedHandOverRow | undefined;
  readonly write: () => string;
}

/** Maximum number of parts of a printed contract. Each begins a page. */
const MAX_PARTS = 200;

/** Maximum size of all signatures and signed texts of a contract. Those of 40 vehicles have about 2 MB. */
const MAX_CONTRACT_FILES_BYTES = 5_000_000;

/**
 * Returns the parts of a contract: deliveries, signed exchanges, then returns. `names` is set if every part is signed
 * and therefore final. Returns a notice instead of too many or too large parts.
 */
export async function createPrintedContractTexts(
  tenant: Tenant,
  entry: CheckInDayBooking,
  contractContext: ContractContextValue,
): Promise<{ readonly parts: readonly PrintedContractText[]; readonly names: readonly string[] | undefined }> {
  const planned = planParts(entry, contractContext);
  const fileBytes = planned.reduce((sum, { handOver }) => sum + (handOver?.fileBytes ?? 0), 0);
  if (planned.length > MAX_PARTS || fileBytes > MAX_CONTRACT_FILES_BYTES)
    return { parts: [createNotice(entry, contractContext)], names: undefined };
  const parts: PrintedContractText[] = [];
  const names: string[] = [];
  // One after the other, so that few files are in memory while they're read.
  for (const plannedPart of planned) {
    const { part, name } = await createContractPart(tenant, entry, plannedPart, contractContext);
    parts.push(part);
    if (name !== undefined) names.push(name);
  }
  return { parts, names: names.length === parts.length ? names : undefined };
}

function planParts(entry: CheckInDayBooking, contractContext: ContractContextValue): readonly PlannedPart[] {
  const deliveries = entry.units.map((unit) => planDelivery(entry, unit, contractContext));
  // An exchange in the office, or without a signature, has no separate contract text.
  const exchanges = contractContext.handOvers
    .filter((handOver) => handOver.kind === "exchange" && sentBy(handOver).signature?.contract_language !== undefined)
    .map((handOver) => ({ handOver, write: () => "" }));
  const collections = entry.units
    .filter(({ collection }) => collection)
    .map((unit, index) => planCollection(entry, unit, { ...contractContext, isFirst: index === 0 }));
  return [...deliveries, ...exchanges, ...collections];
}

function createNotice({ id }: CheckInDayBooking, { context: { language } }: ContractContextValue): PrintedContractText {
  const text = `# ${getContractTexts(language).title} ${id}\n${getPrintTexts(language).tooLong}\n`;
  return { text, language, signature: undefined };
}

function planDelivery(
  entry: CheckInDayBooking,
  unit: CheckInDayUnit,
  { handOvers, context }: ContractContextValue,
): PlannedPart {
  const handOver = handOvers.findLast(({ kind, unitId }) => kind === "delivery" && unitId === unit.unitId);
  return { handOver, write: () => writeContractText(collectContractTextData(entry, unit, context)) };
}

function planCollection(
  entry: CheckInDayBooking,
  unit: CheckInDayUnit,
  { isFirst, ...surroundings }: ContractContextValue & { readonly isFirst: boolean },
): PlannedPart {
  const handOver = surroundings.handOvers.findLast(
    ({ kind, unitId }) => kind === "collection" && unitId === unit.unitId,
  );
  // The contract stores the sum for all returns. It's printed on the first return.
  const { supplement1Cents, supplement2Cents, supplement3Cents } = surroundings.closing;
  const closing = isFirst
    ? { extraDaysCents: supplement1Cents, fuelCents: supplement2Cents, kilometresCents: supplement3Cents }
    : { extraDaysCents: 0, fuelCents: 0, kilometresCents: 0 };
  const write = () => {
    const { date, time } = toCivilNow(surroundings.timezone, unit.collection?.at ?? 0);
    const returned = {
      date,
      time,
      place: getReturnPlaceName(entry, sentBy(handOver).return_rental_location_code, surroundings),
    };
    const facts = collectReturnRecordData(entry, unit, surroundings.context, { returned, closing });
    return facts ? writeReturnRecord(facts) : "";
  };
  return { handOver, write };
}

/**
 * Returns the place of a return, which is at another branch if a code is given. The contract's return place is the one
 * of the last returned vehicle.
 */
export function getReturnPlaceName(
  { returnPlace }: Pick<CheckInDayBooking, "returnPlace">,
  branchCode: string | undefined,
  { branchNames }: Pick<ContractContextValue, "branchNames">,
): string {
  return branchCode === undefined ? returnPlace : (branchNames.get(branchCode) ?? branchCode);
}

// Operations are stored as sent, parsed.
const sentBy = (handOver: PrintedHandOverRow | undefined): SentWork => (handOver?.operation["sent"] ?? {}) as SentWork;

async function createContractPart(
  tenant: Tenant,
  entry: CheckInDayBooking,
  { handOver, write }: PlannedPart,
  { context, timezone }: ContractContextValue,
): Promise<NamedContractPart> {
  const { signature: sentSignature, clock_offset_ms: offset = 0 } = sentBy(handOver);
  if (!handOver || !sentSignature)
    return { part: { text: write(), language: context.language, signature: undefined }, name: undefined };
  const language = pickPlatformLanguage(sentSignature.contract_language, context.language);
  const [signed, image] = await Promise.all([
    sentSignature.contract_language === undefined
      ? undefined
      : signedText(tenant, entry.id, sentSignature.contract_hash),
    sentSignature.hash === undefined || handOver.hasPrintableSignature === 0
      ? undefined
      : readBytes(tenant, { bookingId: entry.id, hash: sentSignature.hash }, MAX_SIGNATURE_BYTES),
  ]);
  const signature: ContractTextSignature = {
    method: sentSignature.method,
    name: sentSignature.name,
    signedAt: momentText(Date.parse(sentSignature.signed_at) + offset, timezone, {
      language,
      country: context.country,
    }),
    image: image && toPrintableImage(image),
    hash: sentSignature.contract_hash || undefined,
    isOfText: signed !== undefined,
    reason: sentSignature.absent_reason,
    author: handOver.author,
  };
  const isComplete = signed !== undefined && handOver.missing === 0;
  return {
    part: { text: signed ?? write(), language: signed === undefined ? context.language : language, signature },
    name: isComplete ? handOver.opId : undefined,
  };
}

async function signedText(tenant: Tenant, bookingId: number, hash: string | undefined): Promise<string | undefined> {
  const bytes = hash === undefined ? undefined : await readBytes(tenant, { bookingId, hash }, MAX_CONTRACT_BYTES);
  const text = bytes && new TextDecoder().decode(bytes);
  return text !== undefined && hasContractTextFormat(text) ? text : undefined;
}

// A file larger than the limit isn't printed, as if it were missing. Its remaining bytes aren't read.
async function readBytes(tenant: Tenant, name: CheckInFileId, maxBytes: number): Promise<Uint8Array | undefined> {
  const stream = await tenant.files.get(getCheckInFilePath(name));
  return stream && readStreamUpTo(stream, maxBytes);
}

function momentText(
  at: number,
  timezone: string,
  { language, country }: { readonly language: PlatformLanguage; readonly country: string },
): string {
  const { date, time } = toCivilNow(timezone, at);
  return `${formatDate(date, language, country)} ${time}`;
}
