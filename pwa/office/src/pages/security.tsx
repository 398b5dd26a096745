import { useEffect, useState } from "preact/hooks";
import { askPasskey, knowsPasskeys, makePasskey, type NewPasskeyQuestion } from "#shared/passkeys.ts";
import { ask } from "../api.ts";
import { t } from "../texts.ts";
import { Authenticator } from "./security/authenticator.tsx";
import { FACTOR, type FactorProps, refusal } from "./security/factors.ts";
import { Sessions } from "./security/sessions.tsx";

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly last_used_at: string | null;
}

async function question(): Promise<NewPasskeyQuestion> {
  return (await ask("POST", `${FACTOR}/passkeys/challenge`)).body as unknown as NewPasskeyQuestion;
}

/** One's own second factor and sessions: passkeys, an app for codes, where one is signed in, and proving it anew. */
export default function Security() {
  const [factors, setFactors] = useState<Factors>();
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [said, setSaid] = useState("");
  const read = () =>
    ask("GET", `${FACTOR}/passkeys`).then(
      ({ body }) => setFactors(body as unknown as Factors),
      () => setSaid(t("failed")),
    );
  useEffect(() => void read(), []);
  const doing = (work: () => Promise<string>) => () => {
    setSaid("");
    work()
      .then(setSaid, () => setSaid(t("failed")))
      .finally(() => void read());
  };
  const known = { onCodes: setCodes, doing };
  const hasPasskey = knowsPasskeys() && (factors?.passkeys.length ?? 0) > 0;
  return (
    <main>
      <h1>{t("security")}</h1>
      <p role="alert">{said}</p>
      {codes.length > 0 && <RecoveryCodes codes={codes} />}
      {!factors && <p>{t("loading")}…</p>}
      {factors && <Passkeys passkeys={factors.passkeys} {...known} />}
      {factors && <Authenticator isOn={factors.authenticator} {...known} />}
      <Prove hasPasskey={hasPasskey} say={setSaid} />
      <Sessions />
    </main>
  );
}

interface Factors {
  readonly passkeys: readonly Passkey[];
  readonly authenticator: boolean;
}

function Passkeys({ passkeys, onCodes, doing }: FactorProps & { readonly passkeys: readonly Passkey[] }) {
  const add = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const name = String(new FormData(form).get("name"));
    doing(async () => {
      const made = await makePasskey(await question(), location.hostname);
      if (!made) return t("failed");
      const { status, body } = await ask("POST", `${FACTOR}/passkeys`, { body: { name, ...made } });
      if (status !== 200) return refusal(status);
      onCodes((body["recovery_codes"] ?? []) as readonly string[]);
      form.reset();
      return t("saved");
    })();
  };
  const remove = (id: string) =>
    doing(async () => {
      const { status } = await ask("DELETE", `${FACTOR}/passkeys/${encodeURIComponent(id)}`);
      return status === 200 ? "" : refusal(status);
    });
  return (
    <section class="panel" aria-labelledby="passkeys">
      <h2 id="passkeys">{t("passkeys")}</h2>
      {passkeys.length === 0 && <p class="soft">{t("noPasskeys")}</p>}
      <ul class="cards">
        {passkeys.map(({ id, name, last_used_at: used }) => (
          <li key={id}>
            <strong>{name}</strong> {used && t("passkeyUsed", { at: new Date(used).toLocaleString() })}{" "}
            <button type="button" onClick={remove(id)}>
              {t("remove")}
            </button>
          </li>
        ))}
      </ul>
      {knowsPasskeys() ? (
        <form class="asks" onSubmit={(event) => void add(event)}>
          <label>
            {t("passkeyName")}
            <input name="name" required maxLength={80} />
          </label>
          <button type="submit" class="main begin">
            {t("passkeyAdd")}
          </button>
        </form>
      ) : (
        <p>{t("passkeyUnknown")}</p>
      )}
    </section>
  );
}

function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  return (
    <section class="panel" aria-labelledby="recovery">
      <h2 id="recovery">{t("recovery")}</h2>
      <p>{t("recoveryHelp")}</p>
      <ul>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Prove({ hasPasskey, say }: { readonly hasPasskey: boolean; readonly say: (text: string) => void }) {
  const prove = async (proof: Readonly<Record<string, unknown>>) => {
    const { status, body } = await ask("POST", `${FACTOR}/prove`, { body: proof });
    say(status === 200 && body["proved"] === true ? t("proved") : t("codeWrong"));
  };
  const sign = async () => {
    const passkey = await askPasskey(await question());
    if (passkey) await prove({ passkey });
    else say(t("codeWrong"));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    void prove({ code: String(new FormData(form).get("code")) }).then(
      () => form.reset(),
      () => say(t("failed")),
    );
  };
  return (
    <section class="panel" aria-labelledby="prove">
      <h2 id="prove">{t("prove")}</h2>
      <p>{t("proveHelp")}</p>
      {hasPasskey && (
        <button type="button" onClick={() => void sign().catch(() => say(t("failed")))}>
          {t("usePasskey")}
        </button>
      )}
      <form class="asks" onSubmit={submit}>
        <label>
          {t("code")}
          <input name="code" autocomplete="one-time-code" required maxLength={40} />
        </label>
        <button type="submit" class="begin">
          {t("prove")}
        </button>
      </form>
    </section>
  );
}
