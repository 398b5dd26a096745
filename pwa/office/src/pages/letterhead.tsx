import { useState } from "preact/hooks";
import type { LetterheadMessage, LetterheadRequest } from "#worker/api/office/resources/letterhead-messages.ts";
import { hasUserRight } from "../account.ts";
import { type OfficeResponse, sendOfficeRequest, toOfficePath } from "../api.ts";
import { LoadErrorMessage } from "../desk/load-error.tsx";
import { readBase64 } from "../desk/read-base64.ts";
import { formatRefusal } from "../desk/refusals.ts";
import { SettingsCrumbs } from "../desk/settings-crumbs.tsx";
import { useSubmitOnce } from "../desk/submit-once.ts";
import { useResource } from "../desk/use-resource.tsx";
import { t } from "../texts.ts";
import { readFormDraft, saveFormDraft } from "./form-drafts.ts";

type Changes = Partial<Pick<LetterheadMessage["letterhead"], "color" | "foot" | "logo">>;

const DRAFT = ["letterhead", ""] as const;
const PATH = toOfficePath("/letterhead");

/** Logo, colour and footer of the company. */
export default function LetterheadPage() {
  const { whole, setWhole, problem, retry } = useResource<LetterheadMessage>(PATH);
  const [changes, setChanges] = useState<Changes>(() => readFormDraft(...DRAFT));
  const [notice, setNotice] = useState("");
  const change = (part: Changes) => {
    const { logo: _, ...typed } = { ...changes, ...part };
    // A logo may be too large for the storage.
    saveFormDraft(...DRAFT, typed);
    setChanges({ ...changes, ...part });
    setNotice("");
  };
  const { isBusy, send } = useSubmitOnce<LetterheadMessage>({
    draft: DRAFT,
    title: t("letterhead"),
    take: (answer) => {
      if (!answer) return setNotice(t("notSent"));
      if (answer.body.letterhead) setWhole({ letterhead: answer.body.letterhead });
      if (answer.status < 300) setChanges({});
      setNotice(answer.status < 300 ? t("letterheadSaved") : getErrorText(answer));
    },
  });
  if (!whole) return <main>{problem ? <LoadErrorMessage problem={problem} onRetry={retry} /> : t("loading")}</main>;
  const { color, foot, logo, version } = { ...whole.letterhead, ...changes };
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
          </label>
          <label>
            {t("letterheadFoot")}
            <textarea name="foot" value={foot} onInput={({ currentTarget }) => change({ foot: currentTarget.value })} />
          </label>
        </fieldset>
        <div class="foot">
          <p role="status">{notice || (!isFixed && !isChanged && t("letterheadUnchanged"))}</p>
          {!isFixed && (
            <button type="submit" class="main" disabled={isBusy || !isChanged}>
              {t("save")}
            </button>
          )}
        </div>
      </form>
    </main>
  );
}

// All PNG files begin with the same bytes, so their base64 does, too.
const toImageAddress = (base64: string) => `data:image/${base64.startsWith("iVBOR") ? "png" : "jpeg"};base64,${base64}`;

function getErrorText(answer: OfficeResponse<LetterheadMessage>): string {
  if (answer.body.code === "changed_meanwhile") return t("changedMeanwhile");
  return formatRefusal(answer);
}
