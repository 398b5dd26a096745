import type { Immutable } from "#shared/immutable.ts";
import type { WebhookDeliveriesMessage } from "#worker/api/office/resources/webhook-messages.ts";
import { formatCompanyMoment } from "../account.ts";
import { formatWebhookProblem } from "../desk/problem-texts.ts";
import { t } from "../texts.ts";

type Attempt = WebhookDeliveryItem["tried"][number];

/** A webhook delivery in the office API, with its attempts. */
export type WebhookDeliveryItem = Immutable<WebhookDeliveriesMessage["data"][number]>;

const TEST = "webhook.test";

interface DeliveryViewProps {
  readonly delivery: WebhookDeliveryItem;
  /** Formatted status. */
  readonly state: string;
  readonly onAgain: (event: string) => Promise<void>;
}

/** Details of a delivery with each request and response. */
export function WebhookDeliveryView({ delivery, state, onAgain }: DeliveryViewProps) {
  const { type, subject, at, event_id: event, next_attempt_at: next, tried } = delivery;
  return (
    <li>
      <details>
        <summary>
          <span class="state" data-told={delivery.state}>
            {state}
          </span>{" "}
          <strong>{type}</strong> {subject} <span class="calm">{formatCompanyMoment(at)}</span>
        </summary>
        <p>
          <code>{event}</code>
        </p>
        {next && <p>{t("webhookNext", { at: formatCompanyMoment(next) })}</p>}
        <h3>{t("webhookText")}</h3>
        <Code text={formatJson(delivery.request.body)} />
        {tried.map((attempt) => (
          <AttemptView key={attempt.at} attempt={attempt} />
        ))}
        {type !== TEST && (
          <button type="button" class="small" onClick={() => void onAgain(event)}>
            {t("webhookReplay")}
          </button>
        )}
      </details>
    </li>
  );
}

function AttemptView({ attempt }: { readonly attempt: Attempt }) {
  const { at, request, response, problem, duration_ms: took } = attempt;
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <section>
      <h3>
        {t("webhookRequest")} · {formatCompanyMoment(at)} · {took} ms
      </h3>
      <Code text={[`POST ${request.url}`, ...headers].join("\n")} />
      <p>
        {response
          ? t("webhookAnswer", { status: response.status })
          : t("webhookNotHeard", { problem: formatWebhookProblem(problem ?? "") })}
      </p>
      {response?.body && <Code text={response.body} />}
    </section>
  );
}

// Not a landmark, because several open ones would have the same name. The heading describes it.
function Code({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than its place is scrolled by keys.
    <pre class="code" tabIndex={0}>
      {text}
    </pre>
  );
}

function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
