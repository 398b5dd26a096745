import { MESSAGE_TEMPLATES } from "#domain/operations/message-text.ts";
import type { CustomerMailRequest } from "#worker/api/office/message-messages.ts";
import type { FormField } from "../../desk/fields.ts";
import { t } from "../../texts.ts";

/** Returns the fields of the form for a message to a customer. */
export const listMessageFields = (): readonly FormField<keyof CustomerMailRequest>[] => [
  {
    name: "template",
    kind: "choice",
    label: "messageTemplate",
    hint: "messageHint",
    isWide: true,
    choices: MESSAGE_TEMPLATES.map((template) => [template, t(`template.${template}`)] as const),
  },
  { name: "subject", kind: "text", label: "messageSubject", isWide: true },
  { name: "text", kind: "long", label: "noteText", isWide: true },
];
