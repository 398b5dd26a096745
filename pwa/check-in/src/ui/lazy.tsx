import { signal } from "@preact/signals";
import type { ComponentType } from "preact";

/** A screen that is loaded when it is first opened. The service worker has it: no network is needed. */
export function lazy(load: () => Promise<{ readonly default: ComponentType }>): ComponentType {
  const loaded = signal<ComponentType | undefined>(undefined);
  let loading: Promise<void> | undefined;
  return () => {
    const Loaded = loaded.value;
    if (Loaded) return <Loaded />;
    if (!loading) {
      loading = load().then((module) => {
        loaded.value = module.default;
      });
    }
    return <div class="screen" aria-busy="true" />;
  };
}
