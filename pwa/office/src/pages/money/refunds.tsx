import { useEffect, useState } from "preact/hooks";
import { may, momentText, money } from "../../account.ts";
import { ask, office } from "../../api.ts";
import { refusedBy } from "../../desk/refusals.ts";
import { SureButton } from "../../desk/sure-button.tsx";
import { Trouble } from "../../desk/trouble.tsx";
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
      <Trouble problem={problem} onRetry={read} />
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

interface Decision {
  readonly text: string;
  readonly path: string;
  /** What is said once it is done. */
  readonly words: string;
}

interface PanelProps<Refund> extends ListProps<Refund> {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly empty: string;
  readonly decisions: (of: Refund) => readonly Decision[];
}

function Panel<Refund extends WaitingRefund | GatewayRefund>(props: PanelProps<Refund>) {
  const { name, title, about, empty, refunds, decisions, onSend } = props;
  return (
    <section class="panel" aria-labelledby={name}>
      <h2 id={name}>{title}</h2>
      <p class="soft">{about}</p>
      {refunds.length === 0 && <p class="calm">{empty}</p>}
      <ul class="plain">
        {refunds.map((one) => (
          <li key={one.id} class="stacked">
            <About of={one} />
            {may("manage") && (
              <div class="moves">
                {decisions(one).map(({ text, path, words }) => (
                  <SureButton key={path} text={text} of={money(one.amount)} onSure={() => onSend(path, words)} />
                ))}
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Asked({ refunds, onSend }: ListProps<WaitingRefund>) {
  return (
    <Panel
      name="asked"
      title={t("secondPerson")}
      about={t("aboutSecondPerson")}
      empty={t("noRefundWaits")}
      refunds={refunds}
      onSend={onSend}
      decisions={({ id }) => [
        { text: t("approveRefund"), path: `/refunds/${id}/approve`, words: t("refundApproved") },
        { text: t("declineRefund"), path: `/refunds/${id}/decline`, words: t("refundDeclined") },
      ]}
    />
  );
}

const DECISIONS = ["again", "by-hand", "drop"] as const;

function AtGateways({ refunds, onSend }: ListProps<GatewayRefund>) {
  return (
    <Panel
      name="at-gateways"
      title={t("atGateways")}
      about={t("aboutGateways")}
      empty={t("nothingAtGateways")}
      refunds={refunds}
      onSend={onSend}
      decisions={({ id }) =>
        DECISIONS.map((decision) => ({
          text: t(`gatewayDo.${decision}`),
          path: `/gateway-refunds/${id}/${decision}`,
          words: t(`gatewayDid.${decision}`),
        }))
      }
    />
  );
}
