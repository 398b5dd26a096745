import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { HandOverRequest } from "#domain/check-in/desk.ts";
import { collectReturnRecordData } from "#domain/printing/contract-facts.ts";
import { writeReturnRecord } from "#domain/printing/contract-text.ts";
import { createReturnedUnit } from "#domain/printing/typed-return.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { quoteReturn } from "#worker/usecases/check-in/hand-over.ts";
import type { StaffAnswer, StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { getReturnPlaceName } from "./contract-parts.ts";
import { readContractData } from "./print-contract.ts";
import type { PrintRefusal } from "./read-printable.ts";

/** Text of a return that isn't recorded, which the customer reads before signing. */
export interface ReturnRecordText {
  readonly text: string;
  readonly language: PlatformLanguage;
  /** Time of the return in the text, in the account's time zone: `2030-06-10T10:00`. */
  readonly at: string;
}

/** Writes the text of a typed return with its costs. Stores nothing. Two round trips at the same time. */
export async function createReturnRecordText(
  request: StaffRequest,
  input: HandOverRequest,
): Promise<Result<StaffAnswer<ReturnRecordText>, PrintRefusal>> {
  const reader = { kind: "staff", request } as const;
  const [quoted, read] = await Promise.all([
    quoteReturn(request, input),
    readContractData(reader, { id: input.bookingId }),
  ]);
  if (!quoted.ok) return quoted;
  if (!read.ok) return read;
  const { refusal, charges, unitId, doneAt, surcharges } = quoted.value.value;
  if (refusal) return err(refusal);
  const { entry, surroundings, freshToken } = read.value;
  const { kilometres, fuelEighths, damages, returnBranchCode } = input;
  const unit = createReturnedUnit(entry, { unitId, reading: { at: doneAt, kilometres, fuelEighths }, damages });
  const { date, time } = toCivilNow(surroundings.timezone, doneAt);
  const place = getReturnPlaceName(entry, returnBranchCode, surroundings);
  const facts =
    unit &&
    charges &&
    collectReturnRecordData(entry, unit, surroundings.context, { returned: { date, time, place }, closing: charges });
  if (!facts) return err({ kind: "unitNotFound" });
  const text = writeReturnRecord({
    ...facts,
    surcharges: surcharges.map(({ description: name, quantity, extraCents: cents }) => ({ name, quantity, cents })),
  });
  return ok({ value: { text, language: surroundings.context.language, at: `${date}T${time}` }, freshToken });
}
