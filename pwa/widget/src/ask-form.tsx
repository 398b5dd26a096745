import type { ComponentChildren } from "preact";
import type { WrongField } from "./field.tsx";
import { LiveRegionMessage } from "./heard.tsx";
import { useFirstWrong } from "./use-first-wrong.ts";
import type { Shop } from "./use-shop.ts";

interface Props {
  readonly shop: Shop;
  readonly children: ComponentChildren;
  /** What is wrong, in words; empty where nothing is: another object each time that it is found. */
  readonly wrong: WrongField;
  readonly wrongId: string;
  readonly onAsk: () => void;
}

/** The form of a change of one's own: its fields, what is wrong with them, and the button that asks for the price. */
export function QuoteForm({ shop: { texts }, children, wrong, wrongId, onAsk }: Props) {
  const form = useFirstWrong(wrong);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onAsk();
      }}
    >
      {children}
      <p class="wrong" role="alert" id={wrongId}>
        <LiveRegionMessage of={wrong} text={wrong.text} />
      </p>
      <button type="submit" class="main" data-ask>
        {texts.showPrice}
      </button>
    </form>
  );
}
