import { ConfirmButton } from "#office/desk/confirm-button.tsx";
import { CopyLink } from "#office/desk/copy-link.tsx";
import { ListDownload } from "#office/desk/list-download.tsx";
import { RowAction } from "#office/desk/row-action.tsx";
import { RowMenu } from "#office/desk/row-menu.tsx";
import { SaveFileButton } from "#office/desk/save-file-button.tsx";
import { ICON_NAMES, Icon } from "#office/icons.tsx";
import { t } from "#office/texts.ts";
import { PENDING_PATH } from "../answers.ts";
import { LONG_NAME } from "../content.ts";
import { AutoPressed } from "../pressed.tsx";
import { ignoreEvent, type Specimen } from "../specimen.ts";

const KINDS = ["", "main", "danger", "quiet", "small"] as const;

const Buttons = ({ text, isDisabled = false }: { readonly text: string; readonly isDisabled?: boolean }) => (
  <div class="buttons">
    {KINDS.map((kind) => (
      <button key={kind} type="button" class={kind} disabled={isDisabled}>
        {text}
      </button>
    ))}
    {!isDisabled && (
      <a class="button" href="#top">
        {text}
      </a>
    )}
  </div>
);

const action = { label: t.bind(undefined, "lookedAt"), method: "POST", onDone: ignoreEvent } as const;

/** Buttons, links that look like buttons, and icons. */
export const ACTIONS: readonly Specimen[] = [
  {
    name: "button",
    states: {
      normal: () => <Buttons text={t("save")} />,
      disabled: () => <Buttons text={t("save")} isDisabled />,
      long: () => <Buttons text={LONG_NAME} />,
    },
  },
  {
    name: "ConfirmButton",
    states: {
      normal: () => <ConfirmButton text={t("do.cancel")} isDanger onSure={async () => undefined} />,
      chosen: () => (
        <AutoPressed>
          <ConfirmButton text={t("do.cancel")} onSure={async () => undefined} />
        </AutoPressed>
      ),
      busy: () => (
        <AutoPressed times={2}>
          <ConfirmButton text={t("do.cancel")} onSure={() => new Promise(() => undefined)} />
        </AutoPressed>
      ),
    },
  },
  {
    name: "RowAction",
    states: {
      normal: () => <RowAction {...action} label={action.label()} path="/design" />,
      busy: () => (
        <AutoPressed>
          <RowAction {...action} label={action.label()} path={PENDING_PATH} />
        </AutoPressed>
      ),
      error: () => (
        <AutoPressed>
          <RowAction {...action} label={action.label()} path="/design" />
        </AutoPressed>
      ),
    },
  },
  {
    name: "RowMenu",
    states: {
      normal: () => (
        <RowMenu name="4711">
          <button type="button">{t("do.change")}</button>
        </RowMenu>
      ),
    },
  },
  {
    name: "CopyLink",
    states: { normal: () => <CopyLink url="https://example.com/pay/4711" of={t("reservationNo", { id: 4711 })} /> },
  },
  {
    name: "SaveFileButton",
    states: {
      normal: () => <SaveFileButton path="/design" file="file.pdf" text="PDF" />,
      error: () => (
        <AutoPressed>
          <SaveFileButton path="/design" file="file.pdf" text="PDF" />
        </AutoPressed>
      ),
    },
  },
  {
    name: "ListDownload",
    states: {
      normal: () => <ListDownload path="/charges" names={[]} />,
      error: () => (
        <AutoPressed>
          <ListDownload path="/design" names={[]} />
        </AutoPressed>
      ),
    },
  },
  {
    name: "Icon",
    states: {
      normal: () => (
        <div class="icons">
          {ICON_NAMES.map((name) => (
            <span key={name}>
              <Icon name={name} /> {name}
            </span>
          ))}
        </div>
      ),
    },
  },
];
