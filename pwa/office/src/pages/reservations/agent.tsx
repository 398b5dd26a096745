import { useState } from "preact/hooks";
import type { ReservationAgentRequest } from "#worker/api/office/commission-messages.ts";
import { formatDay, formatMoney, hasUserRight, isZeroAmount } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import { LabelledValueList } from "../../desk/fact-list.tsx";
import type { FormField } from "../../desk/fields.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import type { Reservation, ReservationDetail } from "../../desk/reservation.ts";
import { useReservationConflict } from "../../desk/reservation-conflict.tsx";
import { useOptions } from "../../desk/use-options.ts";
import { t } from "../../texts.ts";

interface AgentProps {
  readonly of: Reservation;
  readonly onDone: (notice: string) => void;
}

/** Agent of the reservation with commission and retained amount. Hidden if the company has no agents. */
export function ReservationAgent({ of, onDone }: AgentProps) {
  const agents = useOptions("agents");
  const [isFormOpen, setFormOpen] = useState(false);
  const { sheet } = useReservationConflict(of);
  if (agents.length === 0) return null;
  const name = agents.find(({ id }) => id === of.agent_id)?.name;
  const rows: readonly (readonly [string, string | null])[] = [
    [t("commissionEarned"), formatMoney(of.agent_comission_total)],
    [
      t("back.agent_kept"),
      isZeroAmount(of.agent_comission_prepaid_amount) ? null : formatMoney(of.agent_comission_prepaid_amount),
    ],
    [t("settledOn"), of.agent_comission_payment_date && formatDay(of.agent_comission_payment_date)],
  ];
  return (
    <section class="panel" aria-labelledby="agent">
      <h2 id="agent">{t("back.agent")}</h2>
      <p>{name ?? t("noAgent")}</p>
      {of.agent_id !== null && <LabelledValueList rows={rows} />}
      {hasUserRight("sell") && !of.agent_comission_paid && (
        <p>
          <button type="button" class="small" onClick={() => setFormOpen(true)}>
            {t(of.agent_id === null ? "nameAgent" : "changeAgent")}
          </button>
        </p>
      )}
      {isFormOpen && (
        <FormSheet<Partial<ReservationDetail>, VersionedAgentForm>
          {...sheet}
          title={`${t("back.agent")} · ${t("reservationNo", { id: of.id })}`}
          draft={["agent", String(of.id)]}
          fields={createAgentFields(agents)}
          begin={{
            agent_id: of.agent_id === null ? "" : String(of.agent_id),
            agent_comission_prepaid_amount: of.agent_comission_prepaid_amount,
          }}
          submit={t("save")}
          send={({ agent_id: agent, ...body }, key) =>
            sendOfficeRequest<ReservationDetail, ReservationAgentRequest>(
              "POST",
              toOfficePath(`/reservations/${of.id}/agent`),
              {
                key,
                body: { ...body, agent_id: agent === undefined ? null : Number(agent) },
              },
            )
          }
          onDone={() => {
            setFormOpen(false);
            onDone(t("agentNamed"));
          }}
          onClose={() => setFormOpen(false)}
        />
      )}
    </section>
  );
}

/** Form of an agent, whose choice is a text. */
type AgentForm = Pick<ReservationAgentRequest, "agent_comission_prepaid_amount"> & { readonly agent_id?: string };

type VersionedAgentForm = AgentForm & Pick<ReservationAgentRequest, "expected_version">;

const createAgentFields = (
  agents: readonly { readonly id: number; readonly name: string }[],
): readonly FormField<keyof AgentForm>[] => [
  {
    name: "agent_id",
    kind: "choice",
    label: "back.agent",
    isWide: true,
    choices: agents.map(({ id, name }) => [String(id), name] as const),
  },
  {
    name: "agent_comission_prepaid_amount",
    kind: "money",
    label: "back.agent_kept",
    hint: "agentKeptHint",
    isWide: true,
  },
];
