import { useEffect, useRef, useState } from "preact/hooks";
import { ask, office } from "../api.ts";
import { refusedBy } from "../desk/refusals.ts";
import { SureButton } from "../desk/sure-button.tsx";
import { Trouble } from "../desk/trouble.tsx";
import { t } from "../texts.ts";
import type { Thing } from "./things.ts";
import { type Delivery, DeliveryView } from "./webhook-delivery.tsx";

const STATES = ["waiting", "delivered", "failed"] as const;
const STATE_TEXTS = { waiting: "webhookWaiting", delivered: "webhookDelivered", failed: "webhookFailed" } as const;

interface WebhookPanelProps {
  readonly id: string;
  /** The address as it is after its secret was changed. */
  readonly onThing: (thing: Thing) => void;
}

/**
 * What is done with an address that is told: a trial, a new secret, telling again, and what it was told and answered.
 */
export function WebhookPanel({ id, onThing }: WebhookPanelProps) {
  const [notice, setNotice] = useState("");
  const [told, setTold] = useState(0);
  const path = `/webhooks/${encodeURIComponent(id)}`;
  // A write whose answer was lost is sent again under its key, and done once.
  const sent = useRef({ content: "", key: "" });
  const send = async (what: string, body?: unknown) => {
    const content = JSON.stringify([what, body]);
    if (sent.current.content !== content) sent.current = { content, key: crypto.randomUUID() };
    const { key } = sent.current;
    try {
      const answer = await ask("POST", office(`${path}/${what}`), { key, ...(body !== undefined && { body }) });
      sent.current = { content: "", key: "" };
      setTold((times) => times + 1);
      if (answer.status < 300) return answer.body;
      setNotice(answer.status === 403 ? refusedBy(answer).notice : String(answer.body["error"] ?? t("failed")));
    } catch {
      setNotice(t("notSent"));
    }
    return undefined;
  };
  const tryIt = async () => {
    const body = await send("test");
    if (body) setNotice(outcomeOf(body["delivery"] as Delivery));
  };
  const rotate = async () => {
    const body = await send("rotate-secret");
    if (!body) return;
    const { secret, ...thing } = body["webhook"] as Thing & { readonly secret?: string };
    onThing(thing as Thing);
    setNotice(`${t("secretOnce", { secret: String(secret ?? "") })} ${t("webhookRotateHelp")}`);
  };
  const replay = async (body: Readonly<Record<string, string>>) => {
    const answer = await send("replay", body);
    if (answer) setNotice(t("webhookReplayed", { n: Number(answer["replayed"]) }));
  };
  return (
    <section class="webhook" aria-labelledby="told">
      <h2 id="told">{t("webhookTold")}</h2>
      <div class="actions">
        <button type="button" onClick={() => void tryIt()}>
          {t("webhookTest")}
        </button>
        <SureButton text={t("webhookRotate")} onSure={rotate} />
      </div>
      <Replay onReplay={replay} />
      <p role="status">{notice}</p>
      <Deliveries path={path} told={told} onAgain={(event) => replay({ event_id: event })} />
    </section>
  );
}

// What came of a trial, in a sentence.
function outcomeOf({ tried }: Delivery): string {
  const last = tried.at(-1);
  const status = last?.response?.status;
  if (status !== undefined && status >= 200 && status < 300) return t("webhookHeard", { status });
  return t("webhookNotHeard", { problem: String(status ?? last?.problem ?? "") });
}

function Replay({ onReplay }: { readonly onReplay: (body: Readonly<Record<string, string>>) => Promise<void> }) {
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
        <input type="date" name="from" required />
      </label>
      <label>
        {t("webhookUntil")}
        <input type="date" name="to" />
      </label>
      <button type="submit">{t("webhookReplay")}</button>
    </form>
  );
}

interface DeliveriesProps {
  readonly path: string;
  /** Read anew with each time that something was told. */
  readonly told: number;
  readonly onAgain: (event: string) => Promise<void>;
}

function Deliveries({ path, told, onAgain }: DeliveriesProps) {
  const [state, setState] = useState("");
  const [found, setFound] = useState<readonly Delivery[]>();
  const [next, setNext] = useState<string | null>(null);
  const [problem, setProblem] = useState("");
  const read = async (before: readonly Delivery[], after: string | null) => {
    const asked = new URLSearchParams({ page_size: "20", ...(state && { state }), ...(after && { after }) });
    try {
      const { status, body } = await ask("GET", office(`${path}/deliveries?${asked}`));
      if (status !== 200) return setProblem(status === 403 ? t("notAllowed") : t("failed"));
      setProblem("");
      setFound([...before, ...(body["data"] as readonly Delivery[])]);
      setNext(body["next"] as string | null);
    } catch {
      setProblem(t("failed"));
    }
  };
  useEffect(() => void read([], null), [state, told]);
  return (
    <>
      <div class="actions">
        <label>
          {t("webhookState")}
          <select value={state} onChange={(event) => setState(event.currentTarget.value)}>
            <option value="">{t("webhookAll")}</option>
            {STATES.map((one) => (
              <option key={one} value={one}>
                {t(STATE_TEXTS[one])}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={() => void read([], null)}>
          {t("webhookRefresh")}
        </button>
      </div>
      <Trouble problem={problem} onRetry={() => read([], null)} />
      {found?.length === 0 && <p class="calm">{t("webhookNothing")}</p>}
      <ol class="deliveries">
        {found?.map((one) => (
          <DeliveryView key={one.id} delivery={one} state={t(STATE_TEXTS[one.state])} onAgain={onAgain} />
        ))}
      </ol>
      {next && (
        <button type="button" onClick={() => void read(found ?? [], next)}>
          {t("more")}
        </button>
      )}
    </>
  );
}
