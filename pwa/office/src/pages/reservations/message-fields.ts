import { MESSAGE_TEMPLATES } from "#domain/operations/messages.ts";
import type { FormField } from "../../desk/fields.ts";
import { t } from "../../texts.ts";

const MAX_TEXT_LENGTH = 5000;

/** Creates the fields of a message to customers. */
export const createMessageFields = (): readonly FormField[] => [
  {
    name: "template",
    kind: "choice",
    label: "messageTemplate",
    hint: "messageHint",
    isWide: true,
    choices: MESSAGE_TEMPLATES.map((template) => [template, t(`template.${template}`)] as const),
  },
  { name: "subject", kind: "text", label: "messageSubject", isWide: true },
  { name: "text", kind: "long", label: "noteText", isWide: true, maxLength: MAX_TEXT_LENGTH },
];
