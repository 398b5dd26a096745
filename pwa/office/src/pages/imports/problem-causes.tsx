import { groupProblemsByCause, isSolvedByValueMapping } from "#domain/operations/import-causes.ts";
import type { ImportCheckResult, ImportProblem, ImportTable } from "./import-calls.ts";
import { getFieldNames, translateFix, translateProblem } from "./problem-texts.ts";
import { translateImport } from "./texts.ts";

interface CausesProps {
  readonly check: ImportCheckResult;
  readonly tables: readonly ImportTable[];
  readonly onValue: (table: string, field: string, fileValue: string, platformValue: string) => void;
}

/** Lists the causes of row problems, each with its number of rows. Unknown values can be mapped to known ones. */
export function ImportProblemCauses({ check, tables, onValue }: CausesProps) {
  const causes = groupProblemsByCause(check.problems.filter(({ line }) => line > 1));
  if (causes.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="import-causes">
      <h3 id="import-causes">{translateImport("causes")}</h3>
      <ul class="plain rows">
        {causes.map(({ first, lines }) => (
          <li key={`${first.file} ${first.field} ${first.code} ${first.value}`}>
            <span>
              {first.field && <strong>{getFieldNames(first.field)} </strong>}
              {first.value !== null && first.value !== "" && <q>{first.value}</q>} {translateProblem(first)}{" "}
              {translateFix(first)}
              <small>
                {first.file} · {translateImport("wrongRows", { n: lines.length })}
              </small>
            </span>
            <ValueChoice
              problem={first}
              table={tables.find(({ name }) => name === findTable(check, first))}
              onValue={onValue}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

const findTable = ({ files }: ImportCheckResult, { file }: ImportProblem) =>
  files.find((checkedFile) => checkedFile.file === file)?.table;

interface ValueChoiceProps extends Pick<CausesProps, "onValue"> {
  readonly problem: ImportProblem;
  readonly table: ImportTable | undefined;
}

function ValueChoice({ problem, table, onValue }: ValueChoiceProps) {
  const { field, value } = problem;
  const values = listKnownValues(problem, table);
  if (!table || !value || values.length === 0 || !isSolvedByValueMapping(problem)) return null;
  return (
    <label>
      <span class="unseen">{`${translateImport("mapValue")}: ${value}`}</span>
      <select value="?" onChange={({ currentTarget }) => onValue(table.name, field, value, currentTarget.value)}>
        <option value="?">{translateImport("mapValue")}</option>
        {values.map((known) => (
          <option key={known} value={known}>
            {known}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Lists the values that a field accepts, or the names of the rows that it may refer to. */
function listKnownValues({ field, remedy }: ImportProblem, table: ImportTable | undefined): readonly string[] {
  const words = table?.fields.find((importField) => importField.field === field)?.words ?? [];
  if (words.length > 0) return words;
  if (remedy?.code === "yes_or_no") return ["yes", "no"];
  const allowedValues = remedy?.code === "one_of" ? String(remedy.params["values"] ?? "") : "";
  return allowedValues.split(", ").filter((name) => name !== "" && name !== "…");
}
