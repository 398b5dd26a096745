import { useEffect, useState } from "preact/hooks";
import { MAX_DATE } from "#shared/max-date.ts";
import type {
  WebhookDeliveriesMessage,
  WebhookDeliveryMessage,
  WebhookReplayMessage,
  WebhookReplayRequest,
  WebhookSecretMessage,
} from "#worker/api/office/resources/webhook-messages.ts";
import { getSuccessfulContent, type OfficeResponse, sendOfficeRequest, toOfficePath } from "../api.ts";
import { ConfirmButton } from "../desk/confirm-button.tsx";
import { LoadErrorMessage } from "../desk/load-error.tsx";
import { formatWebhookProblem } from "../desk/problem-texts.ts";
import { formatRefusal, toRefusalTexts } from "../desk/refusals.ts";
import { useSubmitOnce } from "../desk/submit-once.ts";
import { t } from "../texts.ts";
import type { ResourceRecord } from "./resources.ts";
import { type WebhookDeliveryItem, WebhookDeliveryView } from "./webhook-delivery.tsx";

const STATES = ["waiting", "delivered", "failed"] as const;
const STATE_TEXTS = { waiting: "webhookWaiting", delivered: "webhookDelivered", failed: "webhookFailed" } as const;

interface WebhookPanelProps {
  readonly id: string;
  /** Called with the webhook after its secret changed. */
  readonly onThing: (record: ResourceRecord) => void;
}

/** Actions of a webhook: test, new secret, redelivery, and its deliveries with responses. */
export function WebhookPanel({ id, onThing }: WebhookPanelProps) {
  const [notice, setNotice] = useState("");
  const [value, setTold] = useState(0);
  const path = `/webhooks/${encodeURIComponent(id)}`;
  const { isBusy, send } = useSubmitOnce<WebhookAnswer>({
    draft: ["webhook-doings", id],
    title: t("webhookTold"),
    formatNotice: formatTestResult,
    take: (answer) => {
      if (!answer) return setNotice(t("notSent"));
      setTold((times) => times + 1);
      setNotice(formatTestResult(answer));
      const rotated: Rotated | undefined = answer.body.webhook;
      if (answer.status >= 300 || !rotated) return;
      const { secret: _, ...thing } = rotated;
      onThing(thing);
    },
  });
  const doIt = (action: string, body?: WebhookReplayRequest) =>
    send({ what: action, ...body }, (key) =>
      sendOfficeRequest<WebhookAnswer, WebhookReplayRequest>("POST", toOfficePath(`${path}/${action}`), {
        key,
        ...(body && { body }),
      }),
    );
  return (
    <section class="webhook" aria-labelledby="told">
      <h2 id="told">{t("webhookTold")}</h2>
      <div class="actions">
        <button type="button" disabled={isBusy} onClick={() => void doIt("test")}>
          {t("webhookTest")}
        </button>
        <ConfirmButton text={t("webhookRotate")} onSure={() => doIt("rotate-secret")} />
      </div>
      <Replay isBusy={isBusy} onReplay={(body) => doIt("replay", body)} />
      <p role="status">{notice}</p>
      <Deliveries path={path} reloadCount={value} onAgain={(event) => doIt("replay", { event_id: event })} />
    </section>
  );
}

type Rotated = ResourceRecord & WebhookSecretMessage;

/** Response of a test, a new secret or a redelivery. */
type WebhookAnswer = WebhookDeliveryMessage & WebhookReplayMessage & { readonly webhook: Rotated };

// Returns the result text of a test, new secret or redelivery. A secret is shown only once, even if the user left the
// page.
function formatTestResult(answer: OfficeResponse<WebhookAnswer>): string {
  const { status, body } = answer;
  if (status >= 300) return formatRefusal(answer);
  if (body.delivery) return formatDeliveryResult(body.delivery);
  if (!body.webhook) return t("webhookReplayed", { n: body.replayed ?? 0 });
  const { secret = "" } = body.webhook;
  return `${t("secretOnce", { secret })} ${t("webhookRotateHelp")}`;
}

// Returns the result text of a test delivery.
function formatDeliveryResult({ tried }: WebhookDeliveryItem): string {
  const last = tried.at(-1);
  const status = last?.response?.status;
  if (status !== undefined && status >= 200 && status < 300) return t("webhookHeard", { status });
  return t("webhookNotHeard", { problem: status ? `HTTP ${status}` : formatWebhookProblem(last?.problem ?? "") });
}

interface ReplayProps {
  readonly isBusy: boolean;
  readonly onReplay: (body: Readonly<Record<string, string>>) => Promise<void>;
}

function Replay({ isBusy, onReplay }: ReplayProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const to = String(data.get("to"));
    void onReplay({ from: String(data.get("from")), ...(to && { to }) });
  };
  return (
    <form class="replay" onSubmit={submit}>
      <label>
        {t("webhookFrom")}
        <input type="date" name="from" max={MAX_DATE} required />
      </label>
      <label>
        {t("webhookUntil")}
        <input type="date" name="to" max={MAX_DATE} />
      </label>
      <button type="submit" disabled={isBusy}>
        {t("webhookReplay")}
      </button>
    </form>
  );
}

interface DeliveriesProps {
  readonly path: string;
  /** Number that changes with each delivery, so that the list is loaded again. */
  readonly reloadCount: number;
  readonly onAgain: (event: string) => Promise<void>;
}

function Deliveries({ path, reloadCount, onAgain }: DeliveriesProps) {
  const [state, setState] = useState("");
  const [deliveries, setDeliveries] = useState<readonly WebhookDeliveryItem[]>();
  const [next, setNext] = useState<string | null>(null);
  const [problem, setProblem] = useState("");
  const read = async (before: readonly WebhookDeliveryItem[], after: string | null) => {
    const deliveriesQuery = new URLSearchParams({ page_size: "20", ...(state && { state }), ...(after && { after }) });
    try {
      const answer = await sendOfficeRequest<WebhookDeliveriesMessage>(
        "GET",
        toOfficePath(`${path}/deliveries?${deliveriesQuery}`),
      );
      const content = getSuccessfulContent(answer);
      if (!content) return setProblem(toRefusalTexts(answer).notice);
      setProblem("");
      setDeliveries([...before, ...content.data]);
      setNext(content.next);
    } catch {
      setProblem(t("notLoaded"));
    }
  };
  useEffect(() => void read([], null), [state, reloadCount]);
  return (
    <>
      <div class="actions">
        <label>
          {t("webhookState")}
          <select value={state} onChange={(event) => setState(event.currentTarget.value)}>
            <option value="">{t("allMasculine")}</option>
            {STATES.map((state) => (
              <option key={state} value={state}>
                {t(STATE_TEXTS[state])}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={() => void read([], null)}>
          {t("webhookRefresh")}
        </button>
      </div>
      <LoadErrorMessage problem={problem} onRetry={() => read([], null)} />
      {deliveries?.length === 0 && <p class="calm">{t("webhookNothing")}</p>}
      <ol class="deliveries">
        {deliveries?.map((delivery) => (
          <WebhookDeliveryView
            key={delivery.id}
            delivery={delivery}
            state={t(STATE_TEXTS[delivery.state])}
            onAgain={onAgain}
          />
        ))}
      </ol>
      {next && (
        <button type="button" onClick={() => void read(deliveries ?? [], next)}>
          {t("more")}
        </button>
      )}
    </>
  );
}
