import { t } from "../i18n/texts.ts";
import { phoneMomentText } from "../state/moments.ts";
import { counts, isOnline, isReached, lastReceivedAt, unsent } from "../state/outbox.ts";
import { session } from "../state/phone.ts";
import { hrefOf } from "../state/route.ts";
import { Icon, type IconName } from "./icon.tsx";

interface Status {
  readonly tone: "offline" | "waiting" | "sending" | "refused" | "done";
  readonly icon: IconName;
  readonly text: string;
}

/** What has arrived and what has not, on every screen. */
export function StatusBar() {
  const status = statusNow();
  return (
    <a class="status" data-tone={status.tone} href={hrefOf("outbox")}>
      <Icon name={status.icon} size={20} />
      <span aria-live="polite" role="status">
        {status.text}
      </span>
      <Icon name="next" size={18} />
    </a>
  );
}

function statusNow(): Status {
  const { waiting, sending, blocked } = counts.value;
  const pending = waiting + sending;
  const refused = blocked > 0 ? ` · ${t("statusBlocked", { n: blocked })}` : "";
  if (session.value?.expired) return { tone: "refused", icon: "key", text: t("statusSignIn", { n: unsent.value }) };
  if (!isOnline.value || isReached.value === false) {
    const reach = isOnline.value ? t("statusUnreachable") : t("statusOffline");
    const waits = pending > 0 ? ` · ${t("statusWaiting", { n: pending })}` : "";
    return { tone: "offline", icon: "offline", text: `${reach}${waits}${refused}` };
  }
  if (sending > 0) return { tone: "sending", icon: "up", text: `${sendingText(pending)}${refused}` };
  if (waiting > 0) return { tone: "waiting", icon: "clock", text: `${t("statusWaiting", { n: waiting })}${refused}` };
  if (blocked > 0) return { tone: "refused", icon: "refused", text: t("statusBlocked", { n: blocked }) };
  const at = lastReceivedAt.value;
  return {
    tone: "done",
    icon: "check",
    text: at ? t("statusReceivedAt", { time: phoneMomentText(at) }) : t("statusNothing"),
  };
}

function sendingText(pending: number): string {
  const of = pending + counts.value.confirmed;
  return t("statusSending", { n: Math.min(of, counts.value.confirmed + 1), of });
}
