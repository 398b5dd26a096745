import type { ComponentChildren } from "preact";
import type { Shop } from "./use-shop.ts";

interface Props {
  readonly shop: Shop;
  readonly children: ComponentChildren;
  /** What is wrong, in words; empty where nothing is. */
  readonly wrong: string;
  readonly onAsk: () => void;
}

/** The form of a change of one's own: its fields, what is wrong with them, and the button that asks for the price. */
export function AskForm({ shop: { texts }, children, wrong, onAsk }: Props) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onAsk();
      }}
    >
      {children}
      <p class="wrong" role="alert">
        {wrong}
      </p>
      <button type="submit" class="main" data-ask>
        {texts.showPrice}
      </button>
    </form>
  );
}
