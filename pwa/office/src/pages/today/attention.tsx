import { useState } from "preact/hooks";
import { toPhoneLink } from "#shared/links.ts";
import { isolateRightToLeft } from "#shared/locale.ts";
import type { OperationResolutionRequest } from "#worker/api/check-in/operation-messages.ts";
import { formatMoment, getBranchGroupName, getBranchName, hasUserRight } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import { chosenBranchCode } from "../../desk/chosen-branch.ts";
import { Select } from "../../desk/inputs.tsx";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { linkTo } from "../../route.ts";
import { t, tOr } from "../../texts.ts";
import { type AttentionTask, getShortageBranchGroup, listTaskResolutions } from "./task-resolutions.ts";
import { formatTaskReason } from "./task-texts.ts";

export type { AttentionTask as Item } from "./task-resolutions.ts";

const URGENT: ReadonlySet<string> = new Set([
  "overdue",
  "shortage",
  "extra_shortage",
  "transfer_shortage",
  "paid_too_late",
  "backup_overdue",
  "security_alert",
  "tax_record_refused",
  "tax_chain_broken",
]);

// Kinds of tasks whose text contains a time.
const KINDS_WITH_TIME: ReadonlySet<string> = new Set([
  "overdue",
  "no_show",
  "shortage",
  "extra_shortage",
  "transfer_shortage",
  "task_overdue",
  "vehicle_due",
]);

/** Items shown at first, so that the day stays in sight. */
const FIRST_ITEMS = 5;

/** Lists the items of the chosen branch. Items without a branch concern everyone. */
export const filterTasksByBranch = (items: readonly AttentionTask[]): readonly AttentionTask[] =>
  items.filter(
    ({ rental_location_code: branch }) =>
      chosenBranchCode.value === "" || branch === null || branch === chosenBranchCode.value,
  );

interface PendingTasksProps {
  /** Id and text of the heading, if it isn't the page's own. */
  readonly id?: string;
  readonly title?: string;
  readonly items: readonly AttentionTask[];
  readonly onChange: () => void;
}

/** Pending tasks, each with its resolutions, filterable by kind. */
export function PendingTasks({ id = "waiting", title = t("waiting"), items, onChange }: PendingTasksProps) {
  const [kind, setKind] = useState("");
  const kinds = [...Map.groupBy(items, (item) => item.kind)];
  const [isAll, setAll] = useState(false);
  const matchingItems = items.filter((item) => kind === "" || item.kind === kind);
  const visibleItems = isAll ? matchingItems : matchingItems.slice(0, FIRST_ITEMS);
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {items.length === 0 && <p class="calm">{t("nothingWaits")}</p>}
      {kinds.length > 1 && (
        <label>
          <span class="unseen">{t("kind")}</span>
          <Select
            value={kind}
            none={`${t("all")} (${items.length})`}
            choices={kinds.map(([text, of]) => [text, `${tOr(`kind.${text}`, text)} (${of.length})`] as const)}
            onChange={setKind}
          />
        </label>
      )}
      <ul class="cards">
        {visibleItems.map((item) => (
          <Card key={item.id} item={item} onChange={onChange} />
        ))}
      </ul>
      {visibleItems.length < matchingItems.length && (
        <button type="button" onClick={() => setAll(true)}>
          {t("showAllTasks", { n: matchingItems.length })}
        </button>
      )}
    </section>
  );
}

function Card({ item, onChange }: { readonly item: AttentionTask; readonly onChange: () => void }) {
  const [problem, setProblem] = useState("");
  const send = (path: string, body: Partial<OperationResolutionRequest> = {}) =>
    sendOfficeRequest<object, Partial<OperationResolutionRequest>>("POST", path, { body }).then(
      (answer) => {
        const { fields, notice } = toRefusalTexts(answer);
        if (answer.status < 300) onChange();
        else setProblem([notice, ...Object.values(fields)].join(" "));
      },
      () => setProblem(t("notSent")),
    );
  const refund = item.kind === "refund_waiting" ? /(\d+)/.exec(item.id)?.[1] : undefined;
  const [first, ...others] = listTaskResolutions(item).filter(
    ({ right }) => right === undefined || hasUserRight(right),
  );
  return (
    <li class={URGENT.has(item.kind) ? "urgent" : ""}>
      <strong>{tOr(`kind.${item.kind}`, item.kind)}</strong>
      <Why item={item} />
      <TaskCustomer item={item} />
      <Where item={item} />
      <div class="buttons">
        {refund && hasUserRight("manage") && (
          <>
            <button type="button" class="small" onClick={() => send(toOfficePath(`/refunds/${refund}/approve`))}>
              {t("approveRefund")}
            </button>
            <button type="button" class="small" onClick={() => send(toOfficePath(`/refunds/${refund}/decline`))}>
              {t("declineRefund")}
            </button>
          </>
        )}
        {first && (
          <a class="button small" href={first.href}>
            {t(first.text)}
          </a>
        )}
        {others.map(({ text, href }) => (
          <a key={href} class="button small" href={href}>
            {t(text)}
          </a>
        ))}
        {item.kind.startsWith("field_work") && !item.dismissible && hasUserRight("manage") && (
          <>
            <button type="button" class="small" onClick={() => send(`${item.link}/resolution`, { action: "accept" })}>
              {t("acceptWork")}
            </button>
            <button type="button" class="small" onClick={() => send(`${item.link}/resolution`, { action: "dismiss" })}>
              {t("dismissWork")}
            </button>
          </>
        )}
        {item.kind === "security_alert" && hasUserRight("administer") && (
          <a class="button small" href={linkTo("security-log")}>
            {t("securityLog")}
          </a>
        )}
        {item.kind === "certificate_expiring" && (
          <a class="button small" href={linkTo("signing-certificate")}>
            {t("signingCertificate")}
          </a>
        )}
        {item.dismissible && (
          <button
            type="button"
            class="small"
            onClick={() => send(toOfficePath(`/attention/${encodeURIComponent(item.id)}/done`))}
          >
            {t("lookedAt")}
          </button>
        )}
      </div>
      {problem && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
    </li>
  );
}

// Reservation, branch or branch group and time of a task. Omits the time if the task's text contains it.
function Where({ item }: { readonly item: AttentionTask }) {
  const { reservation_id: id, rental_location_code: branch } = item;
  const group = getShortageBranchGroup(item);
  const parts = [
    id !== null && <a href={linkTo("reservations", id)}>{t("reservationNo", { id })}</a>,
    branch && getBranchName(branch),
    group !== undefined && getBranchGroupName(group),
    !KINDS_WITH_TIME.has(item.kind) && formatMoment(item.at),
  ].filter(Boolean);
  return <span class="soft">{parts.flatMap((part, index) => (index === 0 ? [part] : [" · ", part]))}</span>;
}

// Customer to call, and the vehicles.
function TaskCustomer({
  item: { customer_fullname: name, customer_phone: phone, vehicles },
}: {
  readonly item: AttentionTask;
}) {
  if (!name && !vehicles) return null;
  return (
    <span>
      {[name && isolateRightToLeft(name), vehicles].filter(Boolean).join(" · ")}
      {phone && (
        <>
          {" · "}
          <a href={toPhoneLink(phone)}>{phone}</a>
        </>
      )}
    </span>
  );
}

function Why({ item }: { readonly item: AttentionTask }) {
  const text = formatTaskReason(item);
  return text === undefined ? <span>{item.kind}</span> : <span>{text}</span>;
}
