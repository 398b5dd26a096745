import { useId, useMemo, useState } from "preact/hooks";
import { toTransferChange } from "./engines/transfers.ts";
import { joinFieldErrors, NO_FIELD_ERROR } from "./field.tsx";
import type { OwnReservationChange, SearchValues, Settings } from "./model.ts";
import { OwnChangeQuoteForm } from "./own-change-quote-form.tsx";
import { findMissingAddressError, findReturnBeforeOutwardError, TransferFields } from "./transfer-fields.tsx";
import type { BookingFlow } from "./use-booking-flow.ts";

interface Props {
  readonly shop: BookingFlow;
  readonly settings: Settings;
  /** Agreed route, time and travellers. */
  readonly agreed: SearchValues;
  readonly onAsk: (change: OwnReservationChange) => void;
}

/** Form to change one's own transfer: time, route and travellers. */
export function OwnTransferChangeForm({ shop, settings, agreed, onAsk }: Props) {
  const { texts, problem } = shop;
  const [search, setSearch] = useState(agreed);
  const [own, setOwn] = useState(NO_FIELD_ERROR);
  const wrongId = useId();
  const submit = () => {
    const fieldProblem = findMissingAddressError(search, texts) ?? findReturnBeforeOutwardError(search, texts);
    setOwn(fieldProblem ?? NO_FIELD_ERROR);
    if (!fieldProblem) onAsk(toTransferChange(agreed, search));
  };
  const refused = problem?.at === "quote" ? problem.wrong : undefined;
  const fieldError = useMemo(() => (own.text ? own : joinFieldErrors(refused)), [own, refused]);
  return (
    <OwnChangeQuoteForm {...{ shop, formError: fieldError, wrongId }} onAsk={submit}>
      <TransferFields
        {...{ shop, settings, search, agreed, fieldError, wrongId }}
        onChange={(part) => {
          setOwn(NO_FIELD_ERROR);
          setSearch((now) => ({ ...now, ...part }));
        }}
      />
    </OwnChangeQuoteForm>
  );
}
