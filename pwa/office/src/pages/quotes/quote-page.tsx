import { useRef, useState } from "preact/hooks";
import { toMailLink, toPhoneLink } from "#shared/links.ts";
import { isolateRightToLeft } from "#shared/locale.ts";
import type {
  QuoteDeclineRequest,
  QuoteDuplicateRequest,
  QuoteSendRequest,
} from "#worker/api/office/quote-messages.ts";
import { formatMoment, formatMoney, hasUserRight } from "../../account.ts";
import { type OfficeResponse, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { CopyLink } from "../../desk/copy-link.tsx";
import { LabelledValueList } from "../../desk/fact-list.tsx";
import type { FormField } from "../../desk/fields.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { createLazyPage } from "../../desk/lazy-page.tsx";
import { getLanguageName } from "../../desk/names.ts";
import { QuoteSums } from "../../desk/quote-view.tsx";
import { PagePlaceholder, StaleDataNotice, useResource } from "../../desk/use-resource.tsx";
import { goToPage, linkTo } from "../../route.ts";
import { type TextKey, t } from "../../texts.ts";
import { OpenDocumentButton } from "../reservations/documents.tsx";
import { PickupAndReturn } from "../reservations/reservation-facts.tsx";
import { ReservationHistory } from "../reservations/reservation-history.tsx";
import {
  type CustomerQuote,
  type CustomerQuoteDetail,
  getHighlightedQuoteAction,
  getQuoteCustomerName,
  listQuotePageActions,
  type QuotePageAction,
} from "./quote.ts";
import { QuoteBadge } from "./quote-badge.tsx";

const QuoteChange = createLazyPage(() =>
  import("../reservations/new-reservation.tsx").then((parts) => parts.QuoteChange),
);

const PROBLEMS: Readonly<Record<number, TextKey>> = { 400: "noSuchQuote", 404: "noSuchQuote" };

const ACTIONS: Readonly<Record<QuotePageAction, TextKey>> = {
  send: "quoteDo.send",
  change: "quoteDo.change",
  duplicate: "quoteDo.duplicate",
  decline: "quoteDo.decline",
};

/** Fields of the actions with a form. */
const FIELDS = {
  send: [{ name: "email", kind: "email", label: "sendTo", required: true, isWide: true }],
  duplicate: [{ name: "valid_until", kind: "moment", label: "validUntil", required: true, isWide: true }],
  decline: [{ name: "reason", kind: "long", label: "declineReason", required: true }],
} as const satisfies {
  readonly send: readonly FormField<keyof QuoteSendRequest>[];
  readonly duplicate: readonly FormField<keyof QuoteDuplicateRequest>[];
  readonly decline: readonly FormField<keyof QuoteDeclineRequest>[];
};

type QuoteForm = QuoteSendRequest & QuoteDuplicateRequest & QuoteDeclineRequest;

type FormDoing = keyof typeof FIELDS;

// In a reservation's history, `expired` is the end of a hold, so the expiry of a quote gets another name.
const nameExpiry = (entry: CustomerQuoteDetail["history"][number]) =>
  entry.move === "expired" ? { ...entry, move: "quote_expired" } : entry;

/** Quote page with what is offered, customer, terms, history and actions. */
export function QuotePage({ id, action }: { readonly id: string; readonly action: string | undefined }) {
  const path = toOfficePath(`/quotes/${encodeURIComponent(id)}`);
  const { whole, setWhole, problem, read, retry } = useResource<CustomerQuoteDetail>(path, { problems: PROBLEMS });
  const [open, setOpen] = useState<FormDoing>();
  const [notice, setNotice] = useState("");
  const status = useRef<HTMLParagraphElement>(null);
  if (!whole)
    return (
      <PagePlaceholder
        title={t("quoteName")}
        problem={problem}
        onRetry={retry}
        list={linkTo("quotes")}
        listName={t("quotes")}
      />
    );
  const { quote, history } = whole;
  if (action === "change" && quote.allowed.includes("change")) return <QuoteChange of={quote} />;
  const showSuccess = (name: FormDoing, { body }: OfficeResponse<CustomerQuoteDetail>) => {
    setOpen(undefined);
    if (name === "duplicate" && body.quote) return goToPage("quotes", body.quote.id);
    if (name !== "duplicate") setNotice(t(`quoteDid.${name}`));
    if (body.quote && body.history) setWhole({ quote: body.quote, history: body.history });
    else void read();
    status.current?.focus();
  };
  return (
    <main class="reservation">
      <p class="crumbs">
        <a href={linkTo("quotes")}>{t("quotes")}</a>
      </p>
      <div class="title">
        <h1>
          {t("quoteNo", { number: quote.number })} · {isolateRightToLeft(getQuoteCustomerName(quote))}
        </h1>
        <QuoteBadge status={quote.status} />
        <span class="soft">{t("createdByAt", { at: formatMoment(quote.created), name: quote.created_by ?? "" })}</span>
      </div>
      <p class="done" role="status" ref={status} tabIndex={-1}>
        {notice}
      </p>
      <StaleDataNotice problem={problem} onRetry={retry} />
      {quote.sold_out && quote.status !== "accepted" && (
        <p class="notice refused">{t("quoteSoldOut", { at: formatMoment(quote.sold_out) })}</p>
      )}
      <Actions of={quote} onOpen={setOpen} />
      <PickupAndReturn of={quote} />
      <div class="columns">
        <div class="column">
          <Price of={quote} />
          <ReservationHistory entries={history.map(nameExpiry)} />
        </div>
        <div class="column narrow">
          <Terms of={quote} />
          <Customer of={quote} />
        </div>
      </div>
      {open && (
        <FormSheet<CustomerQuoteDetail, QuoteForm>
          key={open}
          title={`${t(ACTIONS[open])} · ${quote.number}`}
          introduction={t(`quoteAbout.${open}`)}
          draft={[`quote-${open}`, id]}
          fields={FIELDS[open]}
          begin={open === "send" ? { email: quote.sent_to ?? quote.customer.email ?? "" } : {}}
          submit={t(ACTIONS[open])}
          isDanger={open === "decline"}
          send={(body, key) =>
            sendOfficeRequest<CustomerQuoteDetail, QuoteForm>("POST", `${path}/${open}`, { body, key })
          }
          onDone={(answer) => showSuccess(open, answer)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </main>
  );
}

interface ActionsProps {
  readonly of: CustomerQuote;
  readonly onOpen: (action: FormDoing) => void;
}

function Actions({ of, onOpen }: ActionsProps) {
  const main = getHighlightedQuoteAction(of);
  const actions = hasUserRight("sell") ? listQuotePageActions(of) : [];
  return (
    <div class="buttons">
      {of.reservation_id !== null && (
        <a class="button main" href={linkTo("reservations", of.reservation_id)}>
          {t("openAcceptedReservation", { id: of.reservation_id })}
        </a>
      )}
      {actions.map((action) => (
        <QuoteButton key={action} of={of} action={action} isMain={action === main} onOpen={onOpen} />
      ))}
      <OpenDocumentButton path={`/quotes/${of.id}/quote.pdf`} name={of.number} text={t("printQuote")} />
    </div>
  );
}

interface ActionProps extends ActionsProps {
  readonly action: QuotePageAction;
  readonly isMain: boolean;
}

// The change button opens the form of a new quote with this quote's values. The other buttons open a side panel.
function QuoteButton({ of, action, isMain, onOpen }: ActionProps) {
  const buttonClass = isMain ? "main" : "";
  if (action === "change")
    return (
      <a class={`button ${buttonClass}`} href={linkTo("quotes", of.id, "change")}>
        {t(ACTIONS[action])}
      </a>
    );
  return (
    <button type="button" class={action === "decline" ? "danger" : buttonClass} onClick={() => onOpen(action)}>
      {t(action === "send" && of.sent ? "quoteDo.sendAgain" : ACTIONS[action])}
    </button>
  );
}

function Price({ of }: { readonly of: CustomerQuote }) {
  return (
    <section class="panel" aria-labelledby="price">
      <h2 id="price">{t("price")}</h2>
      <QuoteSums quote={of} />
      {of.discount && (
        <p class="soft">
          {t("discountSummary", {
            list: formatMoney(of.list_total_cost),
            amount: formatMoney(of.discount.amount),
            reason: of.discount.reason ?? "",
          })}
        </p>
      )}
      {of.notes && <p class="notes">{of.notes}</p>}
    </section>
  );
}

function Terms({ of }: { readonly of: CustomerQuote }) {
  const decided = of.decided && formatMoment(of.decided);
  return (
    <section class="panel" aria-labelledby="terms">
      <h2 id="terms">{t("quoteTerms")}</h2>
      <LabelledValueList
        rows={[
          [t("validUntil"), formatMoment(of.valid_until)],
          [t("quoteHeld"), t(of.hold ? "quoteIsHeld" : "quoteIsFree")],
          [
            t("quoteSentTo"),
            of.sent && of.sent_to ? t("sentToAt", { at: formatMoment(of.sent), email: of.sent_to }) : undefined,
          ],
          [t("quoteDecided"), decided && `${decided} · ${t(`quoteState.${of.status}`)}`],
          [t("declineReason"), of.decline_reason],
        ]}
      />
      <p class="buttons">
        <a class="button small" href={of.link} target="_blank" rel="noreferrer">
          {t("openQuotePage")}
        </a>
        <CopyLink url={of.link} of={t("quoteLink")} />
      </p>
    </section>
  );
}

function Customer({ of: { customer, ...of } }: { readonly of: CustomerQuote }) {
  const name = getQuoteCustomerName({ customer });
  return (
    <section class="panel" aria-labelledby="customer">
      <h2 id="customer">{t("customer")}</h2>
      <p class="strong">{customer.id === null ? name : <a href={linkTo("customers", customer.id)}>{name}</a>}</p>
      {customer.email && <a href={toMailLink(customer.email)}>{customer.email}</a>}
      {customer.phone && <a href={toPhoneLink(customer.phone)}>{customer.phone}</a>}
      {customer.document_id && <p>{customer.document_id}</p>}
      <p class="soft">{getLanguageName(of.customer_language)}</p>
    </section>
  );
}
