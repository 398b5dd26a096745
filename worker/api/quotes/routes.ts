import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import type { z } from "zod";
import { limitRequestsByVisitor } from "#worker/api/client-address.ts";
import { isJson } from "#worker/api/content-types.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createMethodNotAllowedFailure, type TranslatedFailure } from "#worker/api/failure.ts";
import { answerPdf } from "#worker/api/pdf-responses.ts";
import { limitPrintoutsByLink } from "#worker/api/rate-limit.ts";
import { limitBodySize, requireFormBody, requireJsonBody } from "#worker/api/request-body.ts";
import { isBrowser, replaceUnreadFormFailureByPage, type UnreadFormStatus } from "#worker/api/unread-form.ts";
import { readPageVisitor } from "#worker/api/visitor.ts";
import {
  acceptQuoteByCustomer,
  declineQuoteByCustomer,
  type QuotePageRefusal,
  readQuotePage,
} from "#worker/usecases/quotes/offered-quote.ts";
import { printQuote } from "#worker/usecases/quotes/print-quote.ts";
import { QUOTE_PATH } from "#worker/usecases/quotes/quote-answer.ts";
import { quoteAcceptanceForm, quoteDeclineForm } from "./acceptance-messages.ts";
import { type QuotePageProblem, renderQuotePage, renderUnknownQuotePage } from "./page.ts";

const PAGE = `${QUOTE_PATH}/:free_access_id{[0-9a-f]{32}}`;

type Entered = Readonly<Record<string, string>>;

const requireJson = requireJsonBody(toErrorResponse);
const requireForm = requireFormBody(toErrorResponse);
const isBodyEmpty = async (c: Context<AppEnvironment>) => (await c.req.arrayBuffer()).byteLength === 0;

/** Accepts a form, a JSON object or no body. */
const acceptFields = createMiddleware<AppEnvironment>(async (c, next) => {
  if (await isBodyEmpty(c)) return next();
  return isJson(c.req.header("Content-Type")) ? requireJson(c, next) : requireForm(c, next);
});
const acceptanceMiddlewares = [
  replaceUnreadFormFailureByPage((c, status) => showPage(c, { status, problem: "unreadable" })),
  limitBodySize(toErrorResponse),
  acceptFields,
] as const;

/**
 * Routes of a quote's page and PDF, and of its acceptance or refusal by the customer. The unguessable link is the
 * permission.
 */
export const quotePageRoutes = new Hono<AppEnvironment>();

quotePageRoutes.use(`${PAGE}/*`, limitRequestsByVisitor("own_booking", toErrorResponse));
quotePageRoutes.use(`${PAGE}/quote.pdf`, limitPrintoutsByLink(toErrorResponse));
quotePageRoutes.get(PAGE, (c) => showPage(c));
quotePageRoutes.get(`${PAGE}/quote.pdf`, async (c) => {
  const freeAccessId = c.req.param("free_access_id");
  const printed = await printQuote({ kind: "link", tenant: c.get("tenant"), freeAccessId }, { freeAccessId });
  return printed.ok ? answerPdf(c, printed.value.value) : toErrorResponse(c, NOT_FOUND);
});
quotePageRoutes.post(`${PAGE}/accept`, ...acceptanceMiddlewares, async (c) => {
  const entered = await readEntered(c);
  const parsed = quoteAcceptanceForm.safeParse(entered);
  if (!parsed.success) return answerWrong(c, entered, parsed.error);
  const { version: expectedVersion, ...details } = parsed.data;
  const { tenant, now } = c.var;
  const accepted = await acceptQuoteByCustomer(tenant, getLinkId(c), { now, expectedVersion, details });
  if (!accepted.ok) return answerRefused(c, accepted.error, entered);
  if (isBrowser(c)) return redirectToPage(c);
  return c.json({ status: "accepted", reservation: { id: accepted.value.reservationId } }, 200);
});
quotePageRoutes.post(`${PAGE}/decline`, ...acceptanceMiddlewares, async (c) => {
  const entered = await readEntered(c);
  const parsed = quoteDeclineForm.safeParse(entered);
  if (!parsed.success) return answerWrong(c, entered, parsed.error);
  const { tenant, now } = c.var;
  const declined = await declineQuoteByCustomer(tenant, getLinkId(c), { now, reason: parsed.data.reason });
  if (!declined.ok) return answerRefused(c, declined.error);
  return isBrowser(c) ? redirectToPage(c) : c.json({ status: "declined" }, 200);
});
for (const action of ["accept", "decline"])
  quotePageRoutes.all(`${PAGE}/${action}`, (c) =>
    c.req.method === "GET" && isBrowser(c)
      ? redirectToPage(c)
      : toErrorResponse(c, createMethodNotAllowedFailure(["POST"])),
  );

const getLinkId = (c: Context<AppEnvironment>) => c.req.param("free_access_id") ?? "";

// Redirects after an action, so that a reload doesn't repeat it and the visitor can bookmark the page.
const redirectToPage = (c: Context<AppEnvironment>) => c.redirect(`${QUOTE_PATH}/${getLinkId(c)}`, 303);

// Fields of the form, or of a JSON object. Empty ones count as missing.
async function readEntered(c: Context<AppEnvironment>): Promise<Entered> {
  const fields = await readFields(c);
  return Object.fromEntries(
    fields.flatMap(([name, value]) => {
      const trimmedText = typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
      return trimmedText === "" ? [] : [[name, trimmedText]];
    }),
  );
}

async function readFields(c: Context<AppEnvironment>): Promise<readonly [string, unknown][]> {
  if (await isBodyEmpty(c)) return [];
  if (isJson(c.req.header("Content-Type"))) return Object.entries(await c.req.json<object>());
  return [...(await c.req.formData())];
}

async function showPage(
  c: Context<AppEnvironment>,
  pageState: {
    readonly status?: UnreadFormStatus | 409;
    readonly problem?: QuotePageProblem | undefined;
    readonly wrongFields?: readonly string[];
    readonly entered?: Entered;
  } = {},
): Promise<Response> {
  const { tenant, now } = c.var;
  const freeAccessId = getLinkId(c);
  const quote = await readQuotePage(tenant, freeAccessId, now);
  if (!quote) return renderUnknownQuotePage(await readPageVisitor(c));
  // If the quote changed since the form was loaded, the page shows another price, so it reports `changed`.
  const { version } = pageState.entered ?? {};
  const isOutdated = pageState.problem === "wrong" && version !== undefined && version !== String(quote.version);
  const shown = isOutdated ? ({ ...pageState, status: 409, problem: "changed" } as const) : pageState;
  return renderQuotePage({ quote, path: `${QUOTE_PATH}/${freeAccessId}`, ...shown });
}

function answerWrong(c: Context<AppEnvironment>, entered: Entered, error: z.ZodError) {
  const wrongFields = [...new Set(error.issues.map(({ path }) => String(path[0] ?? "")))];
  if (isBrowser(c)) return showPage(c, { status: 400, problem: "wrong", wrongFields, entered });
  const detail = error.issues.map(({ path, message }) => ({ field: path.join("."), message }));
  const message = detail.map((fieldProblem) => `${fieldProblem.field}: ${fieldProblem.message}`).join("; ");
  return toErrorResponse(c, { status: 400, code: "invalid_input", message, detail });
}

const NOT_FOUND: TranslatedFailure = { status: 404, code: "quote_not_found", message: "Quote not found" };

function answerRefused(c: Context<AppEnvironment>, refused: QuotePageRefusal, entered: Entered = {}) {
  if (isBrowser(c) && refused.kind !== "quoteNotFound")
    return showPage(c, { status: 409, problem: PROBLEMS[refused.kind], entered });
  return toErrorResponse(c, toFailure(refused));
}

const PROBLEMS = { soldOut: "soldOut", quoteOutdated: "changed", quoteClosed: undefined } as const;

function toFailure(refused: QuotePageRefusal): TranslatedFailure {
  switch (refused.kind) {
    case "quoteNotFound":
      return NOT_FOUND;
    case "soldOut":
      return { status: 409, code: "sold_out", message: "The vehicle is no longer available" };
    case "quoteOutdated":
      return { status: 409, code: "changed_meanwhile", message: "The quote has changed" };
    case "quoteClosed":
      return refused.status === "expired"
        ? { status: 409, code: "quote_expired", message: "The quote has expired" }
        : {
            status: 409,
            code: "quote_closed",
            message: `The quote is ${refused.status}`,
            params: { status: refused.status },
          };
  }
}
