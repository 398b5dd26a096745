import { signal } from "@preact/signals";
import type { ComponentType, JSX } from "preact";
import { t } from "../i18n/texts.ts";
import { hrefOf } from "../state/route.ts";
import { Screen } from "./screen.tsx";

/**
 * A part of a screen that is loaded when it is first shown. The service worker has it: no network is needed. On a first
 * visit whose network went before it had all, the part says so, and comes with the next network or when asked for.
 */
export function lazyWith<Props>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  placeholder: JSX.Element | null = null,
  Missing: ComponentType<MissingProps> = MissingPart,
): (props: Props & JSX.IntrinsicAttributes) => JSX.Element | null {
  const loaded = signal<ComponentType<Props> | undefined>(undefined);
  const isMissing = signal(false);
  let loading: Promise<void> | undefined;
  const begin = () => {
    isMissing.value = false;
    loading ??= load().then(
      (module) => {
        loaded.value = module.default;
      },
      () => {
        loading = undefined;
        isMissing.value = true;
        addEventListener("online", begin, { once: true });
      },
    );
  };
  return (props) => {
    const Loaded = loaded.value;
    if (Loaded) return <Loaded {...props} />;
    if (isMissing.value) return <Missing onRetry={begin} />;
    if (!loading) begin();
    return placeholder;
  };
}

interface MissingProps {
  readonly onRetry: () => void;
}

/** Says that a part of a screen is not on the phone, and what it comes with. */
export const MissingPart = ({ onRetry }: MissingProps) => (
  <div class="card" role="alert">
    <p>{t("partMissingWhy")}</p>
    <button type="button" class="other" onClick={onRetry}>
      {t("retry")}
    </button>
  </div>
);

const MissingScreen = ({ onRetry }: MissingProps) => (
  <Screen title={t("partMissing")} back={hrefOf("day")}>
    <MissingPart onRetry={onRetry} />
  </Screen>
);

/** A screen that is loaded when it is first opened. */
export const lazy = (load: () => Promise<{ readonly default: ComponentType }>): ComponentType =>
  lazyWith<object>(load, <div class="screen" aria-busy="true" />, MissingScreen) as ComponentType;
