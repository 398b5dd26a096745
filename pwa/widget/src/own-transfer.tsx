import { useId, useMemo, useState } from "preact/hooks";
import { QuoteForm } from "./ask-form.tsx";
import { toTransferChange } from "./engines/transfers.ts";
import { firstWrong, NONE_WRONG } from "./field.tsx";
import type { Change, Search, Settings } from "./model.ts";
import { backwards, TransferFields } from "./transfer-fields.tsx";
import type { Shop } from "./use-shop.ts";

interface Props {
  readonly shop: Shop;
  readonly settings: Settings;
  /** Agreed values. */
  readonly agreed: Search;
  readonly onAsk: (change: Change) => void;
}

/** Form to change one's own transfer: time, route and travellers. */
export function OwnTransfer({ shop, settings, agreed, onAsk }: Props) {
  const { texts, problem } = shop;
  const [search, setSearch] = useState(agreed);
  const [own, setOwn] = useState(NONE_WRONG);
  const wrongId = useId();
  const submit = () => {
    const returnProblems = backwards(search, texts);
    setOwn(returnProblems ?? NONE_WRONG);
    if (!returnProblems) onAsk(toTransferChange(agreed, search));
  };
  const wrong = useMemo(() => (own.text ? own : firstWrong(problem?.wrong)), [own, problem]);
  return (
    <QuoteForm {...{ shop, wrong, wrongId }} onAsk={submit}>
      <TransferFields
        {...{ shop, settings, search, agreed, wrong, wrongId }}
        onChange={(part) => {
          setOwn(NONE_WRONG);
          setSearch((now) => ({ ...now, ...part }));
        }}
      />
    </QuoteForm>
  );
}
