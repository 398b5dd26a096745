import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Answer, sameSession } from "../api.ts";
import { dropDraft, hasSecret, keepDraft, readDraft } from "../pages/drafts.ts";
import { t } from "../texts.ts";
import { refusedBy } from "./refusals.ts";

type Draft = readonly [list: string, id: string | undefined];
type Take = (answer: Answer | undefined) => void;

interface Sending {
  /** Of the form, as it is filled in and kept. */
  readonly draft: Draft;
  readonly title: string;
  /** The answer, none where the network failed: told to whoever has the form open when it comes. */
  readonly take: Take;
  /** What is said of it where the form was left before it was done. */
  readonly said?: (answer: Answer) => string;
}

/** What became of something after its form was left, in words; what is shown may be older than the last of them. */
export const deferredNotice = signal({ words: "", turn: 0 });

export function showDeferredNotice(words: string): void {
  deferredNotice.value = { words, turn: deferredNotice.peek().turn + (words ? 1 : 0) };
}

// Of a form, whoever has it open: who comes back to one that is being sent finds it so, and sends nothing twice.
const underWay = signal<ReadonlySet<string>>(new Set());
const takers = new Map<string, { readonly current: Take }>();
const sent = new Map<string, { readonly content: string; readonly key: string }>();

/** A form that is sent once under its key, whether its person stays or goes elsewhere and comes back meanwhile. */
export function useSubmitOnce({ draft, title, take, said = () => t("saved") }: Sending) {
  const name = draft.join();
  const taker = useRef(take);
  taker.current = take;
  useLayoutEffect(() => {
    takers.set(name, taker);
    return () => {
      if (takers.get(name) === taker) takers.delete(name);
    };
  }, [name]);
  const send = async (body: object, request: (key: string) => Promise<Answer>): Promise<void> => {
    if (underWay.peek().has(name)) return;
    underWay.value = new Set([...underWay.peek(), name]);
    const isSame = sameSession();
    const answer = await request(getIdempotencyKey(name, body)).catch(() => undefined);
    underWay.value = new Set([...underWay.peek()].filter((text) => text !== name));
    // What somebody left behind is told to nobody else.
    if (!isSame()) return;
    if (isSuccess(answer)) {
      sent.delete(name);
      dropDraft(KEYS, name);
      dropDraft(...draft);
    }
    const open = takers.get(name);
    if (open) open.current(answer);
    else showDeferredNotice(`${title}: ${isSuccess(answer) ? said(answer) : getFailureText(answer)}`);
  };
  return { isBusy: underWay.value.has(name), send };
}

// Of what is kept beside drafts.
const KEYS = "sent";

/**
 * The key under which a form's content is sent: the same content's is the same, however often a network fails, and
 * after a reload, by which it may have been done already.
 */
export function getIdempotencyKey(name: string, body: object): string {
  const content = JSON.stringify(body);
  const before = sent.get(name) ?? readDraft(KEYS, name);
  const key = before.content === content ? String(before.key) : crypto.randomUUID();
  sent.set(name, { content, key });
  if (!hasSecret(body)) keepDraft(KEYS, name, { content, key });
  return key;
}

const isSuccess = (answer: Answer | undefined): answer is Answer => answer !== undefined && answer.status < 300;
const getFailureText = (answer: Answer | undefined) => (answer ? refusedBy(answer).notice : t("notSent"));

/** Whether whoever asks has still the same page, or the same sheet on it, open. */
export function useIsHere(): () => boolean {
  const isHere = useRef(true);
  useLayoutEffect(
    () => () => {
      isHere.current = false;
    },
    [],
  );
  return () => isHere.current;
}
