import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import readWorkbook from "read-excel-file/node";
import { decode } from "./decode.ts";
import { parseSheet, type SheetRow, separatorOf } from "./parse-csv.ts";
import type { KnownStyle, Style } from "./style.ts";

/** A file, or a sheet of a workbook, as cells. */
export interface Sheet {
  readonly file: string;
  /** What its table is named after. */
  readonly name: string;
  readonly rows: readonly SheetRow[];
  readonly written: Pick<Style, "encoding" | "separator">;
}

export type Opened = Sheet | { readonly file: string; readonly problem: string; readonly remedy?: string };

const KINDS = /\.(csv|tsv|txt|json|jsonl|xlsx)$/i;
/** What the command itself keeps beside the files. */
const OWN = /^mapping\.json$/;

/** Every file of a folder as sheets of cells. */
export async function readSheets(folder: string, known: KnownStyle): Promise<readonly Opened[]> {
  const files = (await readdir(folder)).filter((file) => KINDS.test(file) && !OWN.test(file) && !file.startsWith("~$"));
  const sheets: Opened[] = [];
  for (const file of files.sort()) sheets.push(...(await open(folder, file, known)));
  return sheets;
}

async function open(folder: string, file: string, known: KnownStyle): Promise<readonly Opened[]> {
  const bytes = await readFile(join(folder, file));
  if (/\.xlsx$/i.test(file)) return openWorkbook(file, bytes);
  const name = file.replace(KINDS, "");
  const { text, encoding } = decode(bytes, known.encoding);
  if (/\.jsonl?$/i.test(file)) return [openJson(file, name, text)];
  const separator = known.separator ?? separatorOf(text);
  const rows = parseSheet(text, separator);
  if (!rows || rows.length === 0)
    return [
      {
        file,
        problem: "is no CSV: a quote is not closed, or stands where none may",
        remedy: 'a quote within quotes is written ""',
      },
    ];
  return [{ file, name, rows: rows.map(trimmed), written: { encoding, separator } }];
}

function trimmed({ line, cells }: SheetRow): SheetRow {
  return { line, cells: cells.map((cell) => cell.trim()) };
}

async function openWorkbook(file: string, bytes: Buffer): Promise<readonly Opened[]> {
  try {
    const sheets = await readWorkbook(bytes);
    const filled = sheets.filter(({ data }) => data.length > 0);
    return filled.map(({ sheet, data }) => ({
      file: filled.length > 1 ? `${file} [${sheet}]` : file,
      // A workbook of one sheet is named by its file, as a sheet is called Sheet1.
      name: filled.length > 1 ? sheet : file.replace(KINDS, ""),
      rows: data.map((cells, index) => trimmed({ line: index + 1, cells: cells.map(cellText) })),
      written: { encoding: "workbook" as const, separator: undefined },
    }));
  } catch {
    return [{ file, problem: "is no workbook that can be read", remedy: "save it again as .xlsx, without a password" }];
  }
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (!(cell instanceof Date)) return typeof cell === "boolean" ? (cell ? "yes" : "no") : String(cell);
  const text = cell.toISOString();
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 16)}`;
}

function openJson(file: string, name: string, text: string): Opened {
  try {
    const isLines = /\.jsonl$/i.test(file);
    const lines = isLines ? text.split("\n").filter((line) => line.trim() !== "") : [];
    const objects = isLines ? lines.map((line) => JSON.parse(line) as unknown) : (JSON.parse(text) as unknown);
    if (!Array.isArray(objects)) return { file, problem: "must be a list of objects" };
    const fields = [...new Set(objects.flatMap((one: unknown) => Object.keys(Object(one))))];
    const rows = objects.map((one: Record<string, unknown>, index) => ({
      line: index + 1,
      cells: fields.map((field) => String(one[field] ?? "")),
    }));
    return {
      file,
      name,
      rows: [{ line: 1, cells: fields }, ...rows],
      written: { encoding: "json", separator: undefined },
    };
  } catch {
    return { file, problem: "is no JSON" };
  }
}
