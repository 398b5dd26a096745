import { z } from "zod";
import * as codes from "#domain/failure-codes.ts";
import { IMPORT_PROBLEM_CODES, UNDO_PROBLEM_CODES } from "#domain/operations/import-problems.ts";
import { PROBLEM_CODES } from "#domain/problem-messages.ts";
import {
  type checkInFailureAnswer,
  createFailureCodeSchema,
  createFailureDetailSchema,
  createFailureSchema,
  type documentFailureAnswer,
  type operationsFailureAnswer,
} from "#worker/api/failure-messages.ts";

// Separate from `#worker/api/failure-messages.ts`, so that the front Worker doesn't load the codes of file imports.

const fieldCode = z
  .enum([...new Set<codes.FieldCode>([...PROBLEM_CODES, ...IMPORT_PROBLEM_CODES, ...UNDO_PROBLEM_CODES])])
  .meta({ id: "DetailCode", description: "Why a value, an import or its undoing is refused. More codes may follow" });

/** Code of a refusal of the office. */
export const officeFailureCode = createFailureCodeSchema(codes.OFFICE_FAILURE_CODES);
/** A refused field of the office. */
export const officeFailureDetail = createFailureDetailSchema(fieldCode);

/** Error response of the office. */
export const officeFailureAnswer = createFailureSchema(officeFailureCode, fieldCode);

/** Error response of the APIs that the office app calls: office, documents, check-in and operations. */
export type OfficeAppFailureMessage = z.output<
  | typeof officeFailureAnswer
  | typeof documentFailureAnswer
  | typeof checkInFailureAnswer
  | typeof operationsFailureAnswer
>;
