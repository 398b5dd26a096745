import { useState } from "preact/hooks";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { type Answer, ask, office } from "../api.ts";
import { type TextKey, t } from "../texts.ts";
import type { Thing } from "./things.ts";
import { WebhookPanel } from "./webhook.tsx";

interface DoingsProps {
  readonly resource: Resource;
  readonly thing: Thing;
  /** Is told of the thing that something done with it has changed. */
  readonly onThing: (changed: Thing) => void;
}

/** What can be done with a thing beside changing it: a gateway is tried, a partner's address is told. */
export function Doings({ resource, thing, onThing }: DoingsProps) {
  if (resource.name === "gateways") return <GatewayDoings method={String(thing.id)} key={thing.version} />;
  if (resource.name === "webhooks") return <WebhookPanel id={String(thing.id)} onThing={onThing} />;
  if (resource.name !== "calendars") return null;
  return (
    <p>
      {t("calendarLink")}: <code class="link">{`${location.origin}${String(thing["link"])}`}</code>
    </p>
  );
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
