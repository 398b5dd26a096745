import { useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type { CustomerMailRequest, MessageTemplateListMessage } from "#worker/api/office/message-messages.ts";
import { hasUserRight } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import type { ReservationDetail } from "../../desk/reservation.ts";
import { useResource } from "../../desk/use-resource.tsx";
import { t } from "../../texts.ts";
import { listMessageFields } from "./message-fields.ts";
import { MessageList } from "./message-list.tsx";

interface MessagesProps {
  readonly of: ReservationDetail;
  readonly onDone: (notice: string) => void;
}

/** Mails to the customer with their status, and the form for a new one. */
export function ReservationMessages({ of, onDone }: MessagesProps) {
  const { id } = of.reservation;
  const [isOpen, setOpen] = useState(false);
  const path = toOfficePath(`/message-templates?reservation_id=${id}`);
  const { whole } = useResource<MessageTemplateListMessage>(path, { isNeeded: isOpen });
  return (
    <section class="panel" aria-labelledby="messages">
      <h2 id="messages">{t("customerMessages")}</h2>
      <MessageList messages={of.messages} onResent={() => onDone(t("messageQueued"))} />
      {hasUserRight("hand_over") && (
        <p>
          <button type="button" class="small" onClick={() => setOpen(true)}>
            {t("writeMessage")}
          </button>
        </p>
      )}
      {isOpen && (
        <FormSheet<object, CustomerMailRequest>
          title={`${t("writeMessage")} · ${t("reservationNo", { id })}`}
          draft={["message", String(id)]}
          fields={listMessageFields()}
          submit={t("writeMessage")}
          outcome={({ template }) => <PhoneLinks of={whole?.data.find((item) => item.id === template)} />}
          send={(body, key) =>
            sendOfficeRequest<object, CustomerMailRequest>("POST", toOfficePath(`/reservations/${id}/messages`), {
              key,
              body,
            })
          }
          onDone={() => {
            setOpen(false);
            onDone(t("messageQueued"));
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  );
}

interface PhoneLinksProps {
  readonly of: Immutable<MessageTemplateListMessage["data"][number]> | undefined;
}

/** Preview of a template, with links that send its text from the user's own phone. */
function PhoneLinks({ of }: PhoneLinksProps) {
  if (!of) return null;
  const { text, whatsapp_url: whatsapp, sms_url: sms } = of;
  return (
    <div class="panel">
      <p class="notes">{text}</p>
      {whatsapp && (
        <a class="button" href={whatsapp} target="_blank" rel="noreferrer">
          {t("sendByWhatsapp")}
        </a>
      )}
      {sms && (
        <a class="button" href={sms}>
          {t("sendBySms")}
        </a>
      )}
    </div>
  );
}
