import type { DocumentWithMessagesMessage } from "#worker/api/office/money-messages.ts";
import { toOfficePath } from "../../api.ts";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { Sheet } from "../../desk/sheet.tsx";
import { Skeleton } from "../../desk/skeleton.tsx";
import { useResource } from "../../desk/use-resource.tsx";
import { t } from "../../texts.ts";
import { MessageList } from "../reservations/message-list.tsx";

interface DocumentMailsProps {
  readonly id: number;
  readonly name: string;
  readonly onClose: () => void;
}

/** Mails of a document without a reservation, with their addresses and status. */
export default function DocumentMails({ id, name, onClose }: DocumentMailsProps) {
  const { whole, problem, read, retry } = useResource<DocumentWithMessagesMessage>(toOfficePath(`/documents/${id}`));
  return (
    <Sheet title={`${t("mails")} · ${name}`} onClose={onClose}>
      <LoadErrorMessage problem={problem} onRetry={retry} />
      {!whole && !problem && <Skeleton />}
      {whole?.messages.length === 0 && <p class="soft">{t("noDocumentMails")}</p>}
      {whole && <MessageList messages={whole.messages} hasAddress onResent={() => void read()} />}
    </Sheet>
  );
}
