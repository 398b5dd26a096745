import type { Settings } from "#domain/catalogue/catalogue.ts";
import { tryDecryptSecret } from "#worker/auth/secret-encryption.ts";
import type { MinistryRegisterConnection } from "#worker/authorities/register.ts";
import { sesHospedajes } from "#worker/authorities/ses/register.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

const SERVICE = {
  test: "https://hospedajes.pre-ses.mir.es/hospedajes-web/ws/v1/comunicacion",
  production: "https://hospedajes.ses.mir.es/hospedajes-web/ws/v1/comunicacion",
} as const;
const ANSWER_MILLISECONDS = 30_000;
const REFUSED_SIGN_IN_STATUSES: readonly number[] = [401, 403];

/** Code of a failed call to the ministry. The office has a text for each. */
type MinistryCallProblem = "ministry_sign_in_refused" | "ministry_unreachable";

class MinistrySignInRefused extends Error {}

/** Returns the code of a failed call to the ministry, and logs the error for the operator. */
export function reportFailedMinistryCall({ name }: Tenant, error: unknown): MinistryCallProblem {
  const problem = error instanceof MinistrySignInRefused ? "ministry_sign_in_refused" : "ministry_unreachable";
  console.log(
    JSON.stringify({ level: "warning", account: name, operation: "ministry_call", problem, defect: `${error}` }),
  );
  return problem;
}

/** Opens the account's connection to the ministry. Returns undefined if its credentials are incomplete. */
export async function openMinistryConnection(
  tenant: Tenant,
  settings: Settings,
): Promise<MinistryRegisterConnection | undefined> {
  const { sesLessorCode: lessor, sesUser: user, sesPasswordSealed: sealed, sesEnvironment } = settings;
  const authorityClient = tenant.reach("ses");
  const password = sealed && (await tryDecryptSecret(tenant, sealed));
  if (!lessor || !user || !password || !authorityClient) return undefined;
  const headers = {
    "Content-Type": "text/xml; charset=utf-8",
    SOAPAction: '""',
    // In UTF-8 (RFC 7617), because base64 of characters above 255 throws.
    Authorization: `Basic ${Buffer.from(`${user}:${password}`, "utf8").toString("base64")}`,
  };
  const ask = async (body: string) => {
    const signal = AbortSignal.timeout(ANSWER_MILLISECONDS);
    const answer = await authorityClient(
      new Request(SERVICE[sesEnvironment], { method: "POST", headers, body, signal }),
    );
    if (REFUSED_SIGN_IN_STATUSES.includes(answer.status)) throw new MinistrySignInRefused(`status ${answer.status}`);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return answer.text();
  };
  return sesHospedajes.open({ lessor, ask });
}
