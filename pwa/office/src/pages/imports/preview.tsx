import { useState } from "preact/hooks";
import type { CheckedFile, ImportProblem } from "./import-calls.ts";
import { translateFix, translateProblem } from "./problem-texts.ts";
import { translateImport } from "./texts.ts";

interface PreviewProps {
  readonly file: CheckedFile;
  readonly problems: readonly ImportProblem[];
}

/** Preview of a file's rows, with errors at their cells. */
export function ImportPreview({ file, problems }: PreviewProps) {
  const rowProblems = problems.filter(({ line }) => line > 1);
  const [isAll, setAll] = useState(false);
  const problemLines = new Set(rowProblems.map(({ line }) => line));
  const isFiltered = problemLines.size > 0 && !isAll;
  const rows = isFiltered ? file.rows.filter(({ line }) => problemLines.has(line)) : file.rows;
  return (
    <section class="panel">
      <div class="head">
        <h3>{file.file}</h3>
        <Outcome file={file} problemCount={problemLines.size} />
      </div>
      {problemLines.size > 0 && (
        <div class="checks">
          <label>
            <input type="checkbox" checked={isFiltered} onChange={() => setAll(!isAll)} />
            {translateImport("onlyWrong")}
          </label>
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the screen is scrolled by keys. */}
      <section class="table imported" aria-label={translateImport("previewOf", { file: file.file })} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th class="number">{translateImport("line")}</th>
              {file.headings.map(({ heading, left_out }, at) => (
                <th key={at} class={left_out ? "soft" : undefined}>
                  {left_out ? <s>{heading}</s> : heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ line, cells }) => (
              <Row
                key={line}
                file={file}
                line={line}
                cells={cells}
                problems={rowProblems.filter((ofRow) => ofRow.line === line)}
              />
            ))}
          </tbody>
        </table>
      </section>
      {rows.length < file.lines && !isFiltered && (
        <p class="soft">{translateImport("firstRows", { n: rows.length, all: file.lines })}</p>
      )}
    </section>
  );
}

function Outcome({ file, problemCount }: { readonly file: CheckedFile; readonly problemCount: number }) {
  if (problemCount > 0) return <span class="problem">{translateImport("wrongRows", { n: problemCount })}</span>;
  const { added, changed, unchanged } = file;
  return <span class="calm">{translateImport("outcome", { added, changed, unchanged })}</span>;
}

interface RowProps extends PreviewProps {
  readonly line: number;
  readonly cells: readonly string[];
}

function Row({ file, line, cells, problems }: RowProps) {
  const fields = file.headings.map(({ field, heading }) => field ?? heading);
  const splitFields = ({ field }: ImportProblem) => field.split(", ");
  const others = problems.filter((problem) => !splitFields(problem).some((name) => fields.includes(name)));
  return (
    <tr>
      <th class="number">
        {line}
        <Reasons problems={others} isNamed />
      </th>
      {file.headings.map((_, at) => {
        const own = problems.filter((problem) => fields[at] !== undefined && splitFields(problem).includes(fields[at]));
        return (
          <td key={at} class={own.length > 0 ? "wrong" : undefined}>
            {cells[at]}
            <Reasons problems={own} />
          </td>
        );
      })}
    </tr>
  );
}

function Reasons({
  problems,
  isNamed = false,
}: {
  readonly problems: readonly ImportProblem[];
  readonly isNamed?: boolean;
}) {
  return (
    <>
      {problems.map((problem) => (
        <span key={`${problem.field} ${problem.code}`} class="problem reason">
          {isNamed && problem.field && `${problem.field}: `}
          {translateProblem(problem)} {translateFix(problem)}
        </span>
      ))}
    </>
  );
}
