import { useEffect, useRef, useState } from "preact/hooks";
import { ask, contentOf, office } from "../../api.ts";
import { type Refused, refusedBy } from "../../desk/refusals.ts";
import type { Whole } from "../../desk/reservation.ts";
import { go } from "../../route.ts";
import { t } from "../../texts.ts";
import { dropDraft } from "../drafts.ts";

export const NOTHING_WRONG: Refused = { fields: {}, notice: "" };

interface Selling {
  /** Of the draft that is forgotten once it is sold. */
  readonly list: string;
  /** Of the interface. */
  readonly path: string;
  /** The fields that are needed and not said. */
  readonly missing: () => readonly string[];
  readonly body: () => object | undefined;
}

/** A form that sells: sent once under its key, what is wrong beside its fields, done by keyboard alone. */
export function useSelling({ list, path, missing, body }: Selling) {
  const [wrong, setWrong] = useState(NOTHING_WRONG);
  const [isBusy, setBusy] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const sent = useRef({ content: "", key: "" });
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
  const refuse = (refused: Refused) => {
    setWrong(refused);
    setRefusals((before) => before + 1);
    // Where the first wrong field is, there one goes on.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const submit = async () => {
    const names = missing();
    if (names.length > 0)
      return refuse({
        fields: Object.fromEntries(names.map((name) => [name, t("problem.missing")])),
        notice: t("fixFields"),
      });
    const asked = body();
    const content = JSON.stringify(asked);
    if (sent.current.content !== content) sent.current = { content, key: crypto.randomUUID() };
    setBusy(true);
    try {
      const answer = await ask("POST", office(path), { body: asked, key: sent.current.key });
      const made = contentOf<Whole>(answer);
      if (!made) return refuse(refusedBy(answer));
      dropDraft(list, undefined);
      go("reservations", made.reservation.id);
    } catch {
      setWrong({ fields: {}, notice: t("notSent") });
    } finally {
      setBusy(false);
    }
  };
  return {
    form,
    wrong,
    isBusy,
    /** How often it was refused: what is known of it may be old then. */
    refusals,
    /** Something was said otherwise. */
    settle: () => setWrong(NOTHING_WRONG),
    onSubmit: (event: Event) => {
      event.preventDefault();
      void submit();
    },
  };
}
