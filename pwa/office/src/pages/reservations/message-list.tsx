import type { Immutable } from "#shared/immutable.ts";
import type { CustomerMailMessage } from "#worker/api/office/message-messages.ts";
import { formatMoment, hasUserRight } from "../../account.ts";
import { toOfficePath } from "../../api.ts";
import { RowAction } from "../../desk/row-action.tsx";
import { t, tOr } from "../../texts.ts";

interface MessageListProps {
  readonly messages: readonly Immutable<CustomerMailMessage["message"]>[];
  readonly hasAddress?: boolean;
  readonly onResent: () => void;
}

/** Mails to a customer with their status, each of which can be sent again. */
export function MessageList({ messages, hasAddress = false, onResent }: MessageListProps) {
  return (
    <ul class="plain rows">
      {messages.map(({ id, subject, kind, address, status, sent, created }) => (
        <li key={id}>
          <span>
            {subject ?? tOr(`mail.${kind}`, kind)}
            {hasAddress && address && <small>{address}</small>}
            <small class={status === "failed" ? "problem" : ""}>
              {t(`messageStatus.${status}`, { at: formatMoment(sent ?? created) })}
            </small>
          </span>
          {status !== "queued" && hasUserRight("hand_over") && (
            <RowAction
              label={t("resendMessage")}
              method="POST"
              path={toOfficePath(`/messages/${id}/resend`)}
              onDone={onResent}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
