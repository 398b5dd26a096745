/** Returns the status and code of a refusal. */
export async function readRefusal(answer: Response | Promise<Response>): Promise<readonly unknown[]> {
  const response = await answer;
  return [response.status, (await response.json<{ readonly code?: string }>()).code];
}

/** Returns the status of a refusal and its first invalid field, or its code if it names no field. */
export async function readStatusAndField(response: Response): Promise<readonly unknown[]> {
  const { code, detail } = await response.json<{ code: string; detail?: readonly { field: string }[] }>();
  return [response.status, detail?.[0]?.field ?? code];
}
