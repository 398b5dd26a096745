import { useState } from "preact/hooks";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { type Answer, ask, office } from "../api.ts";
import { refusedBy } from "../desk/refusals.ts";
import { SureButton } from "../desk/sure-button.tsx";
import { type TextKey, t } from "../texts.ts";
import type { Thing } from "./things.ts";

/** What can be done with a thing beside changing it: a gateway is tried, a partner's address is told. */
export function Doings({ resource, thing }: { readonly resource: Resource; readonly thing: Thing }) {
  if (resource.name === "gateways") return <GatewayDoings method={String(thing.id)} key={thing.version} />;
  return resource.name === "webhooks" ? <WebhookDoings id={thing.id} /> : null;
}

const REASONS: readonly (readonly [RegExp, TextKey])[] = [
  [/not of the gateway's form/, "gateway.data"],
  [/No payment can be made/, "gateway.currency"],
  [/do not offer it/, "gateway.offered"],
];

function GatewayDoings({ method }: { readonly method: string }) {
  const [said, setSaid] = useState<readonly string[]>([]);
  const test = () =>
    ask("POST", office(`/gateways/${method}/test`)).then(
      ({ status, body }) => setSaid(status === 200 ? testWords(body) : [t("failed")]),
      () => setSaid([t("failed")]),
    );
  return (
    <section class="panel" aria-live="polite">
      <div class="moves">
        <button type="button" onClick={() => void test()}>
          {t("gatewayTest")}
        </button>
      </div>
      {said.map((one) => (
        <p key={one}>{one}</p>
      ))}
    </section>
  );
}

function testWords({ ready, reasons }: Answer["body"]): readonly string[] {
  if (ready === true) return [t("gatewayReady")];
  const why = (reasons as readonly string[]).map((one) => {
    const known = REASONS.find(([pattern]) => pattern.test(one));
    return known ? t(known[1]) : one;
  });
  return [t("gatewayNotReady"), ...why];
}

interface Tried {
  readonly response: { readonly status: number } | null;
  readonly problem: string | null;
}

const ALREADY_TOLD_DAYS = 7;
const DAY_MILLISECONDS = 86_400_000;

function WebhookDoings({ id }: { readonly id: Thing["id"] }) {
  const [said, setSaid] = useState("");
  const [from, setFrom] = useState(
    new Date(Date.now() - ALREADY_TOLD_DAYS * DAY_MILLISECONDS).toISOString().slice(0, 10),
  );
  const send = (what: string, body: object, words: (answer: Answer["body"]) => string) =>
    ask("POST", office(`/webhooks/${id}/${what}`), { body }).then(
      (answer) => setSaid(answer.status < 300 ? words(answer.body) : refusalOf(answer)),
      () => setSaid(t("notSent")),
    );
  return (
    <section class="panel" aria-live="polite">
      <div class="moves">
        <button type="button" onClick={() => void send("test", {}, heardWords)}>
          {t("webhookTest")}
        </button>
        <label>
          {t("webhookFrom")}
          <input type="date" value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
        </label>
        <button
          type="button"
          onClick={() => void send("replay", { from }, ({ replayed }) => t("webhookReplayed", { n: Number(replayed) }))}
        >
          {t("webhookReplay")}
        </button>
        <SureButton
          text={t("webhookRotate")}
          onSure={() => send("rotate-secret", {}, ({ webhook }) => secretWords(webhook as Thing))}
        />
      </div>
      <p>{said}</p>
    </section>
  );
}

const secretWords = ({ secret }: Thing) => t("secretOnce", { secret: String(secret) });

function heardWords({ delivery }: Answer["body"]): string {
  const last = (delivery as { readonly tried?: readonly Tried[] } | undefined)?.tried?.at(-1);
  if (last?.response) return t("webhookHeard", { status: last.response.status });
  return t("webhookNotHeard", { problem: last?.problem ?? "" });
}

function refusalOf(answer: Answer): string {
  const { fields, notice } = refusedBy(answer);
  return [notice, ...Object.values(fields)].join(" ");
}
