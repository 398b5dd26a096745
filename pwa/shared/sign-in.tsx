import { useState } from "preact/hooks";
import type { PasskeyAssertion, SignInResultMessage } from "#worker/api/customer-access/messages.ts";
import type { Immutable } from "./immutable.ts";
import { requestPasskeyAssertion, supportsPasskeys } from "./passkeys.ts";

type SignInText =
  | "title"
  | "username"
  | "password"
  | "signIn"
  | "wrong"
  | "failed"
  | "code"
  | "codeWrong"
  | "usePasskey";

/** Proof of the second factor. */
export type SignInProof = { readonly code: string } | { readonly passkey: PasskeyAssertion };

/** Result of a sign-in: signed in, wrong credentials, or second factor required. */
export type SignInAnswer = Immutable<Pick<SignInResultMessage, "connected" | "second_factor" | "passkey">>;

interface SignInProps {
  readonly texts: Readonly<Record<SignInText, string>>;
  readonly signIn: (username: string, password: string, proof?: SignInProof) => Promise<SignInAnswer>;
  readonly onSignedIn: () => void;
  /** Initial notice. */
  readonly notice?: string;
}

/** Sign-in form for staff. Asks for the second factor once the password is accepted. */
export function SignIn({ texts, signIn, onSignedIn, notice = "" }: SignInProps) {
  const [problem, setProblem] = useState(notice);
  const [signInAnswer, setAsked] = useState<SignInAnswer>();
  const getSignInProblem = ({ second_factor: factor }: SignInAnswer) => {
    if (factor === "required") return "";
    return factor === "wrong" ? texts.codeWrong : texts.wrong;
  };
  const attempt = async (fields: FormData, proof?: SignInProof) => {
    try {
      const answer = await signIn(String(fields.get("username")), String(fields.get("password")), proof);
      if (answer.connected) return onSignedIn();
      setAsked(answer.second_factor && answer);
      setProblem(getSignInProblem(answer));
    } catch {
      setProblem(texts.failed);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const code = String(fields.get("code") ?? "").trim();
    void attempt(fields, code === "" ? undefined : { code });
  };
  const question = signInAnswer?.passkey;
  const sign = async (event: MouseEvent) => {
    const { form } = event.currentTarget as HTMLButtonElement;
    const passkey = question && (await requestPasskeyAssertion(question));
    if (form && passkey) await attempt(new FormData(form), { passkey });
    else setProblem(texts.codeWrong);
  };
  return (
    <main class="sign-in">
      <h1>{texts.title}</h1>
      <form onSubmit={submit}>
        <label>
          {texts.username}
          <input name="username" autocomplete="username" autocapitalize="none" required />
        </label>
        <label>
          {texts.password}
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        {signInAnswer && (
          <label>
            {texts.code}
            <input name="code" autocomplete="one-time-code" autocapitalize="none" maxLength={40} />
          </label>
        )}
        <p role="alert">{problem}</p>
        <button type="submit" class="main">
          {texts.signIn}
        </button>
        {question && supportsPasskeys() && (
          <button type="button" onClick={(event) => void sign(event)}>
            {texts.usePasskey}
          </button>
        )}
      </form>
    </main>
  );
}
