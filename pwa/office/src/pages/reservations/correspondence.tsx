import type { Immutable } from "#shared/immutable.ts";
import type { CorrespondenceMessage } from "#worker/api/office/correspondence-messages.ts";
import { formatMoment, formatMoney } from "../../account.ts";
import { toOfficePath } from "../../api.ts";
import { PanelLoadError } from "../../desk/load-error.tsx";
import { useResource } from "../../desk/use-resource.tsx";
import { t, tOr } from "../../texts.ts";

type Correspondences = Immutable<CorrespondenceMessage>;
type Mail = Correspondences["mails"][number];

type Attempt = Correspondences["payments"][number];

type Message = Attempt["messages"][number];

/** Emails to customer and branch, and gateway messages about payments. Hidden if there are none. */
export function ReservationCorrespondence({ id, version }: { readonly id: number; readonly version: number }) {
  const {
    whole: conversations,
    problem,
    retry,
  } = useResource<CorrespondenceMessage>(toOfficePath(`/reservations/${id}/correspondence`), {
    turn: version,
  });
  return (
    <>
      <PanelLoadError title={t("mailsAndPayments")} problem={problem} onRetry={retry} />
      {conversations && conversations.payments.length > 0 && <Attempts of={conversations.payments} />}
      {conversations && conversations.mails.length > 0 && <Mails of={conversations.mails} />}
    </>
  );
}

function Mails({ of }: { readonly of: readonly Mail[] }) {
  return (
    <section class="panel" aria-labelledby="mails">
      <h2 id="mails">{t("mails")}</h2>
      <ul class="plain rows">
        {of.map((mail) => (
          <li key={`${mail.at} ${mail.kind} ${mail.recipient}`}>
            <span>
              {tOr(`mail.${mail.kind}`, mail.kind)}
              <small>
                {mail.address
                  ? t(`mailTo.${mail.recipient}`, { address: mail.address })
                  : t(`mailToNobody.${mail.recipient}`)}
              </small>
              <small class={mail.state === "given_up" ? "problem" : ""}>
                {t(`mailState.${mail.state}`, { at: formatMoment(mail.sent ?? mail.at) })}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Attempts({ of }: { readonly of: readonly Attempt[] }) {
  return (
    <section class="panel" aria-labelledby="attempts">
      <h2 id="attempts">{t("attempts")}</h2>
      <ul class="plain rows">
        {of.map((attempt) => (
          <li key={`${attempt.method} ${attempt.order}`}>
            <span>
              {tOr(`option.${attempt.method}`, attempt.method)} · {formatMoment(attempt.at)}
              <small>{t("attemptOrder", { order: attempt.order })}</small>
              {attempt.messages.map((messageEntry) => (
                <small key={`${messageEntry.at} ${messageEntry.kind} ${messageEntry.code}`}>
                  {messageText(messageEntry)}
                </small>
              ))}
            </span>
            <span class={attempt.state === "denied" ? "problem" : "soft"}>{t(`attempt.${attempt.state}`)}</span>
            <span class="number">{formatMoney(attempt.amount)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

// A rejection may lack a code and have only an answer text.
function messageText({ at, kind, outcome, code, answer }: Message): string {
  const outcomeKey = outcome === "second_payment" && kind === "held" ? "second_hold" : outcome;
  const eventText = tOr(`gatewayOutcome.${outcomeKey}`, tOr(`gatewayKind.${kind}`, kind));
  const gatewayText = answer && t("gatewayAnswer", { answer });
  const number = code && t("gatewayCode", { code });
  return [formatMoment(at), eventText, gatewayText, number].filter(Boolean).join(" · ");
}
