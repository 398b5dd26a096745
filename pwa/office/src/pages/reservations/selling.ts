import { useEffect, useRef, useState } from "preact/hooks";
import { ask, getContent, office } from "../../api.ts";
import { type Refused, refusedBy } from "../../desk/refusals.ts";
import type { ReservationDetail } from "../../desk/reservation.ts";
import { useSubmitOnce } from "../../desk/sending.ts";
import { go } from "../../route.ts";
import { type TextKey, t } from "../../texts.ts";

const NOTHING_WRONG: Refused = { fields: {}, notice: "" };

interface Selling {
  readonly title: TextKey;
  /** List name of the draft to delete after the sale. */
  readonly list: string;
  /** API path. */
  readonly path: string;
  /** Lists required fields without a value. */
  readonly missing: () => readonly string[];
  readonly body: () => object | undefined;
}

/** Sales form that is submitted once under its key, shows errors at their fields and works by keyboard. */
export function useSelling({ title, list, path, missing, body }: Selling) {
  const [wrong, setWrong] = useState(NOTHING_WRONG);
  const [refusals, setRefusals] = useState(0);
  const [isDuplicate, setDuplicate] = useState(false);
  const [isNewConfirmed, setNewConfirmed] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("input")?.focus();
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || (event.key !== "s" && event.key !== "Enter")) return;
      event.preventDefault();
      form.current?.requestSubmit();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const handleRejection = (refused: Refused) => {
    setWrong(refused);
    setRefusals((before) => before + 1);
    // Focus the first invalid field.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const { isBusy, send } = useSubmitOnce<ReservationDetail>({
    draft: [list, undefined],
    title: t(title),
    said: (answer) => t("reservationNo", { id: getContent(answer)?.reservation.id ?? "" }),
    take: (answer) => {
      if (!answer) return setWrong({ fields: {}, notice: t("notSent") });
      const createdReservation = getContent(answer);
      if (createdReservation) go("reservations", createdReservation.reservation.id);
      else {
        if (answer.body.code === "possible_duplicate") setDuplicate(true);
        handleRejection(refusedBy(answer));
      }
    },
  });
  const submit = () => {
    const names = missing();
    if (names.length > 0)
      return handleRejection({
        fields: Object.fromEntries(names.map((name) => [name, t("problem.missing")])),
        notice: t("fixFields"),
      });
    const requestBody = { ...body(), ...(isNewConfirmed && { confirm_new: true }) };
    return send(requestBody, (key) => ask<ReservationDetail>("POST", office(path), { body: requestBody, key }));
  };
  return {
    form,
    wrong,
    isBusy,
    /** Number of rejections. After one, quotes may be outdated. */
    refusals,
    /** Whether the customer may be one that is known. */
    isDuplicate,
    isNewConfirmed,
    setNewConfirmed,
    /** Called when a value changes. */
    settle: () => setWrong(NOTHING_WRONG),
    onSubmit: (event: Event) => {
      event.preventDefault();
      void submit();
    },
  };
}
