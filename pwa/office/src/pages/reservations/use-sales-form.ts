import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type { Typed } from "#shared/typed-requests.ts";
import type { CustomerDuplicateMessage } from "#worker/api/office/customer-messages.ts";
import type { NewTransferRequest } from "#worker/api/office/new-transfer-messages.ts";
import type { NewQuoteRequest, QuoteChangeRequest } from "#worker/api/office/quote-messages.ts";
import type { NewReservationRequest } from "#worker/api/office/request-messages.ts";
import { hasUserRight } from "../../account.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { type RefusalTexts, toRefusalTexts } from "../../desk/refusals.ts";
import type { ReservationDetail } from "../../desk/reservation.ts";
import { useSubmitOnce } from "../../desk/submit-once.ts";
import { goToPage } from "../../route.ts";
import { type TextKey, t } from "../../texts.ts";
import type { CustomerQuoteDetail } from "../quotes/quote.ts";

const NOTHING_WRONG: RefusalTexts = { fields: {}, notice: "" };

/** Request of a reservation, of a quote or its change, or of a transfer. */
type SaleBody = NewReservationRequest | NewQuoteRequest | QuoteChangeRequest | NewTransferRequest;

interface Selling {
  readonly title: TextKey;
  /** List name of the draft to delete after the sale, and id of the changed item, if any. */
  readonly list: string;
  readonly id?: string | undefined;
  readonly method?: "POST" | "PATCH";
  /** Path of the request in the office API. */
  readonly path: string;
  /** Lists required fields without a value. */
  readonly missing: () => readonly string[];
  readonly body: () => Typed<SaleBody> | undefined;
}

/** Refusals that the user can override, each with the request field that overrides it. */
const CONFIRMATIONS: Readonly<Record<string, Confirmation>> = {
  possible_duplicate: "confirm_new",
  do_not_rent: "confirm_do_not_rent",
};

type Confirmation = keyof Pick<NewReservationRequest, "confirm_new" | "confirm_do_not_rent">;
type Created = Partial<ReservationDetail> & Partial<CustomerQuoteDetail> & Partial<CustomerDuplicateMessage>;
type Candidates = NonNullable<Immutable<CustomerDuplicateMessage>["candidates"]>;

const toPage = ({ quote, reservation }: Immutable<Created>): readonly (string | number)[] =>
  quote ? ["quotes", quote.id] : ["reservations", reservation?.id ?? ""];

const nameCreated = ({ quote, reservation }: Immutable<Created>): string =>
  quote ? t("quoteNo", { number: quote.number }) : t("reservationNo", { id: reservation?.id ?? "" });

/** Sales form that is submitted once under its key, shows errors at their fields and works by keyboard. */
export function useSalesForm({ title, list, id, method = "POST", path, missing, body }: Selling) {
  const [wrong, setWrong] = useState(NOTHING_WRONG);
  const [refusals, setRefusals] = useState(0);
  const [confirmations, setConfirmations] = useState<Partial<Readonly<Record<Confirmation, boolean>>>>({});
  const [candidates, setCandidates] = useState<Candidates>([]);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>("input")?.focus(), []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || (event.key !== "s" && event.key !== "Enter")) return;
      event.preventDefault();
      form.current?.requestSubmit();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const handleRejection = (refused: RefusalTexts) => {
    setWrong(refused);
    setRefusals((before) => before + 1);
    // Focus the first invalid field.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const { isBusy, send } = useSubmitOnce<Created>({
    draft: [list, id],
    title: t(title),
    formatNotice: (answer) => nameCreated(getSuccessfulContent(answer) ?? {}),
    take: (answer) => {
      if (!answer) return setWrong({ fields: {}, notice: t("notSent") });
      const created = getSuccessfulContent(answer);
      if (created) goToPage(...toPage(created));
      else {
        const field = CONFIRMATIONS[answer.body.code ?? ""];
        if (field && (field === "confirm_new" || hasUserRight("manage")))
          setConfirmations((before) => ({ ...before, [field]: false }));
        setCandidates(answer.body.candidates ?? []);
        handleRejection(toRefusalTexts(answer));
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
    const confirmed = Object.entries(confirmations).filter(([, isConfirmed]) => isConfirmed);
    const requestBody = { ...body(), ...Object.fromEntries(confirmed) };
    return send(requestBody, (key) =>
      sendOfficeRequest<Created, Typed<SaleBody>>(method, toOfficePath(path), {
        body: requestBody as Typed<SaleBody>,
        key,
      }),
    );
  };
  return {
    form,
    wrong,
    isBusy,
    /** Number of rejections. After one, quotes may be outdated. */
    refusals,
    /** Confirmations that a refusal asked for, and whether they are given. */
    confirmations: Object.entries(confirmations) as readonly (readonly [Confirmation, boolean])[],
    confirm: (field: Confirmation, isConfirmed: boolean) =>
      setConfirmations((before) => ({ ...before, [field]: isConfirmed })),
    /** Existing customers that may be the same person. */
    candidates,
    /** Clears the errors when values change. For another customer, also clears confirmations and candidates. */
    settle: (isOtherBuyer: boolean) => {
      setWrong(NOTHING_WRONG);
      if (!isOtherBuyer) return;
      setConfirmations({});
      setCandidates([]);
    },
    onSubmit: (event: Event) => {
      event.preventDefault();
      void submit();
    },
  };
}
