import { useState } from "preact/hooks";
import { CONSENT_SOURCES } from "#domain/access/consent.ts";
import type { MarketingConsentRequest } from "#worker/api/office/customer-messages.ts";
import { formatMoment, hasUserRight } from "../../account.ts";
import { type OfficeResponse, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { t, tOr } from "../../texts.ts";
import type { CustomerDetail, Marketing } from "./customer.ts";

interface Props {
  readonly of: CustomerDetail["customer"];
  readonly marketing: Marketing;
  readonly onDone: (answer: OfficeResponse, words: string) => void;
}

/**
 * Marketing consent of a customer: the latest answer (given or refused) with time and source, and a form for a new one.
 */
export function CustomerMarketingConsent({ of, marketing, onDone }: Props) {
  const [isOpen, setOpen] = useState(false);
  const act = t(marketing.consents ? "withdrawConsent" : "giveConsent");
  const choices = CONSENT_SOURCES.map((item) => [item, t(`door.${item}`)] as const);
  return (
    <section class="panel" aria-labelledby="marketing">
      <h2 id="marketing">{t("marketing")}</h2>
      <p>{formatConsent(marketing)}</p>
      {hasUserRight("hand_over") && of.merged_into_id === null && (
        <button type="button" onClick={() => setOpen(true)}>
          {act}
        </button>
      )}
      {isOpen && (
        <FormSheet<CustomerDetail, Pick<MarketingConsentRequest, "door">>
          title={`${t("marketing")}: ${act}`}
          introduction={t("aboutConsent")}
          draft={["customer-consent", String(of.id)]}
          fields={[{ name: "door", kind: "choice", label: "consentDoor", required: true, choices, isWide: true }]}
          submit={act}
          send={(body, key) =>
            sendOfficeRequest<CustomerDetail, MarketingConsentRequest>(
              "POST",
              toOfficePath(`/customers/${of.id}/consent`),
              {
                body: { ...body, expected_version: of.version, consents: !marketing.consents },
                key,
              },
            )
          }
          thingOf={(body) => body.customer}
          onDone={(answer) => {
            setOpen(false);
            onDone(answer, t("saved"));
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  );
}

function formatConsent(marketing: Marketing): string {
  const at = marketing.consents ? marketing.consented_at : marketing.withdrawn_at;
  const consentSource = marketing.consents ? marketing.consent_door : marketing.withdrawn_door;
  if (!at) return t("consentNever");
  return t(marketing.consents ? "consentGiven" : "consentWithdrawn", {
    at: formatMoment(at),
    door: tOr(`door.${consentSource}`, consentSource ?? ""),
  });
}
