import { useState } from "preact/hooks";
import type { ResourceAnswer } from "#domain/catalogue/resources/answer-types.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import type { GatewayTestMessage } from "#worker/api/office/resources/account-messages.ts";
import type { RemovedFactorsMessage } from "#worker/api/office/security-messages.ts";
import { hasUserRight } from "../account.ts";
import { type OfficeResponse, sendOfficeRequest, toOfficePath } from "../api.ts";
import { ConfirmButton } from "../desk/confirm-button.tsx";
import { PanelLoadError } from "../desk/load-error.tsx";
import { toRefusalTexts } from "../desk/refusals.ts";
import { useResource } from "../desk/use-resource.tsx";
import { linkTo, linkToWithQuery } from "../route.ts";
import { t } from "../texts.ts";
import { listExpectedVisits } from "./closed-day.ts";
import { CopySeason } from "./copy-season.tsx";
import type { Planning } from "./planning/planning.ts";
import type { ResourceRecord } from "./resources.ts";
import { WebhookPanel } from "./webhook.tsx";

interface ResourceActionsProps {
  readonly resource: Resource;
  readonly record: ResourceRecord;
  /** Called with the changed resource. */
  readonly onThing: (changed: ResourceRecord) => void;
}

/** Further actions of a resource: testing a gateway, calling customers of a closed day. */
export function ResourceActions({ resource, record, onThing }: ResourceActionsProps) {
  if (resource.name === "gateways") return <GatewayActions method={String(record.id)} key={record.version} />;
  if (resource.name === "webhooks") return <WebhookPanel id={String(record.id)} onThing={onThing} />;
  if (resource.name === "users")
    return hasUserRight("administer") ? (
      <>
        <Invitation user={record as ResourceAnswer<"users">} key={`invite-${record.id}`} />
        <LostFactors user={record as ResourceAnswer<"users">} key={record.id} />
      </>
    ) : null;
  if (resource.name === "closed-dates") {
    const { rental_location_code: branch, date } = record as ResourceAnswer<"closed-dates">;
    return <ClosedDay branch={branch} date={date} key={record.id} />;
  }
  if (resource.name === "seasons") return <CopySeason season={record as ResourceAnswer<"seasons">} key={record.id} />;
  if (resource.name === "agencies") return <RejectedRequestsLink agency={String(record.id)} />;
  if (resource.name !== "calendars") return null;
  const { link } = record as ResourceAnswer<"calendars">;
  return (
    <p>
      {t("calendarLink")}: <code class="link">{`${location.origin}${link}`}</code>
    </p>
  );
}

function RejectedRequestsLink({ agency }: { readonly agency: string }) {
  if (!hasUserRight("manage")) return null;
  return (
    <p>
      <a class="button" href={linkToWithQuery({ agency_id: agency }, "rejected-requests")}>
        {t("rejectedRequests")}
      </a>
    </p>
  );
}

// Existing bookings remain valid, so the customers must be informed.
function ClosedDay({ branch, date }: { readonly branch: string; readonly date: string }) {
  const { whole: planning, problem, retry } = useResource<Planning>(toOfficePath(`/planning?date_from=${date}&days=1`));
  if (problem) return <PanelLoadError title={t("closedDayWho")} problem={problem} onRetry={retry} />;
  if (!planning) return null;
  const coming = listExpectedVisits(branch, date, planning);
  return (
    <section class="panel" aria-live="polite">
      <p class={coming.length > 0 ? "strong" : "calm"}>
        {coming.length > 0 ? t("closedDayComing", { n: coming.length }) : t("closedDayFree")}
      </p>
      <ul class="plain">
        {coming.map(({ id, side, time, customer }) => (
          <li key={`${id}-${side}`}>
            <a href={linkTo("reservations", id)}>
              <time>{time}</time> {t(side)}: {customer}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

// Sends a user another link to choose a password.
function Invitation({ user }: { readonly user: ResourceAnswer<"users"> }) {
  const [text, setText] = useState("");
  const invite = () =>
    sendOfficeRequest("POST", toOfficePath(`/users/${user.id}/invitation`)).then(
      (answer) => setText(answer.status === 200 ? t("invited", { email: user.email }) : toRefusalTexts(answer).notice),
      () => setText(t("failed")),
    );
  return (
    <section class="panel" aria-live="polite">
      <p>{t("invitationAbout")}</p>
      <div class="buttons">
        <button type="button" disabled={!user.active} onClick={() => void invite()}>
          {t("inviteAgain")}
        </button>
      </div>
      {text && <p>{text}</p>}
    </section>
  );
}

// Resets the second factors of a user who lost them all and can't sign in.
function LostFactors({ user }: { readonly user: ResourceAnswer<"users"> }) {
  const [text, setText] = useState("");
  const removeRecord = () =>
    sendOfficeRequest<RemovedFactorsMessage>("POST", toOfficePath(`/users/${user.id}/forget-factors`)).then(
      (answer) => setText(answer.status === 200 ? formatAcceptedText(answer) : toRefusalTexts(answer).notice),
      () => setText(t("failed")),
    );
  return (
    <section class="panel" aria-live="polite">
      <p>{t("factorsLost")}</p>
      <div class="buttons">
        <ConfirmButton text={t("factorsForget")} of={user.full_name} onSure={removeRecord} />
      </div>
      {text && <p>{text}</p>}
    </section>
  );
}

function formatAcceptedText({ body }: OfficeResponse<RemovedFactorsMessage>): string {
  return t(body.forgotten === 0 ? "factorsNone" : "factorsForgotten");
}

function GatewayActions({ method }: { readonly method: string }) {
  const [resultTexts, setResultTexts] = useState<readonly string[]>([]);
  const test = () =>
    sendOfficeRequest<GatewayTestMessage>("POST", toOfficePath(`/gateways/${method}/test`)).then(
      ({ status, body }) => setResultTexts(status === 200 ? listTestTexts(body) : [t("failed")]),
      () => setResultTexts([t("failed")]),
    );
  return (
    <section class="panel" aria-live="polite">
      <div class="buttons">
        <button type="button" onClick={() => void test()}>
          {t("gatewayTest")}
        </button>
      </div>
      {resultTexts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </section>
  );
}

/** Lists the texts of a gateway's test. */
export function listTestTexts({ ready, reasons = [] }: OfficeResponse<GatewayTestMessage>["body"]): readonly string[] {
  if (ready) return [t("gatewayReady")];
  return [t("gatewayNotReady"), ...reasons.map(({ code, params }) => t(`gateway.${code}`, params))];
}
