import { useState } from "preact/hooks";
import { may, momentThere } from "../../account.ts";
import { type Answer, ask, isOpen, office } from "../../api.ts";
import { refusedBy } from "../../desk/refusals.ts";
import { SureButton } from "../../desk/sure-button.tsx";
import { Trouble } from "../../desk/trouble.tsx";
import { useWhole } from "../../desk/use-whole.tsx";
import { t } from "../../texts.ts";

interface Session {
  readonly id: string;
  readonly full_name: string;
  readonly last_used_at: string;
  readonly device: string | null;
  readonly is_current: boolean;
}

const OWN = "/api/v1/sessions";

/** Where one is signed in, to be ended one by one or all; for administrators everybody's. */
export function Sessions() {
  return (
    <>
      <SessionList
        name="sessions"
        title={t("sessions")}
        path={OWN}
        end={({ id }) => ask("DELETE", `${OWN}/${encodeURIComponent(id)}`)}
        onEndAll={async () => {
          await ask("DELETE", OWN);
          isOpen.value = false;
        }}
      />
      {may("administer") && (
        <SessionList
          name="staff-sessions"
          title={t("sessionsStaff")}
          path={office("/sessions")}
          end={({ id }) => ask("POST", office(`/sessions/${encodeURIComponent(id)}/end`), { body: {} })}
        />
      )}
    </>
  );
}

interface ListProps {
  readonly name: string;
  readonly title: string;
  readonly path: string;
  readonly end: (session: Session) => Promise<Answer>;
  readonly onEndAll?: () => Promise<unknown>;
}

function SessionList({ name, title, path, end, onEndAll }: ListProps) {
  const { whole, problem: unread, read } = useWhole<{ readonly data: readonly Session[] }>(path);
  const [problem, setProblem] = useState("");
  const sessions = whole?.data;
  const take = (answer: Answer) => {
    setProblem(answer.status < 300 ? "" : refusedBy(answer).notice);
    return read();
  };
  const doing = (work: Promise<Answer>) => work.then(take, () => setProblem(t("failed")));
  return (
    <section class="panel" aria-labelledby={name}>
      <h2 id={name}>{title}</h2>
      {problem && <p role="alert">{problem}</p>}
      <Trouble problem={unread} onRetry={read} />
      {!sessions && !unread && <p>{t("loading")}…</p>}
      <ul class="plain rows">
        {sessions?.map((one) => (
          <li key={one.id}>
            <span>
              <strong>{name === "sessions" ? deviceOf(one) : one.full_name}</strong>
              <small>
                {[
                  name === "sessions" ? "" : deviceOf(one),
                  t("sessionUsed", { at: momentThere(one.last_used_at) }),
                  one.is_current ? t("sessionHere") : "",
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </small>
            </span>
            {!one.is_current && (
              <SureButton
                text={t("sessionEnd")}
                of={`${one.full_name}, ${deviceOf(one)}`}
                onSure={() => doing(end(one))}
              />
            )}
          </li>
        ))}
      </ul>
      {onEndAll && (
        <div class="moves">
          <SureButton
            text={t("sessionsEndAll")}
            isDanger
            onSure={() => onEndAll().catch(() => setProblem(t("failed")))}
          />
        </div>
      )}
    </section>
  );
}

// What a browser calls itself is long: its name and its system are enough to know it by.
function deviceOf({ device }: Session): string {
  if (!device) return t("sessionUnknown");
  const browser = /(Edg|OPR|Firefox|HeadlessChrome|Chrome|Safari)\/[\d]+/.exec(device)?.[0]?.replace("/", " ");
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(device)?.[0];
  return [browser, system].filter(Boolean).join(", ") || device.slice(0, 60);
}
