import { t } from "../i18n/texts.ts";
import { session } from "../state/device-session.ts";
import { formatDeviceMoment } from "../state/format-time.ts";
import {
  isOnline,
  isServerReachable,
  itemCounts,
  lastReceivedByServerAt,
  photosSending,
  visibleItems,
} from "../state/outbox.ts";
import { toHref } from "../state/route.ts";
import { getSyncStatus } from "../state/sync-status.ts";
import { Icon } from "./icon.tsx";

/** Returns the position of a photo whose item is being sent. */
const sendingPhoto = () =>
  [...photosSending.value.values()].find(({ opId }) => visibleItems.value.get(opId)?.state === "sending");

/** Status bar with sent and pending work, on every screen. */
export function StatusBar() {
  const at = lastReceivedByServerAt.value;
  const { tone, icon, texts } = getSyncStatus({
    ...itemCounts.value,
    isOnline: isOnline.value,
    isReached: isServerReachable.value,
    isExpired: session.value?.expired === true,
    photo: sendingPhoto(),
    receivedAt: at === undefined ? undefined : formatDeviceMoment(at),
  });
  return (
    <a class="status" data-tone={tone} href={toHref("outbox")}>
      <Icon name={icon} size={20} />
      <span aria-live="polite" role="status">
        {texts.map(([key, values]) => t(key, values)).join(" · ")}
      </span>
      <Icon name="next" size={18} />
    </a>
  );
}
