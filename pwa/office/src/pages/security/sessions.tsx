import { useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type { SessionListMessage } from "#worker/api/customer-access/session-messages.ts";
import { formatCompanyMoment, hasUserRight } from "../../account.ts";
import { isSessionOpen, type OfficeResponse, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { ConfirmButton } from "../../desk/confirm-button.tsx";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { useResource } from "../../desk/use-resource.tsx";
import { t } from "../../texts.ts";

type Session = Immutable<SessionListMessage["data"][number]>;

const OWN = "/api/v1/sessions";

/** Sessions to end individually or all at once. Administrators see everyone's. */
export function Sessions() {
  return (
    <>
      <SessionList
        name="sessions"
        title={t("sessions")}
        path={OWN}
        end={({ id }) => sendOfficeRequest("DELETE", `${OWN}/${encodeURIComponent(id)}`)}
        onEndAll={async () => {
          await sendOfficeRequest("DELETE", OWN);
          isSessionOpen.value = false;
        }}
      />
      {hasUserRight("administer") && (
        <SessionList
          name="staff-sessions"
          title={t("sessionsStaff")}
          path={toOfficePath("/sessions")}
          end={({ id }) =>
            sendOfficeRequest<object, object>("POST", toOfficePath(`/sessions/${encodeURIComponent(id)}/end`), {
              body: {},
            })
          }
        />
      )}
    </>
  );
}

interface ListProps {
  readonly name: string;
  readonly title: string;
  readonly path: string;
  readonly end: (session: Session) => Promise<OfficeResponse>;
  readonly onEndAll?: () => Promise<unknown>;
}

function SessionList({ name, title, path, end, onEndAll }: ListProps) {
  const { whole, problem: unread, read, retry } = useResource<SessionListMessage>(path);
  const [problem, setProblem] = useState("");
  const sessions = whole?.data;
  const take = (answer: OfficeResponse) => {
    setProblem(answer.status < 300 ? "" : toRefusalTexts(answer).notice);
    return read();
  };
  const doing = (work: Promise<OfficeResponse>) => work.then(take, () => setProblem(t("failed")));
  return (
    <section class="panel" aria-labelledby={name}>
      <h2 id={name}>{title}</h2>
      {problem && <p role="alert">{problem}</p>}
      <LoadErrorMessage problem={unread} onRetry={retry} />
      {!sessions && !unread && <p>{t("loading")}</p>}
      <ul class="plain rows">
        {sessions?.map((session) => (
          <li key={session.id}>
            <span>
              <strong>{name === "sessions" ? formatDevice(session) : session.full_name}</strong>
              <small>
                {[
                  name === "sessions" ? "" : formatDevice(session),
                  t("sessionUsed", { at: formatCompanyMoment(session.last_used_at) }),
                  session.is_current ? t("sessionHere") : "",
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </small>
            </span>
            {!session.is_current && (
              <ConfirmButton
                text={t("sessionEnd")}
                of={`${session.full_name}, ${formatDevice(session)}`}
                onSure={() => doing(end(session))}
              />
            )}
          </li>
        ))}
      </ul>
      {onEndAll && (
        <div class="buttons">
          <ConfirmButton
            text={t("sessionsEndAll")}
            isDanger
            onSure={() => onEndAll().catch(() => setProblem(t("failed")))}
          />
        </div>
      )}
    </section>
  );
}

// Shortens a user agent to browser and operating system.
function formatDevice({ device }: Session): string {
  if (!device) return t("sessionUnknown");
  const browser = /(Edg|OPR|Firefox|HeadlessChrome|Chrome|Safari)\/[\d]+/.exec(device)?.[0]?.replace("/", " ");
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(device)?.[0];
  return [browser, system].filter(Boolean).join(", ") || device.slice(0, 60);
}
