import { useEffect, useState } from "preact/hooks";
import { may, momentText, money } from "../../account.ts";
import { ask, office } from "../../api.ts";
import { refusedBy } from "../../desk/refusals.ts";
import { SureButton } from "../../desk/sure-button.tsx";
import { linkTo } from "../../route.ts";
import { t, tOr } from "../../texts.ts";
import type { GatewayRefund, WaitingRefund } from "./money.ts";

interface Waiting {
  readonly asked: readonly WaitingRefund[];
  readonly sent: readonly GatewayRefund[];
}

/** The refunds that another manager decides on, and those that gateways have not ended. */
export function Refunds() {
  const [waiting, setWaiting] = useState<Waiting>();
  const [problem, setProblem] = useState("");
  const [notice, setNotice] = useState("");
  const read = () =>
    Promise.all([ask("GET", office("/refunds")), ask("GET", office("/gateway-refunds"))]).then(
      (answers) => {
        const refused = answers.find(({ status }) => status !== 200);
        if (refused) return setProblem(refusedBy(refused).notice);
        const [asked, sent] = answers.map(({ body }) => body["data"]);
        setWaiting({ asked: asked as readonly WaitingRefund[], sent: sent as readonly GatewayRefund[] });
      },
      () => setProblem(t("failed")),
    );
  useEffect(() => {
    void read();
  }, []);
  const send = async (path: string, words: string) => {
    const answer = await ask("POST", office(path), { body: {} }).catch(() => undefined);
    setNotice("");
    if (!answer) return setProblem(t("notSent"));
    const { fields, notice: why } = refusedBy(answer);
    setProblem(answer.status < 300 ? "" : [why, ...Object.values(fields)].join(" "));
    if (answer.status < 300) setNotice(words);
    await read();
  };
  return (
    <>
      {problem && (
        <p role="alert">
          {problem}{" "}
          <button type="button" onClick={read}>
            {t("retry")}
          </button>
        </p>
      )}
      <p class="done" role="status">
        {notice}
      </p>
      {!waiting && !problem && <p>{t("loading")}…</p>}
      {waiting && (
        <div class="columns even">
          <Asked refunds={waiting.asked} onSend={send} />
          <AtGateways refunds={waiting.sent} onSend={send} />
        </div>
      )}
    </>
  );
}

interface ListProps<Refund> {
  readonly refunds: readonly Refund[];
  readonly onSend: (path: string, words: string) => Promise<unknown>;
}

function About({ of }: { readonly of: WaitingRefund | GatewayRefund }) {
  return (
    <span>
      <strong>{money(of.amount)}</strong> {tOr(`method.${of.payment_method_id}`, of.payment_method_id)}
      <small>
        <a href={linkTo("reservations", of.reservation_id)}>{t("reservationNo", { id: of.reservation_id })}</a>
        {[of.asked_by, of.asked_at && momentText(of.asked_at)].flatMap((one) => (one ? [" · ", one] : []))}
      </small>
      {of.reason && <small>“{of.reason}”</small>}
      {"state" in of && (
        <small>
          {t(`refundState.${of.state}`)}
          {of.problem && ` · ${tOr(`gateway.${of.problem}`, of.problem)}`}
        </small>
      )}
    </span>
  );
}

function Asked({ refunds, onSend }: ListProps<WaitingRefund>) {
  return (
    <section class="panel" aria-labelledby="asked">
      <h2 id="asked">{t("secondPerson")}</h2>
      <p class="soft">{t("aboutSecondPerson")}</p>
      {refunds.length === 0 && <p class="calm">{t("noRefundWaits")}</p>}
      <ul class="plain">
        {refunds.map((one) => (
          <li key={one.id} class="stacked">
            <About of={one} />
            {may("manage") && (
              <div class="moves">
                <SureButton
                  text={t("approveRefund")}
                  of={money(one.amount)}
                  onSure={() => onSend(`/refunds/${one.id}/approve`, t("refundApproved"))}
                />
                <SureButton
                  text={t("declineRefund")}
                  of={money(one.amount)}
                  onSure={() => onSend(`/refunds/${one.id}/decline`, t("refundDeclined"))}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const DECISIONS = ["again", "by-hand", "drop"] as const;

function AtGateways({ refunds, onSend }: ListProps<GatewayRefund>) {
  return (
    <section class="panel" aria-labelledby="at-gateways">
      <h2 id="at-gateways">{t("atGateways")}</h2>
      <p class="soft">{t("aboutGateways")}</p>
      {refunds.length === 0 && <p class="calm">{t("nothingAtGateways")}</p>}
      <ul class="plain">
        {refunds.map((one) => (
          <li key={one.id} class="stacked">
            <About of={one} />
            {may("manage") && (
              <div class="moves">
                {DECISIONS.map((decision) => (
                  <SureButton
                    key={decision}
                    text={t(`gatewayDo.${decision}`)}
                    of={money(one.amount)}
                    onSure={() => onSend(`/gateway-refunds/${one.id}/${decision}`, t(`gatewayDid.${decision}`))}
                  />
                ))}
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
