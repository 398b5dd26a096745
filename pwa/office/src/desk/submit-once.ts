import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import { createSameSessionCheck, type OfficeResponse, sendOfficeRequest } from "../api.ts";
import { deleteFormDraft, hasSecretField, readFormDraft, saveFormDraft } from "../pages/form-drafts.ts";
import { t } from "../texts.ts";
import { toRefusalTexts } from "./refusals.ts";

type Draft = readonly [list: string, id: string | undefined];
type Take<Content extends object = object> = (answer: OfficeResponse<Content> | undefined) => void;

interface Sending<Content extends object> {
  /** List and record whose stored draft is deleted after the request. */
  readonly draft: Draft;
  readonly title: string;
  /** Called with the response in the open form, or without one after a network failure. */
  readonly take: Take<Content>;
  /** Returns the notice shown if the form was left before the response. */
  readonly formatNotice?: (answer: OfficeResponse<Content>) => string;
}

/** Result of a form that was left before the response. Data on the page may be older than this result. */
export const deferredNotice = signal({ words: "", turn: 0 });

/** Shows the result of a form that was left. An empty text hides it. */
export function showDeferredNotice(words: string): void {
  deferredNotice.value = { words, turn: deferredNotice.peek().turn + (words ? 1 : 0) };
}

// Forms being submitted. A user who returns to one sees its progress and can't submit it twice.
const underWay = signal<ReadonlySet<string>>(new Set());
const takers = new Map<string, { readonly current: Take }>();
const submissions = new Map<string, { readonly content: string; readonly key: string }>();

/** Submits a form once under its idempotency key, even if the user leaves it and returns in the meantime. */
export function useSubmitOnce<Content extends object = object>({
  draft,
  title,
  take,
  formatNotice = () => t("saved"),
}: Sending<Content>) {
  const name = draft.join();
  const taker = useRef(take);
  taker.current = take;
  useLayoutEffect(() => {
    // A form gets the answers of its own requests only.
    const own = taker as { readonly current: Take };
    takers.set(name, own);
    return () => {
      if (takers.get(name) === own) takers.delete(name);
    };
  }, [name]);
  const send = async (body: object, request: (key: string) => Promise<OfficeResponse<Content>>): Promise<void> => {
    if (underWay.peek().has(name)) return;
    underWay.value = new Set([...underWay.peek(), name]);
    const isSame = createSameSessionCheck();
    const answer = await request(getIdempotencyKey(name, body)).catch(() => undefined);
    underWay.value = new Set([...underWay.peek()].filter((text) => text !== name));
    // Don't show the result to another user.
    if (!isSame()) return;
    if (isSuccess(answer)) {
      deleteIdempotencyKey(name);
      deleteFormDraft(...draft);
    }
    const open = takers.get(name);
    if (open) open.current(answer);
    else showDeferredNotice(`${title}: ${isSuccess(answer) ? formatNotice(answer) : getFailureText(answer)}`);
  };
  return { isBusy: underWay.value.has(name), send };
}

// Storage entry of idempotency keys, next to the drafts.
const KEYS = "sent";

/**
 * Returns the idempotency key of a form's content. Equal content gets the same key, also after network failures or a
 * reload, because it may already have been processed.
 */
export function getIdempotencyKey(name: string, body: object): string {
  const content = JSON.stringify(body);
  const before = submissions.get(name) ?? readFormDraft(KEYS, name);
  const key = before.content === content ? String(before.key) : crypto.randomUUID();
  submissions.set(name, { content, key });
  if (!hasSecretField(body)) saveFormDraft(KEYS, name, { content, key });
  return key;
}

function deleteIdempotencyKey(name: string): void {
  submissions.delete(name);
  deleteFormDraft(KEYS, name);
}

/** Sends a write under the idempotency key of its content until it succeeds, so that a retry isn't executed again. */
export async function sendWithIdempotencyKey<Content extends object = object, Body extends object = never>(
  method: string,
  path: string,
  body?: NoInfer<Body | Immutable<Body>>,
): Promise<OfficeResponse<Content>> {
  const key = getIdempotencyKey(path, body ?? {});
  const answer = await sendOfficeRequest<Content, Body>(method, path, { ...(body && { body }), key });
  if (isSuccess(answer)) deleteIdempotencyKey(path);
  return answer;
}

const isSuccess = <Given extends OfficeResponse>(answer: Given | undefined): answer is Given =>
  answer !== undefined && answer.status < 300;
const getFailureText = (answer: OfficeResponse | undefined) => (answer ? toRefusalTexts(answer).notice : t("notSent"));

/** Returns a function that checks whether the same page or panel is still open. */
export function usePageStillOpen(): () => boolean {
  const isHere = useRef(true);
  useLayoutEffect(
    () => () => {
      isHere.current = false;
    },
    [],
  );
  return () => isHere.current;
}
