import { useEffect, useId, useState } from "preact/hooks";
import { createInitialTransferSearch, transferListRequests } from "./engines/transfers.ts";
import { joinFieldErrors, NO_FIELD_ERROR } from "./field.tsx";
import { isDateText } from "./format.ts";
import type { SearchValues, Settings } from "./model.ts";
import { SearchFrame } from "./search-frame.tsx";
import { findReturnBeforeOutwardError, TransferFields } from "./transfer-fields.tsx";
import type { BookingFlow } from "./use-booking-flow.ts";
import { useProposedOpenDay } from "./use-open-day.ts";

interface Props {
  readonly shop: BookingFlow;
  readonly settings: Settings;
}

/** Route, time and travellers. */
export function TransferSearch({ shop, settings }: Props) {
  const { texts, client, problem } = shop;
  const [search, setSearch] = useState<SearchValues>(() => createInitialTransferSearch(settings, shop.place.search));
  const [isReady, setIsReady] = useState(false);
  const [wrong, setWrong] = useState(NO_FIELD_ERROR);
  const wrongId = useId();
  const [isProposed, setIsProposed] = useState(!isDateText(shop.place.search["date"]));
  const change = (part: SearchValues) => {
    setWrong(NO_FIELD_ERROR);
    setSearch((now) => ({ ...now, ...part }));
  };
  // Show server errors at their fields.
  useEffect(() => {
    if (problem?.wrong) setWrong(joinFieldErrors(problem.wrong));
  }, [problem]);
  const origin = search["origin_point_id"] ?? "";
  const isOpen = useProposedOpenDay({
    day: search["date"] ?? "",
    isProposed,
    place: origin,
    loadDays: (from, to) => transferListRequests.days(client, origin, from, to),
    onMove: (date) => change({ date }),
  });
  const submit = () => {
    const problem = findReturnBeforeOutwardError(search, texts);
    if (problem) setWrong(problem);
    else shop.find(search);
  };
  return (
    <SearchFrame
      {...{ shop, fieldError: wrong, wrongId }}
      title={texts.transferTitle}
      isReady={isReady && isOpen}
      onSubmit={submit}
    >
      <TransferFields
        {...{ shop, settings, search, fieldError: wrong, wrongId }}
        onChange={(part) => {
          if ("date" in part) setIsProposed(false);
          change(part);
        }}
        onReady={() => setIsReady(true)}
      />
    </SearchFrame>
  );
}
