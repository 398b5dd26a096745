import { useEffect, useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type { GatewayRefundListMessage, RefundListMessage } from "#worker/api/office/refund-messages.ts";
import { formatMoment, formatMoney, hasUserRight } from "../../account.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { ConfirmButton } from "../../desk/confirm-button.tsx";
import { ListDownload } from "../../desk/list-download.tsx";
import { ListTotals } from "../../desk/list-totals.tsx";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { formatGatewayProblem } from "../../desk/problem-texts.ts";
import { formatRefusal, toRefusalTexts } from "../../desk/refusals.ts";
import { Skeleton } from "../../desk/skeleton.tsx";
import { linkTo } from "../../route.ts";
import { type TextKey, t, tOr } from "../../texts.ts";
import type { GatewayRefund, PendingRefund } from "./money.ts";

interface PendingRefundPage {
  readonly pending: Immutable<RefundListMessage>;
  readonly atGateways: Immutable<GatewayRefundListMessage>;
}

/** Refunds that need approval, and refunds not finished by gateways. */
export function Refunds() {
  const [waiting, setWaiting] = useState<PendingRefundPage>();
  const [problem, setProblem] = useState("");
  const [refusal, setRefusal] = useState("");
  const [notice, setNotice] = useState("");
  const read = () =>
    Promise.all([
      sendOfficeRequest<RefundListMessage>("GET", toOfficePath("/refunds?page_size=200")),
      sendOfficeRequest<GatewayRefundListMessage>("GET", toOfficePath("/gateway-refunds?page_size=200")),
    ]).then(
      ([pending, atGateways]) => {
        const pendingList = getSuccessfulContent(pending);
        const gatewayList = getSuccessfulContent(atGateways);
        if (pendingList && gatewayList) setWaiting({ pending: pendingList, atGateways: gatewayList });
        setProblem(pendingList && gatewayList ? "" : toRefusalTexts(pendingList ? atGateways : pending).notice);
      },
      () => setProblem(t("notLoaded")),
    );
  useEffect(() => {
    void read();
  }, []);
  const send = async (path: string, words: string) => {
    const answer = await sendOfficeRequest<object, object>("POST", toOfficePath(path), { body: {} }).catch(
      () => undefined,
    );
    setNotice("");
    if (!answer) return setRefusal(t("notSent"));
    const isDone = answer.status < 300;
    setRefusal(isDone ? "" : formatRefusal(answer));
    if (isDone) setNotice(words);
    await read();
  };
  return (
    <>
      <LoadErrorMessage problem={problem} onRetry={read} />
      {refusal && (
        <p class="notice refused" role="alert">
          {refusal}
        </p>
      )}
      <p class="done" role="status">
        {notice}
      </p>
      {!waiting && !problem && <Skeleton />}
      {waiting && (
        <div class="columns even">
          <Panel list={PENDING_REFUNDS} refunds={waiting.pending.data} total={waiting.pending.amount} onSend={send} />
          <Panel list={AT_GATEWAYS} refunds={waiting.atGateways.data} total={waiting.atGateways.amount} onSend={send} />
        </div>
      )}
    </>
  );
}

function About({ of }: { readonly of: PendingRefund | GatewayRefund }) {
  return (
    <span>
      <strong>{formatMoney(of.amount)}</strong> {tOr(`method.${of.payment_method_id}`, of.payment_method_id)}
      <small>
        <a href={linkTo("reservations", of.reservation_id)}>{t("reservationNo", { id: of.reservation_id })}</a>
        {[of.requested_by, of.requested_at && formatMoment(of.requested_at)].flatMap((text) =>
          text ? [" · ", text] : [],
        )}
      </small>
      {of.reason && <small>“{of.reason}”</small>}
      {"order" in of && (
        <small>
          {t(`refundState.${of.state}`)}
          {of.problem && ` · ${formatGatewayProblem("refundWhy", of.problem)}`}
        </small>
      )}
    </span>
  );
}

interface RefundList {
  readonly name: string;
  readonly path: string;
  readonly title: TextKey;
  readonly about: TextKey;
  readonly empty: TextKey;
  /** Whether the list has a table to download. */
  readonly hasTable?: boolean;
  /** Possible decisions: path, button text and success text. */
  readonly decisions: readonly (readonly [path: string, text: TextKey, words: TextKey])[];
}

const PENDING_REFUNDS: RefundList = {
  name: "asked",
  path: "/refunds",
  title: "secondPerson",
  about: "aboutSecondPerson",
  empty: "noRefundWaits",
  hasTable: true,
  decisions: [
    ["approve", "approveRefund", "refundApproved"],
    ["decline", "declineRefund", "refundDeclined"],
  ],
};

const AT_GATEWAYS: RefundList = {
  name: "at-gateways",
  path: "/gateway-refunds",
  title: "atGateways",
  about: "aboutGateways",
  empty: "nothingAtGateways",
  decisions: [
    ["again", "gatewayDo.again", "gatewayDid.again"],
    ["by-hand", "gatewayDo.by-hand", "gatewayDid.by-hand"],
    ["drop", "gatewayDo.drop", "gatewayDid.drop"],
  ],
};

interface PanelProps {
  readonly list: RefundList;
  readonly refunds: readonly (PendingRefund | GatewayRefund)[];
  /** Amount of all refunds of the list, also of those that aren't loaded. */
  readonly total: string;
  readonly onSend: (path: string, words: string) => Promise<unknown>;
}

function Panel({ list, refunds, total, onSend }: PanelProps) {
  const { name, path, title, about, empty, hasTable, decisions } = list;
  return (
    <section class="panel" aria-labelledby={name}>
      <h2 id={name}>{t(title)}</h2>
      <p class="soft">{t(about)}</p>
      {refunds.length > 0 && <ListTotals totals={[[t("total"), total]]} />}
      {hasTable && refunds.length > 0 && <ListDownload path={path} names={[]} />}
      {refunds.length === 0 && <p class="calm">{t(empty)}</p>}
      <ul class="plain">
        {refunds.map((refund) => (
          <li key={refund.id} class="stacked">
            <About of={refund} />
            {hasUserRight("manage") && (
              <div class="buttons">
                {decisions.map(([decision, text, words]) => (
                  <ConfirmButton
                    key={decision}
                    text={t(text)}
                    of={formatMoney(refund.amount)}
                    onSure={() => onSend(`${path}/${refund.id}/${decision}`, t(words))}
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
