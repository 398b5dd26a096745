import { useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type {
  SigningCertificateMessage,
  SigningCertificateRequest,
} from "#worker/api/office/signing-certificate-messages.ts";
import { formatDay } from "../account.ts";
import { sendOfficeRequest, toOfficePath } from "../api.ts";
import { ConfirmButton } from "../desk/confirm-button.tsx";
import { LabelledValueList } from "../desk/fact-list.tsx";
import { FieldFrame } from "../desk/field-frame.tsx";
import { readBase64 } from "../desk/read-base64.ts";
import { type RefusalTexts, toRefusalTexts } from "../desk/refusals.ts";
import { SettingsCrumbs } from "../desk/settings-crumbs.tsx";
import { useFocusAfterError } from "../desk/use-error-focus.ts";
import { PagePlaceholder, useResource } from "../desk/use-resource.tsx";
import { linkTo } from "../route.ts";
import { t } from "../texts.ts";
import { formatCertificateHolder, formatCertificateIssuer, getCertificateExpiry } from "./certificate-facts.ts";

type Content = Immutable<SigningCertificateMessage>;
type CertificateData = NonNullable<Content["certificate"]>;

const PATH = toOfficePath("/signing-certificate");
const NOTHING_WRONG: RefusalTexts = { fields: {}, notice: "" };

/** Certificate that signs electronic invoices: holder, validity, upload and deletion. The key is never shown. */
export default function SigningCertificatePage() {
  const { whole, setWhole, problem, retry } = useResource<SigningCertificateMessage>(PATH);
  const [notice, setNotice] = useState("");
  if (!whole)
    return (
      <PagePlaceholder
        title={t("signingCertificate")}
        problem={problem}
        onRetry={retry}
        list={linkTo("settings-index")}
        listName={t("settingsPage")}
      />
    );
  const { certificate } = whole;
  const take = (body: Partial<Content>, text: string) => {
    setWhole({ certificate: body.certificate ?? null });
    setNotice(text);
  };
  const remove = async () => {
    const answer = await sendOfficeRequest<SigningCertificateMessage>("DELETE", PATH).catch(() => undefined);
    if (answer && answer.status < 300) take(answer.body, t("certificateDeleted"));
    else setNotice(answer ? toRefusalTexts(answer).notice : t("notSent"));
  };
  return (
    <main>
      <SettingsCrumbs />
      <h1>{t("signingCertificate")}</h1>
      <p class="soft">{t("about.signing-certificate")}</p>
      <section class="panel" aria-label={t("signingCertificate")}>
        {certificate ? <Certificate of={certificate} /> : <p class="calm">{t("certificateNone")}</p>}
        {certificate && (
          <p class="buttons">
            <ConfirmButton text={t("certificateDelete")} isDanger onSure={remove} />
          </p>
        )}
        <p class="done" role="status">
          {notice}
        </p>
      </section>
      <Upload isReplacing={certificate !== null} onDone={(body) => take(body, t("certificateStored"))} />
    </main>
  );
}

function Certificate({ of }: { readonly of: CertificateData }) {
  const { holder, issuer, tax_ids: taxIds, not_before: from, not_after: until } = of;
  const expiry = getCertificateExpiry(until, Date.now());
  const date = formatDay(until);
  return (
    <>
      {expiry === "expired" && <p class="notice refused">{t("certificateExpired", { date })}</p>}
      {expiry === "soon" && <p class="notice waiting">{t("certificateExpires", { date })}</p>}
      <LabelledValueList
        rows={[
          [t("certificateHolder"), formatCertificateHolder(holder)],
          [t("certificateIssuer"), formatCertificateIssuer(issuer)],
          [t("certificateSigns"), taxIds.join(", ")],
          [t("certificateValid"), `${formatDay(from)} – ${date}`],
        ]}
      />
    </>
  );
}

interface UploadProps {
  readonly isReplacing: boolean;
  readonly onDone: (body: Partial<Content>) => void;
}

function Upload({ isReplacing, onDone }: UploadProps) {
  const [file, setFile] = useState<File>();
  const [password, setPassword] = useState("");
  const [wrong, setWrong] = useState(NOTHING_WRONG);
  const [isBusy, setBusy] = useState(false);
  const form = useFocusAfterError(wrong, isBusy);
  const upload = async () => {
    if (!file) return setWrong({ fields: { content: t("problem.missing") }, notice: t("fixFields") });
    setBusy(true);
    const answer = await readBase64(file)
      .then((content) =>
        sendOfficeRequest<SigningCertificateMessage, SigningCertificateRequest>("PUT", PATH, {
          body: { content, password },
        }),
      )
      .catch(() => undefined);
    setBusy(false);
    if (!answer) return setWrong({ fields: {}, notice: t("notSent") });
    if (answer.status >= 300) return setWrong(toRefusalTexts(answer));
    form.current?.reset();
    setFile(undefined);
    setPassword("");
    setWrong(NOTHING_WRONG);
    onDone(answer.body);
  };
  const text = t(isReplacing ? "certificateReplace" : "certificateUpload");
  return (
    <section class="panel" aria-label={text}>
      <h2>{text}</h2>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void upload();
        }}
      >
        <FieldFrame
          label={t("certificateFile")}
          isRequired
          isWide
          hint={t("certificateHidden")}
          problem={wrong.fields["content"]}
        >
          {({ id, describedBy }) => (
            <input
              id={id}
              type="file"
              accept=".p12,.pfx,.pem"
              aria-describedby={describedBy}
              aria-invalid={wrong.fields["content"] !== undefined}
              onChange={({ currentTarget }) => setFile(currentTarget.files?.[0])}
            />
          )}
        </FieldFrame>
        <FieldFrame label={t("certificatePassword")} problem={wrong.fields["password"]}>
          {({ id, describedBy }) => (
            <input
              id={id}
              type="password"
              autocomplete="off"
              value={password}
              aria-describedby={describedBy}
              aria-invalid={wrong.fields["password"] !== undefined}
              onInput={({ currentTarget }) => setPassword(currentTarget.value)}
            />
          )}
        </FieldFrame>
        <div class="wide buttons">
          <button type="submit" class="main" disabled={isBusy}>
            {text}
          </button>
          <span role="alert">{wrong.notice}</span>
        </div>
      </form>
    </section>
  );
}
