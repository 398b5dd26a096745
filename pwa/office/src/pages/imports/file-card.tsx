import type { CheckedFile, FileFormatOptions, ImportProblem, ImportTable } from "./import-calls.ts";
import { getFieldName, getFieldNames, getTableName, translateFix, translateProblem } from "./problem-texts.ts";
import { translateImport, translateImportOr } from "./texts.ts";

interface FileCardProps {
  readonly file: CheckedFile;
  readonly tables: readonly ImportTable[];
  /** Problems of the file as a whole or of its headings. */
  readonly problems: readonly ImportProblem[];
  readonly onTable: (table: string | null) => void;
  readonly onColumn: (heading: string, field: string | null) => void;
  readonly onStyle: (style: FileFormatOptions) => void;
}

/** Card of a file with its detected table, format and columns. All can be changed. */
export function ImportFileCard(props: FileCardProps) {
  const { file, tables, problems, onTable } = props;
  const table = tables.find(({ name }) => name === file.table);
  const unknown = table ? file.headings.filter(({ field, left_out }) => !field && !left_out) : [];
  return (
    <section class="panel">
      <div class="head">
        <h3>{file.file}</h3>
        <span class="soft">{translateImport("rows", { n: file.lines })}</span>
      </div>
      <label>
        {translateImport("kind")}
        <select
          value={file.left_out ? "" : (file.table ?? "?")}
          aria-invalid={!file.left_out && !file.table}
          onChange={({ currentTarget }) => onTable(currentTarget.value || null)}
        >
          {!file.table && !file.left_out && <option value="?">{translateImport("kindUnknown")}</option>}
          <option value="">{translateImport("leaveOut")}</option>
          {tables.map(({ name }) => (
            <option key={name} value={name}>
              {getTableName(name)}
            </option>
          ))}
        </select>
      </label>
      {file.warnings.map((warning) => (
        <p key={warning.code} class="soft">
          {translateProblem(warning)}
        </p>
      ))}
      <ul class="plain">
        {problems.map((problem) => (
          <li key={`${problem.line} ${problem.field} ${problem.code}`} class="problem">
            {problem.field && <strong>{getFieldNames(problem.field)}: </strong>}
            {translateProblem(problem)} {translateFix(problem)}
          </li>
        ))}
      </ul>
      {table && !file.left_out && (
        <details open={unknown.length > 0}>
          <summary>
            {unknown.length > 0
              ? translateImport("columnsUnknown", { n: unknown.length })
              : translateImport("columns", { n: file.headings.length })}
          </summary>
          <Columns {...props} table={table} />
        </details>
      )}
      {file.encoding && !["json", "workbook"].includes(file.encoding) && <Style {...props} />}
    </section>
  );
}

function Columns({ file, table, onColumn }: FileCardProps & { readonly table: ImportTable }) {
  const usedFields = new Set(file.headings.map(({ field }) => field));
  return (
    <section
      class="table"
      aria-label={`${file.file}: ${translateImport("columns", { n: file.headings.length })}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a table that is wider than the screen.
      tabIndex={0}
    >
      <table>
        <thead>
          <tr>
            <th>{translateImport("theirColumn")}</th>
            <th>{translateImport("example")}</th>
            <th>{translateImport("ourField")}</th>
          </tr>
        </thead>
        <tbody>
          {file.headings.map(({ heading, field, left_out }, at) => (
            <tr key={at}>
              <th>{heading}</th>
              <td class="soft">{file.rows.find(({ cells }) => cells[at])?.cells[at]}</td>
              <td>
                <select
                  aria-label={`${translateImport("ourField")}: ${heading}`}
                  aria-invalid={!field && !left_out}
                  value={left_out ? "" : (field ?? "?")}
                  onChange={({ currentTarget }) => onColumn(heading, currentTarget.value || null)}
                >
                  {!field && !left_out && <option value="?">{translateImport("fieldUnknown")}</option>}
                  <option value="">{translateImport("leaveOut")}</option>
                  {table.fields.map((item) => (
                    <option
                      key={item.field}
                      value={item.field}
                      disabled={usedFields.has(item.field) && item.field !== field}
                    >
                      {getFieldName(item.field)}
                      {item.required ? " *" : ""}
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

// Detected format with alternatives.
function Style({ file, onStyle }: FileCardProps) {
  const names = Object.keys(STYLES) as (keyof typeof STYLES)[];
  const styleTexts = names
    .map((name) => translateImportOr(`style.${name}.${file[name]}`, file[name] ?? ""))
    .filter(Boolean);
  const doubts = file.encoding_doubts;
  return (
    <details open={doubts.length > 0}>
      <summary>{translateImport("written", { how: styleTexts.join(" · ") })}</summary>
      {doubts.length > 0 && <Doubt file={file} onStyle={onStyle} />}
      <div class="line">
        {names.map((name) => (
          <label key={name}>
            {translateImport(`style.${name}`)}
            <select value={file[name] ?? ""} onChange={({ currentTarget }) => onStyle({ [name]: currentTarget.value })}>
              {!file[name] && <option value="" />}
              {STYLES[name].map((item) => (
                <option key={item} value={item}>
                  {translateImportOr(`style.${name}.${item}`, item)}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
    </details>
  );
}

// Sample text in each possible encoding, so that the user can choose the right one.
function Doubt({ file, onStyle }: Pick<FileCardProps, "file" | "onStyle">) {
  return (
    <fieldset class="chips" data-doubt>
      <legend>{translateImport("encodingDoubt")}</legend>
      {file.encoding_doubts.map(({ encoding, example }) => (
        <button
          key={encoding}
          type="button"
          aria-pressed={encoding === file.encoding}
          onClick={() => onStyle({ encoding })}
        >
          <q>{example}</q> · {translateImportOr(`style.encoding.${encoding}`, encoding)}
        </button>
      ))}
    </fieldset>
  );
}
