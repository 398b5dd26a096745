import { useState } from "preact/hooks";
import type { LetterheadMessage, LetterheadRequest } from "#worker/api/office/resources/letterhead-messages.ts";
import { hasUserRight } from "../account.ts";
import { type OfficeResponse, sendOfficeRequest, toOfficePath } from "../api.ts";
import { LoadErrorMessage } from "../desk/load-error.tsx";
import { readBase64 } from "../desk/read-base64.ts";
import { formatRefusal } from "../desk/refusals.ts";
import { SettingsCrumbs } from "../desk/settings-crumbs.tsx";
import { useSubmitOnce } from "../desk/submit-once.ts";
import { useFormDraft } from "../desk/use-form-draft.ts";
import { useResource } from "../desk/use-resource.tsx";
import { t } from "../texts.ts";

type Letterhead = LetterheadMessage["letterhead"];
type Changes = Partial<Pick<Letterhead, "color" | "foot" | "logo">>;

/** Typed changes with the version that they change. */
interface Draft extends Changes {
  readonly version?: number;
  /** Whether a logo was chosen. The draft doesn't store the logo itself. */
  readonly hasChosenLogo?: boolean;
  /** Whether another user has changed the letterhead since, so that stored values are shown beside typed ones. */
  readonly isConflict?: boolean;
}

const DRAFT = ["letterhead", ""] as const;
const PATH = toOfficePath("/letterhead");

/** Logo, colour and footer of the company. */
export default function LetterheadPage() {
  const { whole, setWhole, problem, retry } = useResource<LetterheadMessage>(PATH);
  const { draft, keepDraft, discardDraft } = useFormDraft(DRAFT, toStoredDraft);
  const [notice, setNotice] = useState(() => getLetterheadDraftNotice(draft));
  const { version: draftVersion, hasChosenLogo: _, isConflict = false, ...changes } = draft;
  const { isBusy, send } = useSubmitOnce<LetterheadMessage>({
    draft: DRAFT,
    title: t("letterhead"),
    take: (answer) => {
      if (!answer) return setNotice(t("notSent"));
      const now = answer.body.letterhead;
      if (now) setWhole({ letterhead: now });
      if (answer.status < 300) discardDraft();
      else if (now) keepDraft({ ...draft, version: now.version, isConflict: true });
      setNotice(answer.status < 300 ? t("letterheadSaved") : getErrorText(answer));
    },
  });
  if (!whole) return <main>{problem ? <LoadErrorMessage problem={problem} onRetry={retry} /> : t("loading")}</main>;
  const { letterhead } = whole;
  const { color, foot, logo } = { ...letterhead, ...changes };
  const version = draftVersion ?? letterhead.version;
  const change = (part: Changes) => {
    keepDraft({ ...draft, ...part, version });
    setNotice("");
  };
  const discard = () => {
    discardDraft();
    setNotice("");
  };
  const showStored = (name: "color" | "foot", value: string) =>
    isConflict && letterhead[name] !== value && <p class="theirs">{t("theirs", { value: letterhead[name] })}</p>;
  const save = () => {
    const body: LetterheadRequest = { expected_version: version, ...changes };
    return send(body, (key) => sendOfficeRequest<LetterheadMessage, LetterheadRequest>("PUT", PATH, { body, key }));
  };
  const choose = (file: File | undefined) => {
    if (file)
      readBase64(file).then(
        (base64) => change({ logo: base64 }),
        () => setNotice(t("failed")),
      );
  };
  const isChanged = Object.keys(changes).length > 0;
  const isFixed = !hasUserRight("administer");
  return (
    <main>
      <SettingsCrumbs />
      <h1>{t("letterhead")}</h1>
      <p class="soft">{t("about.letterhead")}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {isFixed && <p class="wide waits">{t("onlyRead")}</p>}
        <fieldset class="wide" disabled={isFixed}>
          <label>
            {t("letterheadLogo")}
            <input
              type="file"
              name="logo"
              accept="image/png,image/jpeg"
              onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
            />
          </label>
          {logo && (
            <p>
              <img src={toImageAddress(logo)} alt={t("letterheadLogo")} height="60" />{" "}
              <button type="button" onClick={() => change({ logo: null })}>
                {t("removeLogo")}
              </button>
            </p>
          )}
          <label>
            {t("letterheadColor")}
            <input
              type="color"
              name="color"
              value={color}
              onInput={({ currentTarget }) => change({ color: currentTarget.value })}
            />
            {showStored("color", color)}
          </label>
          <label>
            {t("letterheadFoot")}
            <textarea name="foot" value={foot} onInput={({ currentTarget }) => change({ foot: currentTarget.value })} />
            {showStored("foot", foot)}
          </label>
        </fieldset>
        <div class="foot">
          <p role="status">{notice || (!isFixed && !isChanged && t("letterheadUnchanged"))}</p>
          {!isFixed && (
            <button type="submit" class="main" disabled={isBusy || !isChanged}>
              {t("save")}
            </button>
          )}
          {isChanged && (
            <button type="button" disabled={isBusy} onClick={discard}>
              {t("discard")}
            </button>
          )}
        </div>
      </form>
    </main>
  );
}

/** Returns what is stored of a draft. A chosen logo may be too large for the storage. */
export function toStoredDraft({ logo, ...draft }: Draft): Draft & Readonly<Record<string, unknown>> {
  if (logo === undefined) return draft;
  return logo === null ? { ...draft, logo, hasChosenLogo: false } : { ...draft, hasChosenLogo: true };
}

/** Returns the notice for a restored draft. Empty if there is none. */
export function getLetterheadDraftNotice(draft: Draft): string {
  if (Object.keys(draft).length === 0) return "";
  return t(draft.hasChosenLogo ? "chooseLogoAgain" : "draftKept");
}

// All PNG files begin with the same bytes, so their base64 does, too.
const toImageAddress = (base64: string) => `data:image/${base64.startsWith("iVBOR") ? "png" : "jpeg"};base64,${base64}`;

function getErrorText(answer: OfficeResponse<LetterheadMessage>): string {
  if (answer.body.code === "changed_meanwhile") return t("changedMeanwhile");
  return formatRefusal(answer);
}
