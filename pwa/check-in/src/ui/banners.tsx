import { computed, signal } from "@preact/signals";
import { t } from "../i18n/texts.ts";
import { applyUpdate, waitingWorker } from "../offline/app-update.ts";
import type { DeviceStorageSpace } from "../offline/storage.ts";
import { session } from "../state/device-session.ts";
import { declineInstall, installPrompt, isInstallDeclined, offerInstall } from "../state/install.ts";
import { oldestUnsentAt, undecidedWorkCounts, unsentItemCount } from "../state/outbox.ts";
import { isWorkScreen, route, toHref } from "../state/route.ts";
import { bookingIdMadeAfterLeaving } from "../state/walk-in.ts";
import { isLastChangeUnsaved } from "../state/work.ts";
import { Icon } from "./icon.tsx";

const TOO_LONG_MS = 4 * 3600 * 1000;

export const storageSpace = signal<DeviceStorageSpace | undefined>(undefined);
export const currentMinute = signal(Date.now());

const isLate = computed(() => {
  const oldest = oldestUnsentAt.value;
  return oldest !== undefined && currentMinute.value - oldest > TOO_LONG_MS;
});

// Scrolls to a banner, because the user may have scrolled far down.
const comeIntoSight = (banner: Element | null) => banner?.scrollIntoView({ block: "center" });

/** Important notices at the top of a screen. */
export function Banners() {
  return (
    <>
      {session.value?.expired && route.value[0] !== "sign-in" && (
        <a class="banner" data-tone="refused" href={toHref("sign-in")}>
          <Icon name="key" />
          <span class="grow">{t("bannerSignIn")}</span>
          <b>{t("signIn")}</b>
        </a>
      )}
      {isLastChangeUnsaved.value && (
        <p class="banner" data-tone="refused" role="alert" ref={comeIntoSight}>
          <Icon name="refused" />
          <span>{t("bannerUnkept")}</span>
        </p>
      )}
      <BookedLate />
      {isLate.value && (
        <a class="banner" data-tone="waiting" href={toHref("outbox")}>
          <Icon name="clock" />
          <span>{t("bannerLate", { n: unsentItemCount.value })}</span>
        </a>
      )}
      {route.value[0] !== "outbox" &&
        [...undecidedWorkCounts.value].map(([name, n]) => (
          <a key={name} class="banner" data-tone="waiting" href={toHref("outbox")}>
            <Icon name="clock" />
            <span>{t("sendForColleague", { n, name })}</span>
          </a>
        ))}
      {storageSpace.value && storageSpace.value.state !== "enough" && (
        <p class="banner" data-tone={storageSpace.value.state === "full" ? "refused" : "waiting"}>
          <Icon name="store" />
          <span>{t(storageSpace.value.state === "full" ? "bannerFull" : "bannerScarce")}</span>
        </p>
      )}
      {waitingWorker.value && !isWorkScreen() && (
        <p class="banner">
          <Icon name="down" />
          <span class="grow">{t("bannerUpdate")}</span>
          <button type="button" class="small" onClick={applyUpdate}>
            {t("update")}
          </button>
        </p>
      )}
      {installPrompt.value && !isInstallDeclined.value && route.value[0] === "day" && (
        <p class="banner offer">
          <span class="grow">{t("installWhy")}</span>
          <button type="button" class="small" onClick={() => void offerInstall()}>
            {t("installNow")}
          </button>
          <button type="button" class="round" aria-label={t("installNot")} onClick={declineInstall}>
            <Icon name="close" />
          </button>
        </p>
      )}
    </>
  );
}

// Screen readers announce changes only in an existing live region.
function BookedLate() {
  const id = bookingIdMadeAfterLeaving.value;
  return (
    <div class="told" role="status">
      {id !== undefined && (
        <a
          class="banner"
          href={toHref("booking", id)}
          onClick={() => {
            bookingIdMadeAfterLeaving.value = undefined;
          }}
        >
          <Icon name="check" />
          <span class="grow">{t("walkIn")}</span>
          <b>{t("booking", { id })}</b>
        </a>
      )}
    </div>
  );
}
