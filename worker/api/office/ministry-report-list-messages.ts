import { z } from "zod";
import { AUTHORITY_CODE_LISTS, type AuthorityCodeEntries } from "#domain/ministry-reports/lists.ts";
import { type MessageFormat, timestampTextSchema } from "#worker/api/integration/messages.ts";
import { mapNamesToSchemas } from "#worker/api/primitives.ts";

const entry = z.object({ code: z.string(), name: z.string() }).meta({ id: "MinistryReportCode" });
const list = z.enum(AUTHORITY_CODE_LISTS);

/** Code lists of the ministry, and the codes reported for the fleet's terms. */
export const ministryListsAnswer = z
  .object({
    mode: z.enum(["none", "dry_run", "ses"]),
    environment: z.enum(["test", "production"]),
    fetched_at: timestampTextSchema.nullable().meta({ description: "When the lists were fetched. Null if never" }),
    municipalities: z.int().meta({ description: "How many municipalities are known" }),
    failed: z.array(z.string()).meta({ description: "Lists that could not be fetched" }),
    others: z
      .object(mapNamesToSchemas(AUTHORITY_CODE_LISTS, () => z.string().nullable()))
      .meta({ description: "The company's choice for values outside the lists" }),
    lists: z.array(z.object({ list, entries: z.array(entry) })),
    words: z.array(
      z.object({
        list,
        word: z.string(),
        vehicles: z.int(),
        chosen: z.string().nullable().meta({ description: "The company's own choice" }),
        code: z.string().nullable().meta({ description: "Reported code. Null if a user must choose" }),
      }),
    ),
  })
  .meta({ id: "MinistryReportLists" });
export type MinistryListsMessage = z.output<typeof ministryListsAnswer>;

export const municipalitiesQuery = z.object({
  province: z
    .string("is required: the first two digits of the post code")
    .regex(/^(0[1-9]|[1-4]\d|5[0-2])$/, "must be 01 to 52, the first two digits of the post code")
    .meta({ example: "07" }),
});
export const municipalitiesAnswer = z.object({ data: z.array(entry) });
export type MunicipalitiesMessage = z.output<typeof municipalitiesAnswer>;

interface Lists {
  readonly settings: {
    readonly sesMode: "none" | "dry_run" | "ses";
    readonly sesEnvironment: "test" | "production";
    readonly sesCodes: Readonly<Record<string, string>>;
  };
  readonly lists: Readonly<Partial<Record<(typeof AUTHORITY_CODE_LISTS)[number], AuthorityCodeEntries>>>;
  readonly words: readonly {
    readonly list: (typeof AUTHORITY_CODE_LISTS)[number];
    readonly word: string;
    readonly vehicles: number;
    readonly chosen: string | undefined;
    readonly code: string | undefined;
  }[];
  readonly fetchedAt: number | undefined;
  readonly municipalities: number;
  readonly failed: readonly string[];
}

export function toMinistryReportListsMessage(
  codeLists: Lists,
  messageFormat: MessageFormat,
): z.output<typeof ministryListsAnswer> {
  return {
    mode: codeLists.settings.sesMode,
    environment: codeLists.settings.sesEnvironment,
    fetched_at: codeLists.fetchedAt === undefined ? null : messageFormat.timestamp(codeLists.fetchedAt),
    municipalities: codeLists.municipalities,
    failed: [...codeLists.failed],
    others: othersBy((name) => codeLists.settings.sesCodes[`${name}:*`] ?? null),
    lists: AUTHORITY_CODE_LISTS.map((name) => ({ list: name, entries: toListMessage(codeLists.lists[name] ?? []) })),
    words: codeLists.words.map((word) => ({ ...word, chosen: word.chosen ?? null, code: word.code ?? null })),
  };
}

const othersBy = (getChoice: (name: (typeof AUTHORITY_CODE_LISTS)[number]) => string | null) => ({
  brand: getChoice("brand"),
  color: getChoice("color"),
  type: getChoice("type"),
  licence: getChoice("licence"),
});

const toListMessage = (entries: AuthorityCodeEntries) => entries.map(([code, name]) => ({ code, name }));

export function toMunicipalitiesMessage(entries: AuthorityCodeEntries): z.output<typeof municipalitiesAnswer> {
  return { data: toListMessage(entries) };
}
