import { useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type {
  CommissionListMessage,
  SettleCommissionsRequest,
  UnsettleCommissionsRequest,
} from "#worker/api/office/commission-messages.ts";
import { formatDay, formatMoney, getCompanyDateTime, hasUserRight } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import { ConfirmButton } from "../../desk/confirm-button.tsx";
import { type ListFilter, ListFilterForm } from "../../desk/filters.tsx";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { ListDownload } from "../../desk/list-download.tsx";
import { ListTotals } from "../../desk/list-totals.tsx";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { RowsTable, type TableColumn } from "../../desk/rows.tsx";
import { ListSearchResults, useSearch } from "../../desk/search.tsx";
import { sumAmounts } from "../../desk/sum-amounts.ts";
import { useOptions } from "../../desk/use-options.ts";
import { useResource } from "../../desk/use-resource.tsx";
import { linkTo, urlQuery } from "../../route.ts";
import { type TextKey, t } from "../../texts.ts";

/** Commission of an agent for a reservation. */
type Commission = Immutable<CommissionListMessage["data"][number]>;

/** Maximum number of commissions settled together. */
const PAGE_SIZE = 200;

const NAMES = ["agent_id", "settled", "date_from", "date_to"];

const createFilters = (agents: readonly { readonly id: number; readonly name: string }[]): readonly ListFilter[] => [
  {
    name: "agent_id",
    label: "back.agent",
    kind: "choice",
    choices: () => agents.map(({ id, name }) => [String(id), name] as const),
  },
  { name: "settled", label: "settled", kind: "check" },
  { name: "date_from", label: "field.date_from", kind: "date" },
  { name: "date_to", label: "field.date_to", kind: "date" },
];

/** Commissions of agents. Unpaid ones of an agent are selected and settled together, paid ones can be reopened. */
export function Commissions() {
  const agents = useOptions("agents");
  const search = useSearch<CommissionListMessage>("/commissions", NAMES);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [isFormOpen, setFormOpen] = useState(false);
  const [notice, setNotice] = useState("");
  const [problem, setProblem] = useState("");
  const agentId = urlQuery.value.get("agent_id") ?? "";
  const isSettled = urlQuery.value.get("settled") === "true";
  const rows = search.result?.rows ?? [];
  const picked = isSettled || agentId === "" ? [] : rows.filter(({ reservation_id: id }) => chosen.has(id));
  const showSuccess = (words: string) => {
    setChosen(new Set());
    setNotice(words);
    setProblem("");
    search.again();
  };
  const undoSettlement = async ({ reservation_id: id }: Commission) => {
    const body: UnsettleCommissionsRequest = { reservation_ids: [id] };
    const answer = await sendOfficeRequest<object, UnsettleCommissionsRequest>(
      "POST",
      toOfficePath("/commissions/unsettle"),
      {
        body,
      },
    ).catch(() => undefined);
    if (!answer) return setProblem(t("notSent"));
    if (answer.status < 300) return showSuccess(t("commissionTakenBack"));
    const { fields, notice: refusalNotice } = toRefusalTexts(answer);
    setProblem([refusalNotice, ...Object.values(fields)].join(" "));
  };
  // Contains the sums of all matches, on all pages.
  const content = search.result?.answer;
  const canChoose = !isSettled && agentId !== "" && hasUserRight("manage");
  const columns = [
    ...createColumns({ isOfOne: agentId !== "", isSettled }),
    ...(isSettled ? [paidColumn(undoSettlement)] : []),
    ...(canChoose ? [choosing(chosen, setChosen)] : []),
  ];
  return (
    <>
      <ListFilterForm filters={createFilters(agents)} />
      <p class="done" role="status">
        {notice}
      </p>
      {problem && <p role="alert">{problem}</p>}
      {!isSettled && hasUserRight("manage") && rows.length > 0 && (
        <p class="buttons">
          {agentId === "" ? (
            <span class="soft">{t("chooseAgent")}</span>
          ) : (
            <>
              <button
                type="button"
                class="small"
                onClick={() => setChosen(new Set(rows.slice(0, PAGE_SIZE).map(({ reservation_id: id }) => id)))}
              >
                {t("chooseAll")}
              </button>
              <button type="button" class="main small" disabled={picked.length === 0} onClick={() => setFormOpen(true)}>
                {t("settle")} · {formatMoney(sumAmounts(picked.map(({ due }) => due)))}
              </button>
            </>
          )}
        </p>
      )}
      {content && content.total > 0 && (
        <ListTotals totals={listAmounts(isSettled).map(([name, label]) => [t(label), content.sums[name]])} />
      )}
      <ListSearchResults
        search={search}
        empty={t("noCommissions")}
        none={t("noCommissionSo")}
        tools={<ListDownload path="/commissions" names={NAMES} />}
      >
        {(item) => (
          <RowsTable name={t("commissions")} rows={item} columns={columns} keyOf={({ reservation_id: id }) => id} />
        )}
      </ListSearchResults>
      {isFormOpen && (
        <SettlementSheet
          agentId={agentId}
          picked={picked}
          onDone={() => {
            setFormOpen(false);
            showSuccess(t("commissionPaid"));
          }}
          onClose={() => setFormOpen(false)}
        />
      )}
    </>
  );
}

interface SettlementSheetProps {
  readonly agentId: string;
  readonly picked: readonly Commission[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

// Loads the agent's commissions, because the rows may be older than a change of their contracts.
function SettlementSheet({ agentId, picked, onDone, onClose }: SettlementSheetProps) {
  const params = new URLSearchParams({ agent_id: agentId, page_size: String(PAGE_SIZE) });
  const { whole, problem, retry } = useResource<CommissionListMessage>(toOfficePath(`/commissions?${params}`));
  const current = whole ? refreshSelectedCommissions(picked, whole) : picked;
  return (
    <FormSheet<object, Pick<SettleCommissionsRequest, "date">>
      title={`${t("settle")} · ${picked[0]?.agent_name ?? ""}`}
      introduction={t("settleAbout", {
        n: current.length,
        amount: formatMoney(sumAmounts(current.map(({ due }) => due))),
      })}
      draft={["settle", agentId]}
      fields={[{ name: "date", kind: "date", label: "settledOn", required: true }]}
      begin={{ date: getCompanyDateTime().date }}
      submit={t("settle")}
      canSubmit={whole !== undefined && !problem && current.length > 0}
      note={<LoadErrorMessage problem={problem} onRetry={retry} />}
      send={(body, key) =>
        sendOfficeRequest<object, SettleCommissionsRequest>("POST", toOfficePath("/commissions/settle"), {
          key,
          body: {
            ...body,
            agent_id: Number(agentId),
            reservation_ids: current.map((commission) => commission.reservation_id),
          },
        })
      }
      onDone={onDone}
      onClose={onClose}
    />
  );
}

/**
 * Returns the current state of selected commissions, without those that are no longer due. Those beyond the loaded page
 * stay as they are.
 */
export function refreshSelectedCommissions(
  picked: readonly Commission[],
  { data, next }: Immutable<Pick<CommissionListMessage, "data" | "next">>,
): readonly Commission[] {
  const current = new Map<number, Commission>(data.map((commission) => [commission.reservation_id, commission]));
  return picked.flatMap((commission) => current.get(commission.reservation_id) ?? (next === null ? [] : [commission]));
}

interface ColumnOptions {
  readonly isOfOne: boolean;
  readonly isSettled: boolean;
}

/** Amounts of a commission, as columns and as totals. */
const listAmounts = (
  isSettled: boolean,
): readonly (readonly [name: keyof CommissionListMessage["sums"], label: TextKey])[] => [
  ...(isSettled ? [] : [["agent_comission_base_amount", "commissionBase"] as const]),
  ["agent_comission_total", "commissionEarned"],
  ["agent_comission_prepaid_amount", "back.agent_kept"],
  ["due", isSettled ? "paid" : "commissionDue"],
];

/** Columns that a phone shows, too. */
const MAIN_AMOUNTS: readonly (keyof CommissionListMessage["sums"])[] = ["agent_comission_total", "due"];

const createColumns = ({ isOfOne, isSettled }: ColumnOptions): readonly TableColumn<Commission>[] => [
  {
    head: t("reservation"),
    cell: ({ reservation_id: id }) => <a href={linkTo("reservations", id)}>{id}</a>,
  },
  { head: t("customer"), cell: ({ customer_fullname: name }) => name, is: "wide" },
  ...(isOfOne ? [] : [{ head: t("back.agent"), cell: ({ agent_name: name }: Commission) => name }]),
  { head: t("field.date_to"), cell: ({ date_to: date }) => formatDay(date), is: "date", from: "laptop" },
  ...listAmounts(isSettled).map(
    ([name, label]): TableColumn<Commission> => ({
      head: t(label),
      cell: (commission) => formatMoney(commission[name]),
      is: "number",
      ...(!MAIN_AMOUNTS.includes(name) && { from: "laptop" }),
    }),
  ),
];

function paidColumn(undoSettlement: (commission: Commission) => Promise<unknown>): TableColumn<Commission> {
  return {
    head: t("settledOn"),
    cell: (commission) => (
      <>
        {commission.agent_comission_payment_date && formatDay(commission.agent_comission_payment_date)}{" "}
        {hasUserRight("manage") && (
          <ConfirmButton
            text={t("unsettle")}
            of={String(commission.reservation_id)}
            onSure={() => undoSettlement(commission)}
          />
        )}
      </>
    ),
    is: "press",
  };
}

function choosing(
  chosen: ReadonlySet<number>,
  setChosen: (chosen: ReadonlySet<number>) => void,
): TableColumn<Commission> {
  return {
    head: t("chooseOne"),
    cell: ({ reservation_id: id }) => (
      <input
        type="checkbox"
        aria-label={t("reservationNo", { id })}
        checked={chosen.has(id)}
        onChange={({ currentTarget: { checked } }) =>
          setChosen(new Set([...[...chosen].filter((value) => value !== id), ...(checked ? [id] : [])]))
        }
      />
    ),
    is: "press",
  };
}
