import { useState } from "preact/hooks";
import { firstTransfer } from "./engines/transfers.ts";
import type { Search, Settings } from "./model.ts";
import { SearchFrame } from "./search-frame.tsx";
import { isBackwards, TransferFields } from "./transfer-fields.tsx";
import type { Shop } from "./use-shop.ts";

interface Props {
  readonly shop: Shop;
  readonly settings: Settings;
}

/** From where to where, when, and who travels. */
export function TransferSearch({ shop, settings }: Props) {
  const { texts } = shop;
  const [search, setSearch] = useState<Search>(() => firstTransfer(settings, shop.place.search));
  const [isReady, setIsReady] = useState(false);
  const [wrong, setWrong] = useState("");
  const submit = () => {
    setWrong(isBackwards(search) ? texts.returnBefore : "");
    if (!isBackwards(search)) shop.find(search);
  };
  return (
    <SearchFrame shop={shop} title={texts.transferTitle} wrong={wrong} isReady={isReady} onSubmit={submit}>
      <TransferFields
        {...{ shop, settings, search }}
        onChange={(part) => setSearch((now) => ({ ...now, ...part }))}
        onReady={() => setIsReady(true)}
      />
    </SearchFrame>
  );
}
