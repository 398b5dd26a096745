import { momentText, money } from "../../account.ts";
import { office } from "../../api.ts";
import { Unread } from "../../desk/trouble.tsx";
import { useWhole } from "../../desk/use-whole.tsx";
import { t, tOr } from "../../texts.ts";

interface Mail {
  readonly at: string;
  readonly kind: string;
  readonly recipient: "customer" | "branch";
  readonly address: string | null;
  readonly state: "sent" | "waiting" | "given_up" | "unknown";
  readonly sent: string | null;
}

interface Attempt {
  readonly at: string;
  readonly method: string;
  readonly part: string;
  readonly order: string;
  readonly amount: string;
  readonly state: "pending" | "paid" | "denied" | "expired";
  readonly messages: readonly Message[];
}

interface Message {
  readonly at: string;
  readonly kind: string;
  readonly outcome: string;
  readonly code: string;
  readonly answer: string;
}

interface Answer {
  readonly mails: readonly Mail[];
  readonly payments: readonly Attempt[];
}

/** What its customer and branch were mailed, and what gateways said of its payments; where there is none, nothing. */
export function Correspondence({ id, version }: { readonly id: number; readonly version: number }) {
  const {
    whole: told,
    problem,
    read,
  } = useWhole<Answer>(office(`/reservations/${id}/correspondence`), {
    turn: version,
  });
  return (
    <>
      <Unread title={t("mailsAndPayments")} problem={problem} onRetry={read} />
      {told && told.payments.length > 0 && <Attempts of={told.payments} />}
      {told && told.mails.length > 0 && <Mails of={told.mails} />}
    </>
  );
}

function Mails({ of }: { readonly of: readonly Mail[] }) {
  return (
    <section class="panel" aria-labelledby="mails">
      <h2 id="mails">{t("mails")}</h2>
      <ul class="plain rows">
        {of.map((one) => (
          <li key={`${one.at} ${one.kind} ${one.recipient}`}>
            <span>
              {tOr(`mail.${one.kind}`, one.kind)}
              <small>
                {one.address
                  ? t(`mailTo.${one.recipient}`, { address: one.address })
                  : t(`mailToNobody.${one.recipient}`)}
              </small>
              <small class={one.state === "given_up" ? "problem" : ""}>
                {t(`mailState.${one.state}`, { at: momentText(one.sent ?? one.at) })}
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
        {of.map((one) => (
          <li key={`${one.method} ${one.order}`}>
            <span>
              {tOr(`option.${one.method}`, one.method)} · {momentText(one.at)}
              <small>{t("attemptOrder", { order: one.order })}</small>
              {one.messages.map((said) => (
                <small key={`${said.at} ${said.kind} ${said.code}`}>{messageText(said)}</small>
              ))}
            </span>
            <span class={one.state === "denied" ? "problem" : "soft"}>{t(`attempt.${one.state}`)}</span>
            <span class="number">{money(one.amount)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

// A denial has no code of its own but what fills its place.
function messageText({ at, kind, outcome, code, answer }: Message): string {
  const what = tOr(`gatewayOutcome.${outcome}`, tOr(`gatewayKind.${kind}`, kind));
  const words = answer && t("gatewayAnswer", { answer });
  const number = code && t("gatewayCode", { code });
  return [momentText(at), what, words, number].filter(Boolean).join(" · ");
}
