import { useState } from "preact/hooks";

interface SignInProps {
  readonly texts: Readonly<Record<"title" | "username" | "password" | "signIn" | "wrong" | "failed", string>>;
  /** False where the name or the password is wrong. */
  readonly signIn: (username: string, password: string) => Promise<boolean>;
  readonly onSignedIn: () => void;
}

/** The form with which staff sign in to a page. */
export function SignIn({ texts, signIn, onSignedIn }: SignInProps) {
  const [problem, setProblem] = useState("");
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    try {
      const isIn = await signIn(String(form.get("username")), String(form.get("password")));
      if (isIn) onSignedIn();
      else setProblem(texts.wrong);
    } catch {
      setProblem(texts.failed);
    }
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
        <p role="alert">{problem}</p>
        <button type="submit" class="main">
          {texts.signIn}
        </button>
      </form>
    </main>
  );
}
