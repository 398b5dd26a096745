import { useState } from "preact/hooks";
import { AskForm } from "./ask-form.tsx";
import { toTransferChange } from "./engines/transfers.ts";
import type { Change, Search, Settings } from "./model.ts";
import { isBackwards, TransferFields } from "./transfer-fields.tsx";
import type { Shop } from "./use-shop.ts";

interface Props {
  readonly shop: Shop;
  readonly settings: Settings;
  /** As it is agreed. */
  readonly agreed: Search;
  readonly onAsk: (change: Change) => void;
}

/** The form of a change of one's own transfer: when, from where to where, and who travels. */
export function OwnTransfer({ shop, settings, agreed, onAsk }: Props) {
  const { texts, problem } = shop;
  const [search, setSearch] = useState(agreed);
  const [isWrong, setIsWrong] = useState(false);
  const submit = () => {
    setIsWrong(isBackwards(search));
    if (!isBackwards(search)) onAsk(toTransferChange(agreed, search));
  };
  return (
    <AskForm
      shop={shop}
      wrong={isWrong ? texts.returnBefore : Object.values(problem?.wrong ?? {}).join(" ")}
      onAsk={submit}
    >
      <TransferFields
        {...{ shop, settings, search, agreed }}
        onChange={(part) => setSearch((now) => ({ ...now, ...part }))}
      />
    </AskForm>
  );
}
