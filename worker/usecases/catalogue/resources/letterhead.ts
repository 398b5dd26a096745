import { createProblem } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { resourceHistoryEntryStatement } from "#worker/store/catalogue/resources/resource-writes.ts";
import type { QueryResults } from "#worker/store/database.ts";
import {
  lastLetterheadVersionQuery,
  letterheadQuery,
  saveLetterheadStatement,
} from "#worker/store/printing/letterhead.ts";
import { findMissingRightRefusal, type OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { createOfficeWriter } from "#worker/usecases/office/office-write.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { toPrintableImage } from "#worker/usecases/shared/printing-context.ts";
import { rebuildPrintableImage } from "#worker/usecases/shared/rebuild-image.ts";
import type { ResourceRefusal } from "./resource-refusals.ts";

const DEFAULT_COLOR = "#1f4e79";
const MAX_LOGO_KB = 200;

/** Logo, colour and footer of a company's documents and pages. */
export interface LetterheadSettings {
  readonly color: string;
  readonly foot: string;
  /** Logo as PNG or JPEG in base64. */
  readonly logo: string | null;
  readonly version: number;
}

export type LetterheadChange = Partial<Omit<LetterheadSettings, "version">>;

export type LetterheadRefusal =
  | ResourceRefusal
  /** The layout was changed in the meantime. Contains its current state. */
  | { readonly kind: "letterheadChanged"; readonly letterhead: LetterheadSettings };

const writeLetterhead = createOfficeWriter<LetterheadRefusal>();

const letterheadQueries = (db: OfficeWrite["tenant"]["db"]) =>
  [letterheadQuery(db), lastLetterheadVersionQuery(db)] as const;

function toLetterhead([[row], [history]]: QueryResults<ReturnType<typeof letterheadQueries>>): LetterheadSettings {
  return {
    color: row?.color ?? DEFAULT_COLOR,
    foot: row?.foot ?? "",
    logo: row?.logo ?? null,
    version: 1 + (history?.version ?? 0),
  };
}

/** Returns the logo, colour and footer. One round trip. */
export async function readLetterhead(
  request: StaffRequest,
): Promise<Result<StaffAnswer<LetterheadSettings>, ResourceRefusal>> {
  const read = await readAsStaff(request, () => letterheadQueries(request.tenant.db));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  return findMissingRightRefusal(staff, "see") ?? ok({ value: toLetterhead(rows), freshToken });
}

/** Changes the logo, colour or footer. Two round trips. */
export function changeLetterhead(
  write: OfficeWrite,
  { expectedVersion, ...change }: LetterheadChange & { readonly expectedVersion: number },
): Promise<Result<StaffAnswer<LetterheadSettings>, LetterheadRefusal>> {
  const { db } = write.tenant;
  return writeLetterhead(write, {
    right: "administer",
    content: { letterhead: change, expectedVersion },
    read: () => letterheadQueries(db),
    readBack: () => letterheadQueries(db),
    answer: (rows) => ok(toLetterhead(rows)),
    decide: async ({ rows, actor, at }) => {
      const before = toLetterhead(rows);
      if (before.version !== expectedVersion) return err({ kind: "letterheadChanged", letterhead: before });
      const logo = change.logo ? await rebuildLogo(change.logo) : change.logo;
      if (change.logo && !logo)
        return err({ kind: "problems", problems: [createProblem("logo", "picture", MAX_LOGO_KB)] });
      const { version: _, ...values } = { ...before, ...change, ...(logo && { logo }) };
      const toEntry = ({ logo, ...others }: LetterheadChange) => ({ ...others, has_logo: logo !== null });
      const entry = { id: "1", version: before.version, at, actor, event: "changed" } as const;
      return ok({
        resource: "1",
        statements: [
          saveLetterheadStatement(db, values),
          resourceHistoryEntryStatement(
            db,
            { name: "letterhead" },
            { ...entry, before: toEntry(before), after: toEntry(values) },
          ),
        ],
      });
    },
  });
}

// Returns the logo without anything but the parts that show it, because it's public. Undefined if it can't be printed.
async function rebuildLogo(base64: string): Promise<string | undefined> {
  const bytes = Uint8Array.from(Buffer.from(base64, "base64"));
  const image = bytes.byteLength <= MAX_LOGO_KB * 1000 ? await rebuildPrintableImage(bytes) : undefined;
  return image && toPrintableImage(image.content)?.base64;
}
