import { signal } from "@preact/signals";
import type { ComponentType, JSX } from "preact";

/** A part of a screen that is loaded when it is first shown. The service worker has it: no network is needed. */
export function lazyWith<Props>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  placeholder: JSX.Element | null = null,
): (props: Props & JSX.IntrinsicAttributes) => JSX.Element | null {
  const loaded = signal<ComponentType<Props> | undefined>(undefined);
  let loading: Promise<void> | undefined;
  return (props) => {
    const Loaded = loaded.value;
    if (Loaded) return <Loaded {...props} />;
    if (!loading) {
      loading = load().then((module) => {
        loaded.value = module.default;
      });
    }
    return placeholder;
  };
}

/** A screen that is loaded when it is first opened. */
export const lazy = (load: () => Promise<{ readonly default: ComponentType }>): ComponentType =>
  lazyWith<object>(load, <div class="screen" aria-busy="true" />) as ComponentType;
