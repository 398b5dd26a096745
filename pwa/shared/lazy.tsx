import { signal } from "@preact/signals";
import type { ComponentType, JSX } from "preact";

export interface LazyLoadErrorProps {
  readonly onRetry: () => void;
}

/**
 * Creates a component that loads on first use and shows `placeholder` until then. If loading fails, shows `Missing` and
 * retries with the next connection or on request.
 */
export function loadLazily<Props>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  placeholder: JSX.Element | null,
  Missing: ComponentType<LazyLoadErrorProps>,
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
