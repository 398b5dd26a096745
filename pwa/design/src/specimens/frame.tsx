import { useEffect, useRef } from "preact/hooks";
import { AttentionBell } from "#office/bell.tsx";
import { BranchSwitch } from "#office/branch-switch.tsx";
import { SettingsCrumbs } from "#office/desk/settings-crumbs.tsx";
import { GlobalSearch } from "#office/global-search.tsx";
import { SetupBar } from "#office/setup-bar.tsx";
import { t } from "#office/texts.ts";
import { UserMenu } from "#office/user-menu.tsx";
import { SignIn } from "#shared/sign-in.tsx";
import { openSignaturePad } from "#shared/signature-pad.ts";
import { LONG_NAME } from "../content.ts";
import { ignoreEvent, type Specimen } from "../specimen.ts";

const TEXTS = [
  "title",
  "username",
  "password",
  "signIn",
  "wrong",
  "failed",
  "code",
  "codeWrong",
  "usePasskey",
] as const;

const SignInForm = ({ notice = "" }: { readonly notice?: string }) => (
  <SignIn
    texts={Object.fromEntries(TEXTS.map((name) => [name, t(name)])) as Parameters<typeof SignIn>[0]["texts"]}
    signIn={() => new Promise(() => undefined)}
    onSignedIn={ignoreEvent}
    notice={notice}
  />
);

function Pad() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => (canvas.current ? openSignaturePad(canvas.current, undefined, ignoreEvent).close : undefined), []);
  return (
    <div class="signature">
      <canvas ref={canvas} role="img" aria-label={t("customer")} />
    </div>
  );
}

const inHeader = (content: preact.ComponentChildren) => (
  <div class="top">
    <div class="actions">{content}</div>
  </div>
);

/** Parts of the header, tabs, and what several apps share. */
export const FRAME: readonly Specimen[] = [
  { name: "SignIn", states: { normal: () => <SignInForm />, error: () => <SignInForm notice={t("wrong")} /> } },
  { name: "openSignaturePad", states: { empty: () => <Pad /> } },
  { name: "AttentionBell", states: { normal: () => inHeader(<AttentionBell />) } },
  { name: "BranchSwitch", states: { normal: () => inHeader(<BranchSwitch isLabelHidden />) } },
  { name: "GlobalSearch", states: { normal: () => inHeader(<GlobalSearch />) } },
  {
    name: "UserMenu",
    states: {
      normal: () => inHeader(<UserMenu person="Ana Ruiz Mora" onKeys={ignoreEvent} />),
      long: () => inHeader(<UserMenu person={LONG_NAME} onKeys={ignoreEvent} />),
    },
  },
  { name: "SetupBar", states: { normal: () => <SetupBar isAway /> } },
  {
    name: "SettingsCrumbs",
    states: {
      normal: () => <SettingsCrumbs />,
      long: () => (
        <SettingsCrumbs>
          <a href="#top">{LONG_NAME}</a>
        </SettingsCrumbs>
      ),
    },
  },
  {
    name: "tabs",
    states: {
      normal: () => (
        <nav class="chips tabs" aria-label={t("documentsAndMoney")}>
          <a class="button" aria-current="page" href="#top">
            {t("documents")}
          </a>
          <a class="button" href="#top">
            {t("charges")}
          </a>
        </nav>
      ),
    },
  },
];
