import { createHash } from "node:crypto";
import { createJpeg } from "#support/images.ts";
import { createAnimatedPng, createPngWithUnterminatedText } from "#support/png-files.ts";
import { createSheetWorkbook } from "#support/workbook.ts";
import { type Client, createJsonCall } from "#tools/platform/client.ts";
import { getDemoAccount, signIn } from "#tools/platform/credentials.ts";
import { ATTACKED_ACCOUNT, type Attack } from "./requests.ts";

/** A contract of the demo company that all its staff see. */
const CONTRACT_ID = 1;

const text = (value: string) => new TextEncoder().encode(value);

/** Files for a contract, which its customer's link later prints. */
const SENT_FILES: readonly (readonly [type: string, bytes: Uint8Array])[] = [
  ["image/png", createPngWithUnterminatedText()],
  ["image/png", createAnimatedPng({ width: 100, height: 50 }, { width: 3_000, height: 3_000 }, 10)],
  ["image/jpeg", createJpeg({ width: 2_000, height: 2_000, seed: 1, bytes: 9_900_000 })],
  ["text/plain", text(`# A\n${"a\n".repeat(99_000)}`)],
];

const CELL = (address: string) => `<c r="${address}"><v>1</v></c>`;

/** Tables to import. */
const IMPORTS: readonly (readonly [name: string, bytes: Uint8Array])[] = [
  ["customers.xlsx", createSheetWorkbook(`<row r="1">${CELL("A1")}</row><row r="1048576">${CELL("XFD1048576")}</row>`)],
  ["customers.json", text(JSON.stringify(Array.from({ length: 8_000 }, (_, index) => ({ [`key${index}`]: index }))))],
  ["customers.csv", text(`${Array.from({ length: 60_000 }, (_, index) => `h${index}`).join(",")}\n`)],
];

/**
 * Signs in at the attacked account and returns attacks with files. The platform may accept a file that it made
 * harmless.
 */
export async function prepareFileAttacks(client: Client): Promise<readonly Attack[]> {
  const [administrator] = getDemoAccount(ATTACKED_ACCOUNT).users;
  const agent = getDemoAccount(ATTACKED_ACCOUNT).users.find(({ use }) => use === "staff of the desk");
  if (!administrator || !agent) throw new Error(`${ATTACKED_ACCOUNT} has no agent and no administrator`);
  const [desk, office] = [
    await signIn(client, ATTACKED_ACCOUNT, agent),
    await signIn(client, ATTACKED_ACCOUNT, administrator),
  ];
  return [
    {
      name: "images and texts that stop a decoder",
      perSecond: 2,
      mayAccept: true,
      next: (turn) => {
        const [type, sent] = pickByTurn(SENT_FILES, turn);
        const bytes = type === "image/jpeg" ? changePixels(sent, turn) : sent;
        const hash = createHash("sha256").update(bytes).digest("hex");
        const headers = { Authorization: desk, "Content-Type": type };
        const path = `/api/v1/booking/${CONTRACT_ID}/check-in-files/${hash}`;
        return { account: ATTACKED_ACCOUNT, method: "PUT", path, headers, body: bytes };
      },
    },
    {
      name: "tables that grow when they are read",
      perSecond: 2,
      mayAccept: true,
      next: (turn) => {
        const [name, bytes] = pickByTurn(IMPORTS, turn);
        const body = { files: [{ name, content: Buffer.from(bytes).toString("base64") }] };
        return createJsonCall(
          { account: ATTACKED_ACCOUNT, method: "POST", path: "/api/v1/office/imports/check" },
          body,
          office,
        );
      },
    },
  ];
}

/** Signs in at the attacked account and returns a function that prints documents of the contract with these files. */
export async function preparePrinting(client: Client): Promise<() => Promise<void>> {
  const agent = getDemoAccount(ATTACKED_ACCOUNT).users.find(({ use }) => use === "staff of the desk");
  if (!agent) throw new Error(`${ATTACKED_ACCOUNT} has no agent`);
  const headers = { Authorization: await signIn(client, ATTACKED_ACCOUNT, agent) };
  const path = `/api/v1/office/reservations/${CONTRACT_ID}/contract.pdf`;
  return async () => {
    const { status } = await client.send({ account: ATTACKED_ACCOUNT, method: "GET", path, headers });
    // A reader of the printer's memory must find a printer that works.
    if (status !== 200 && status !== 429) throw new Error(`the contract wasn't printed: ${status}`);
  };
}

// A file that was stored before would only be read.
function changePixels(jpeg: Uint8Array, turn: number): Uint8Array {
  const changed = jpeg.slice();
  changed.set([turn % 200, Math.floor(turn / 200) % 200], changed.length - 8);
  return changed;
}

function pickByTurn<T>(all: readonly T[], turn: number): T {
  const picked = all[turn % all.length];
  if (picked === undefined) throw new Error("there is nothing to send");
  return picked;
}
