import { hashPassword } from "#worker/auth/passwords.ts";
import { seal } from "#worker/auth/sealing.ts";
import type { Company } from "./company.ts";
import { type TableRows, yesNo } from "./insert.ts";

/** Agencies and commission agents. */
export function partnerRows({ agencies, agents }: Company): TableRows[] {
  return [
    {
      table: "agencies",
      rows: agencies.map(({ id, name, salesChannel }) => ({ id, name, sales_channel_code: salesChannel })),
    },
    {
      table: "agents",
      rows: agents.map((agent) => ({
        id: agent.id,
        name: agent.name,
        commission_calculation: agent.calculation,
        commission_fixed_cents: agent.fixedCents,
        commission_basis_points: agent.share,
      })),
    },
  ];
}

/** Keys and users, their secrets sealed and hashed with fresh salt: the only rows that differ from one filling to the next. */
export async function credentialRows(company: Company, masterKey: string, since: number): Promise<TableRows[]> {
  const { account, partnerKeys, engineKeys, users } = company;
  return [
    {
      table: "partner_keys",
      rows: await Promise.all(
        partnerKeys.map(async ({ apiKey, secret, name, agencyId, scopes, keyOnly = false }) => ({
          api_key: apiKey,
          name,
          secret_sealed: await seal(masterKey, account, secret),
          agency_id: agencyId,
          scope_ota: yesNo(scopes.includes("ota")),
          scope_integration: yesNo(scopes.includes("integration")),
          scope_analytics: yesNo(scopes.includes("analytics")),
          key_only: yesNo(keyOnly),
          created_at: since,
        })),
      ),
    },
    {
      table: "engine_keys",
      rows: engineKeys.map(({ apiKey, name, allowedOrigins, salesChannel }) => ({
        api_key: apiKey,
        name,
        allowed_origins: JSON.stringify(allowedOrigins),
        sales_channel_code: salesChannel,
        created_at: since,
      })),
    },
    {
      table: "users",
      rows: await Promise.all(
        users.map(async (user) => ({
          id: user.id,
          kind: user.role === "customer" ? "customer" : "staff",
          username: user.username,
          email: user.username,
          full_name: user.fullName,
          password_hash: await hashPassword(user.password),
          role: user.role,
          customer_id: user.customerId,
          all_branches: yesNo(user.role !== "customer" && user.branchCodes === undefined),
          language: user.language,
          created_at: since,
          last_update: since,
        })),
      ),
    },
    {
      table: "user_branches",
      rows: users.flatMap(({ id, branchCodes }) =>
        (branchCodes ?? []).map((code) => ({ user_id: id, branch_code: code })),
      ),
    },
  ];
}
