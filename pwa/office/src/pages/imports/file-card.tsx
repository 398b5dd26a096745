import { tOr } from "../../texts.ts";
import type { CheckedFile, FileStyle, ImportProblem, ImportTable } from "./importing.ts";
import { remedyWords, whyWords } from "./problem-words.ts";
import { say, sayOr } from "./texts.ts";

interface FileCardProps {
  readonly file: CheckedFile;
  readonly tables: readonly ImportTable[];
  /** Of the file as a whole, or of its headings. */
  readonly problems: readonly ImportProblem[];
  readonly onTable: (table: string | null) => void;
  readonly onColumn: (heading: string, field: string | null) => void;
  readonly onStyle: (style: FileStyle) => void;
}

const nameOfTable = (name: string) => sayOr(`table.${name}`, name);
const nameOfField = (field: string) => {
  const known = tOr(`field.${field}`, "");
  return known ? `${known} (${field})` : field;
};

/**
 * A file as it was understood: what it is, how it is written, and what its columns mean; all of it can be said
 * otherwise.
 */
export function FileCard(props: FileCardProps) {
  const { file, tables, problems, onTable } = props;
  const table = tables.find(({ name }) => name === file.table);
  const unknown = table ? file.headings.filter(({ field, left_out }) => !field && !left_out) : [];
  return (
    <section class="panel">
      <div class="head">
        <h3>{file.file}</h3>
        <span class="soft">{say("rows", { n: file.lines })}</span>
      </div>
      <label>
        {say("kind")}
        <select
          value={file.left_out ? "" : (file.table ?? "?")}
          aria-invalid={!file.left_out && !file.table}
          onChange={({ currentTarget }) => onTable(currentTarget.value || null)}
        >
          {!file.table && !file.left_out && <option value="?">{say("kindUnknown")}</option>}
          <option value="">{say("leaveOut")}</option>
          {tables.map(({ name }) => (
            <option key={name} value={name}>
              {nameOfTable(name)}
            </option>
          ))}
        </select>
      </label>
      <ul class="plain">
        {problems.map((one) => (
          <li key={`${one.line} ${one.field} ${one.problem}`} class="problem">
            {one.field && <strong>{one.field}: </strong>}
            {whyWords(one)} {remedyWords(one)}
          </li>
        ))}
      </ul>
      {table && !file.left_out && (
        <details open={unknown.length > 0}>
          <summary>
            {unknown.length > 0
              ? say("columnsUnknown", { n: unknown.length })
              : say("columns", { n: file.headings.length })}
          </summary>
          <Columns {...props} table={table} />
        </details>
      )}
      {file.encoding && !["json", "workbook"].includes(file.encoding) && <Style {...props} />}
    </section>
  );
}

function Columns({ file, table, onColumn }: FileCardProps & { readonly table: ImportTable }) {
  const taken = new Set(file.headings.map(({ field }) => field));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the screen is scrolled by keys.
    <section class="table" aria-label={`${file.file}: ${say("columns", { n: file.headings.length })}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>{say("theirColumn")}</th>
            <th>{say("example")}</th>
            <th>{say("ourField")}</th>
          </tr>
        </thead>
        <tbody>
          {file.headings.map(({ heading, field, left_out }, at) => (
            <tr key={at}>
              <th>{heading}</th>
              <td class="soft">{file.rows.find(({ cells }) => cells[at])?.cells[at]}</td>
              <td>
                <select
                  aria-label={`${say("ourField")}: ${heading}`}
                  aria-invalid={!field && !left_out}
                  value={left_out ? "" : (field ?? "?")}
                  onChange={({ currentTarget }) => onColumn(heading, currentTarget.value || null)}
                >
                  {!field && !left_out && <option value="?">{say("fieldUnknown")}</option>}
                  <option value="">{say("leaveOut")}</option>
                  {table.fields.map((one) => (
                    <option key={one.field} value={one.field} disabled={taken.has(one.field) && one.field !== field}>
                      {nameOfField(one.field)}
                      {one.required ? " *" : ""}
                    </option>
                  ))}
                </select>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const STYLES = {
  encoding: ["utf-8", "utf-16le", "utf-16be", "windows-1252", "ibm850", "ibm437", "macintosh"],
  separator: [",", ";", "\t", "|"],
  decimal: [".", ","],
  dates: ["day", "month"],
} as const;

// What was found out, and a choice beside it.
function Style({ file, onStyle }: FileCardProps) {
  const names = Object.keys(STYLES) as (keyof typeof STYLES)[];
  const found = names.map((name) => sayOr(`style.${name}.${file[name]}`, file[name] ?? "")).filter(Boolean);
  const doubts = file.encoding_doubts;
  return (
    <details open={doubts.length > 0}>
      <summary>{say("written", { how: found.join(" · ") })}</summary>
      {doubts.length > 0 && <Doubt file={file} onStyle={onStyle} />}
      <div class="line">
        {names.map((name) => (
          <label key={name}>
            {say(`style.${name}`)}
            <select value={file[name] ?? ""} onChange={({ currentTarget }) => onStyle({ [name]: currentTarget.value })}>
              {!file[name] && <option value="" />}
              {STYLES[name].map((one) => (
                <option key={one} value={one}>
                  {sayOr(`style.${name}.${one}`, one)}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
    </details>
  );
}

// The same place of the file as each encoding reads it: who knows the name knows the encoding.
function Doubt({ file, onStyle }: Pick<FileCardProps, "file" | "onStyle">) {
  return (
    <fieldset class="chips" data-doubt>
      <legend>{say("encodingDoubt")}</legend>
      {file.encoding_doubts.map(({ encoding, example }) => (
        <button
          key={encoding}
          type="button"
          aria-pressed={encoding === file.encoding}
          onClick={() => onStyle({ encoding })}
        >
          <q>{example}</q> · {sayOr(`style.encoding.${encoding}`, encoding)}
        </button>
      ))}
    </fieldset>
  );
}
