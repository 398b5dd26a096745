import type { Immutable } from "#shared/immutable.ts";
import type { CustomerFileRequest, CustomerFilesMessage } from "#worker/api/office/customer-file-messages.ts";
import { formatMoment, hasUserRight } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import { FileUpload } from "../../desk/file-upload.tsx";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { RowAction } from "../../desk/row-action.tsx";
import { SaveFileButton } from "../../desk/save-file-button.tsx";
import { useResource } from "../../desk/use-resource.tsx";
import { t } from "../../texts.ts";
import type { Customer } from "./customer.ts";

type CustomerFile = Immutable<CustomerFilesMessage>["data"][number];

interface CustomerFilesProps {
  readonly of: Customer;
  readonly onDone: (notice: string) => void;
}

/** Files of a customer's card: upload, download and deletion. */
export function CustomerFiles({ of, onDone }: CustomerFilesProps) {
  const path = `/customers/${of.id}/files`;
  const { whole, problem, read, retry } = useResource<CustomerFilesMessage>(toOfficePath(path));
  const show = (notice: string) => {
    void read();
    onDone(notice);
  };
  return (
    <section class="panel" aria-labelledby="files">
      <h2 id="files">{t("customerFiles")}</h2>
      <LoadErrorMessage problem={problem} onRetry={retry} />
      <ul class="plain rows">
        {(whole?.data ?? []).map((file) => (
          <FileRow key={file.id} file={file} path={path} onDone={show} />
        ))}
      </ul>
      {hasUserRight("hand_over") && of.merged_into_id === null && <AddFile path={path} onDone={show} />}
    </section>
  );
}

interface FileRowProps {
  readonly file: CustomerFile;
  readonly path: string;
  readonly onDone: (notice: string) => void;
}

function FileRow({ file, path, onDone }: FileRowProps) {
  const filePath = `${path}/${file.id}`;
  return (
    <li>
      <span>
        {file.name}
        <small>{[file.author, formatMoment(file.created)].filter(Boolean).join(" · ")}</small>
      </span>
      <SaveFileButton path={filePath} file={file.name} text={t("saveCustomerFile")} />
      {file.deletable && (
        <RowAction
          label={t("deleteFile")}
          method="DELETE"
          path={toOfficePath(filePath)}
          onDone={() => onDone(t("fileDeleted"))}
        />
      )}
    </li>
  );
}

function AddFile({ path, onDone }: Omit<FileRowProps, "file">) {
  return (
    <div class="field">
      <FileUpload
        label={t("addFile")}
        accept="application/pdf,image/jpeg,image/png"
        send={(content, { name }) =>
          sendOfficeRequest<object, CustomerFileRequest>("POST", toOfficePath(path), {
            body: { name, content },
            key: crypto.randomUUID(),
          })
        }
        onDone={() => onDone(t("fileAdded"))}
      />
    </div>
  );
}
