import { signal } from "@preact/signals";
import { type Answer, ask, office } from "../../api.ts";
import { saveFile } from "../../desk/save-file.ts";

/** Whether the server exports and erases people: a server that does not is asked once. */
export const isOffered = signal(true);

// A server without these answers 404 without the code of a customer that is not there.
function take(answer: Answer): Answer {
  if (answer.status === 404 && answer.body["code"] !== "customer_not_found") isOffered.value = false;
  return answer;
}

/** Erases a person but for what a law keeps. */
export async function eraseCustomer(id: number, body: unknown, key: string): Promise<Answer> {
  return take(await ask("POST", office(`/customers/${id}/erase`), { body, key }));
}

/** All that is kept of a person, as a file for whoever asked for it; the answer where it is refused. */
export async function saveExport(id: number): Promise<Answer | undefined> {
  const answer = take(await ask("GET", office(`/customers/${id}/export`)));
  if (answer.status !== 200) return answer;
  const file = new Blob([JSON.stringify(answer.body, null, 2)], { type: "application/json" });
  saveFile(file, `customer-${id}.json`);
  return undefined;
}
