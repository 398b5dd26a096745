import { z } from "zod";
import { parseCivilDate } from "#domain/dates.ts";
import { splitCursor } from "#domain/reporting/page-cursor.ts";
import { createProblemIssue } from "#worker/api/primitives.ts";

/** Parses one value of a cursor, undefined if it's invalid. */
type ValueParser<Value> = (text: string) => Value | undefined;

/** Parses the values of a cursor, undefined if they are invalid. */
export type CursorParser<Cursor> = (values: readonly string[]) => Cursor | undefined;

export const parseCursorId: ValueParser<number> = (text) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined);
export const parseCursorNumber: ValueParser<number> = (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined);
export const parseCursorDate: ValueParser<string> = (text) => parseCivilDate(text);
export const parseCursorText: ValueParser<string> = (text) => (/^\P{Cc}{1,120}$/u.test(text) ? text : undefined);

/** Creates the parser of a cursor with one value. */
export function createSingleValueCursorParser<Value>(parse: ValueParser<Value>): CursorParser<Value> {
  return ([text, ...others]) => (text === undefined || others.length > 0 ? undefined : parse(text));
}

/** Creates the parser of a cursor with several values, in this order. */
export function createMultiValueCursorParser<Cursor extends object>(
  parsers: {
    readonly [Name in keyof Cursor]: ValueParser<Cursor[Name]>;
  },
): CursorParser<Cursor> {
  const names = Object.keys(parsers) as (keyof Cursor)[];
  return (values) => {
    if (values.length !== names.length) return undefined;
    const parsed = names.map((name, index) => [name, parsers[name](values[index] ?? "")] as const);
    return parsed.every(([, value]) => value !== undefined) ? (Object.fromEntries(parsed) as Cursor) : undefined;
  };
}

/** Creates the schema of a cursor: `next` of the previous page. */
export function createCursorField<Cursor>(
  parse: CursorParser<Cursor>,
  description?: string,
): z.ZodType<Cursor, string> {
  return z
    .string("must be next of the previous page")
    .transform((text, context) => {
      const cursor = text.length <= MAX_LENGTH ? parse(splitCursor(text)) : undefined;
      if (cursor !== undefined) return cursor;
      context.addIssue(createProblemIssue("not_in_list"));
      return z.NEVER;
    })
    .meta({ type: "string", ...(description !== undefined && { description }) });
}

const MAX_LENGTH = 400;

/** Schema of a cursor that is the id of the last row. */
export const idCursorField = createCursorField(createSingleValueCursorParser(parseCursorId));
