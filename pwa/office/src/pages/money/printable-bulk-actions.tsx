import { hasUserRight } from "../../account.ts";
import { fetchFileOrRefusal, toOfficePath } from "../../api.ts";
import { describeRefusal, type RowName, useBulkAction } from "../../desk/bulk-actions.ts";
import { BulkBar } from "../../desk/bulk-bar.tsx";
import type { BulkActionsProps } from "../../desk/bulk-part.tsx";
import { ListDownload } from "../../desk/list-download.tsx";
import { saveFile } from "../../desk/save-file.ts";
import { t } from "../../texts.ts";
import { mailDocument } from "./mail-document.ts";
import { zipFiles } from "./zip-files.ts";

// Saving files changes no row, so all stay selected.
const keepSelection = () => undefined;

interface PrintableBulkProps<Row> extends BulkActionsProps<Row> {
  /** Path of the list, below which each row has a PDF. */
  readonly path: "/documents" | "/charges";
  readonly nameRow: (row: Row) => RowName;
}

/** Actions for selected documents or payments: their PDFs in one file, mails of documents, and a table. */
export function PrintableBulkActions<Row extends { readonly id: number }>(props: PrintableBulkProps<Row>) {
  const { path, rows, nameRow, onDone, onAll, onClear } = props;
  const { results, isBusy, start } = useBulkAction({ rows, nameRow, onDone });
  const save = async () => {
    const files = new Map<string, Uint8Array<ArrayBuffer>>();
    await start(async ({ id }) => {
      const read = await fetchFileOrRefusal(toOfficePath(`${path}/${id}.pdf`));
      if ("refusal" in read) return describeRefusal(read.refusal);
      const name = files.has(read.name) ? `${id}-${read.name}` : read.name;
      files.set(name, new Uint8Array(await read.file.arrayBuffer()));
      return { isDone: true, text: name };
    }, keepSelection);
    if (files.size > 0) saveFile(zipFiles(files), `${path.slice(1)}.zip`);
  };
  return (
    <BulkBar {...{ isBusy, results, onAll, onClear }} count={rows.length}>
      <button type="button" class="small" disabled={isBusy} onClick={() => void save()}>
        {t("bulkPdf")}
      </button>
      {path === "/documents" && hasUserRight("hand_over") && (
        <button type="button" class="small" disabled={isBusy} onClick={() => void start(mailDocument)}>
          {t("mailDocument")}
        </button>
      )}
      <ListDownload path={path} names={[]} also={{ ids: rows.map(({ id }) => id).join(",") }} />
    </BulkBar>
  );
}
