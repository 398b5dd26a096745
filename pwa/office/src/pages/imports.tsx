import { useEffect, useRef, useState } from "preact/hooks";
import { IMPORT_FILE_ENDINGS, isImportFileName } from "#domain/operations/import-file-names.ts";
import type { ImportableTablesMessage, ImportListMessage } from "#worker/api/office/import-messages.ts";
import { fetchFile, sendOfficeRequest, toOfficePath } from "../api.ts";
import { saveFile } from "../desk/save-file.ts";
import { SettingsCrumbs } from "../desk/settings-crumbs.tsx";
import { useSubmitOnce } from "../desk/submit-once.ts";
import { t } from "../texts.ts";
import { ImportFileCard } from "./imports/file-card.tsx";
import { ImportHistory } from "./imports/history.tsx";
import {
  addMappedValue,
  type CheckedFile,
  type ChosenFile,
  type FileFormatOptions,
  type FileMapping,
  hashImport,
  type ImportCheckResult,
  type ImportRecord,
  type ImportTable,
  MAPPING_FILE_NAME,
  MAX_IMPORT_BYTES,
  parseMappingFile,
  readImportFile,
  sendImport,
  toImportCallResult,
} from "./imports/import-calls.ts";
import { ImportPreview } from "./imports/preview.tsx";
import { ImportProblemCauses } from "./imports/problem-causes.tsx";
import { toProblemsCsv } from "./imports/problems-file.ts";
import { loadImportTexts, translateImport } from "./imports/texts.ts";

const NO_MAPPING: FileMapping = { files: {}, columns: {}, values: {} };

/**
 * Import from another system: choose files, check the detected format, fix problems and import. The last import can be
 * undone.
 */
export default function Imports() {
  const [isReady, setReady] = useState(false);
  const [tables, setTables] = useState<readonly ImportTable[]>([]);
  const [records, setRecords] = useState<readonly ImportRecord[]>([]);
  const [problem, setProblem] = useState("");
  const readRecords = async () => {
    const { body } = await sendOfficeRequest<ImportListMessage>("GET", toOfficePath("/imports"));
    setRecords(body.data ?? []);
  };
  const read = async () => {
    await loadImportTexts();
    const [{ status, body }] = await Promise.all([
      sendOfficeRequest<ImportableTablesMessage>("GET", toOfficePath("/imports/tables")),
      readRecords(),
    ]);
    if (status === 200) setTables(body.data ?? []);
    else setProblem(translateImport("refused.import_unavailable"));
    setReady(true);
  };
  useEffect(() => {
    read().catch(() => setProblem(t("notLoaded")));
  }, []);
  return (
    <main>
      <SettingsCrumbs />
      <h1>{t("imports")}</h1>
      {problem && <p role="alert">{problem}</p>}
      {!isReady && !problem && <p>{t("loading")}</p>}
      {isReady && (
        <>
          <Importing tables={tables} onImported={() => void readRecords()} />
          <ImportHistory records={records} onChange={() => void readRecords()} />
        </>
      )}
    </main>
  );
}

interface ImportingProps {
  readonly tables: readonly ImportTable[];
  readonly onImported: () => void;
}

function Importing({ tables, onImported }: ImportingProps) {
  const [files, setFiles] = useState<readonly ChosenFile[]>([]);
  const [mapping, setMapping] = useState(NO_MAPPING);
  const [check, setCheck] = useState<ImportCheckResult>();
  const [isTrying, setTrying] = useState(false);
  const [refused, setRefused] = useState("");
  const [done, setDone] = useState("");
  // Clear earlier notices.
  const hush = () => {
    setRefused("");
    setDone("");
  };
  const tried = async (some: readonly ChosenFile[], mapping: FileMapping): Promise<ImportCheckResult | undefined> => {
    setTrying(true);
    hush();
    const checkResult = toImportCallResult(
      await sendImport<ImportCheckResult>("/imports/check", some, mapping).catch(() => undefined),
    );
    setTrying(false);
    if ("answer" in checkResult) return checkResult.answer;
    setRefused(checkResult.refused);
    return undefined;
  };
  const importing = useSubmitOnce<ImportRecord>({
    draft: ["import", undefined],
    title: t("imports"),
    formatNotice: (answer) => formatImportResult(answer.body),
    take: (answer) => {
      const checkResult = toImportCallResult(answer);
      if ("refused" in checkResult) return setRefused(checkResult.refused);
      setFiles([]);
      setCheck(undefined);
      setMapping(NO_MAPPING);
      setDone(formatImportResult(checkResult.answer));
      onImported();
    },
  });
  const isBusy = isTrying || importing.isBusy;
  // Checks run one at a time per company. Of the queued ones, only the last runs.
  const checkQueue = useRef(Promise.resolve());
  const latest = useRef(0);
  const tryOut = (some: readonly ChosenFile[], mapping: FileMapping) => {
    setFiles(some);
    setMapping(mapping);
    latest.current += 1;
    const checkNumber = latest.current;
    checkQueue.current = checkQueue.current.then(async () => {
      if (checkNumber !== latest.current) return;
      const checked = some.length === 0 ? undefined : await tried(some, mapping);
      if (checkNumber === latest.current) setCheck(checked);
    });
  };
  const choose = async (list: FileList | null) => {
    const other = findUnsupportedFile([...(list ?? [])]);
    if (other) return setRefused(translateImport("refused.file_type", { file: other.name }));
    const mappingFile = [...(list ?? [])].find(({ name }) => name === MAPPING_FILE_NAME);
    const storedMapping = mappingFile && parseMappingFile(await mappingFile.text());
    if (mappingFile && !storedMapping) return setRefused(translateImport("refused.mapping"));
    const dataFiles = [...(list ?? [])].filter((file) => file !== mappingFile);
    const chosen = await Promise.all(dataFiles.map(readImportFile));
    const others = files.filter(({ name }) => !chosen.some((chosenFile) => chosenFile.name === name));
    const all = [...others, ...chosen];
    if (all.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_IMPORT_BYTES)
      return setRefused(translateImport("refused.too_large"));
    return tryOut(all, storedMapping ?? mapping);
  };
  const write = async () => {
    hush();
    const digest = await hashImport(files, mapping);
    await importing.send({ digest }, (key) => sendImport("/imports", files, mapping, key));
  };
  const known = check?.files.filter(({ table, left_out }) => table && !left_out) ?? [];
  return (
    <>
      <Choosing files={files} isBusy={isBusy} onChoose={(list) => void choose(list)}>
        {(name) =>
          tryOut(
            files.filter((file) => file.name !== name),
            mapping,
          )
        }
      </Choosing>
      <div aria-live="polite">
        {isBusy && <p class="notice waiting">{translateImport(importing.isBusy ? "importing" : "trying")}</p>}
        {refused && <p class="notice refused">{refused}</p>}
        {done && <p class="notice done">{done}</p>}
      </div>
      {check && (
        <section aria-labelledby="import-files">
          <h2 id="import-files">{translateImport("stepFiles")}</h2>
          <div class="columns even">
            {check.files.map((file) => (
              <ImportFileCard
                key={file.file}
                file={applyMapping(file, mapping)}
                tables={tables}
                problems={check.problems.filter((problem) => problem.file === file.file && problem.line === 1)}
                onTable={(table) => tryOut(files, { ...mapping, files: { ...mapping.files, [file.file]: table } })}
                onColumn={(heading, field) => tryOut(files, withColumn(mapping, file.table, heading, field))}
                onStyle={(style) => tryOut(withStyle(files, file.file, style), mapping)}
              />
            ))}
          </div>
        </section>
      )}
      {check && known.length > 0 && (
        <section aria-labelledby="import-rows">
          <h2 id="import-rows">{translateImport("stepRows")}</h2>
          <ImportProblemCauses
            check={check}
            tables={tables}
            onValue={(...value) => tryOut(files, addMappedValue(mapping, ...value))}
          />
          {known.map((file) => (
            <ImportPreview
              key={file.file}
              file={file}
              problems={check.problems.filter((problem) => problem.file === file.file)}
            />
          ))}
        </section>
      )}
      {check && <Decision check={check} mapping={mapping} isBusy={isBusy} onImport={() => void write()} />}
    </>
  );
}

function formatImportResult({ id, files = [] }: Partial<ImportRecord>): string {
  const sum = (countField: "added" | "changed" | "unchanged") => files.reduce((all, file) => all + file[countField], 0);
  const counts = { added: sum("added"), changed: sum("changed"), unchanged: sum("unchanged") };
  return `${translateImport(id === null ? "nothingNew" : "imported")} ${translateImport("outcome", counts)}`;
}

// Applies choices immediately, before the next check.
function applyMapping(file: CheckedFile, { files, columns }: FileMapping): CheckedFile {
  const table = files[file.file];
  const mapping = columns[file.table ?? ""] ?? {};
  const headings = file.headings.map((heading) => {
    const field = mapping[heading.heading];
    return field === undefined ? heading : { ...heading, field, left_out: field === null };
  });
  return { ...file, headings, ...(table !== undefined && { table, left_out: table === null }) };
}

function withColumn(mapping: FileMapping, table: string | null, heading: string, field: string | null): FileMapping {
  if (table === null) return mapping;
  return { ...mapping, columns: { ...mapping.columns, [table]: { ...mapping.columns[table], [heading]: field } } };
}

// Changes the format options of the file with this name. A worksheet's name combines those of the file and the
// worksheet.
function withStyle(files: readonly ChosenFile[], name: string, style: FileFormatOptions): readonly ChosenFile[] {
  return files.map((file) => (file.name === name ? { ...file, style: { ...file.style, ...style } } : file));
}

/** Returns the first file that can't be imported. A dropped file isn't limited to the accepted ones. */
export function findUnsupportedFile<Item extends Pick<File, "name">>(files: readonly Item[]): Item | undefined {
  return files.find(({ name }) => !isImportFileName(name));
}

interface ChoosingProps {
  readonly files: readonly ChosenFile[];
  readonly isBusy: boolean;
  readonly onChoose: (list: FileList | null) => void;
  /** Removes the file with this name from the chosen files. */
  readonly children: (name: string) => void;
}

function Choosing({ files, isBusy, onChoose, children: remove }: ChoosingProps) {
  const download = async () => {
    const file = await fetchFile(toOfficePath("/imports/templates.zip"));
    if (file) saveFile(file, "templates.zip");
  };
  return (
    <section class="panel" aria-labelledby="import-choose">
      <h2 id="import-choose">{translateImport("stepChoose")}</h2>
      <p>{translateImport("lead")}</p>
      <p class="soft">{translateImport("onlyCommand")}</p>
      <label>
        {translateImport("choose")}
        <input
          type="file"
          multiple
          accept={IMPORT_FILE_ENDINGS.join(",")}
          disabled={isBusy}
          onChange={({ currentTarget }) => {
            onChoose(currentTarget.files);
            currentTarget.value = "";
          }}
        />
      </label>
      {files.length > 0 && (
        <div class="chips">
          {files.map(({ name }) => (
            <button key={name} type="button" class="small" disabled={isBusy} onClick={() => remove(name)}>
              {translateImport("remove", { file: name })}
            </button>
          ))}
        </div>
      )}
      <div class="buttons">
        <button type="button" class="quiet" onClick={() => void download()}>
          {translateImport("templates")}
        </button>
      </div>
    </section>
  );
}

function saveMapping(mapping: FileMapping): void {
  saveFile(new Blob([JSON.stringify(mapping, null, 2)], { type: "application/json" }), MAPPING_FILE_NAME);
}

function Decision({
  check,
  mapping,
  isBusy,
  onImport,
}: {
  readonly check: ImportCheckResult;
  readonly mapping: FileMapping;
  readonly isBusy: boolean;
  readonly onImport: () => void;
}) {
  const { problem_count: count, files } = check;
  const sum = (countField: "added" | "changed" | "unchanged") => files.reduce((all, file) => all + file[countField], 0);
  const counts = { added: sum("added"), changed: sum("changed"), unchanged: sum("unchanged") };
  const doubtful = files.filter((file) => file.encoding_doubts.length > 0).map(({ file }) => file);
  const keep = () => saveFile(new Blob([toProblemsCsv(check.problems)], { type: "text/csv" }), "problems.csv");
  return (
    <div class="foot">
      <p role="status">
        {count > 0
          ? translateImport("problems", { n: count })
          : `${translateImport("allGood")} ${translateImport("outcome", counts)}`}
        {doubtful.length > 0 && `. ${translateImport("doubtLeft", { files: doubtful.join(", ") })}`}
      </p>
      {count > 0 && (
        <button type="button" onClick={keep}>
          {translateImport("problemsFile")}
        </button>
      )}
      {mapping !== NO_MAPPING && (
        <button type="button" title={translateImport("savedMappingHint")} onClick={() => saveMapping(mapping)}>
          {translateImport("saveMapping")}
        </button>
      )}
      <button type="button" class="main" disabled={isBusy || count > 0} onClick={onImport}>
        {translateImport("importNow")}
      </button>
    </div>
  );
}
