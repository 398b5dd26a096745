import { useEffect, useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type { OwnDownloadsMessage } from "#worker/api/customer-access/own-booking-messages.ts";
import type { Reservation } from "./model.ts";
import { fillPlaceholders, type Texts } from "./texts.ts";
import type { BookingFlow } from "./use-booking-flow.ts";

type Download = Immutable<OwnDownloadsMessage>["data"][number];

interface Props {
  readonly shop: BookingFlow;
  readonly reservation: Pick<Reservation, "id" | "status" | "paid">;
}

/** Links to the contract, invoices and calendar file of a reservation. Nothing if there are none. */
export function Downloads({ shop: { client, texts }, reservation: { id, status, paid } }: Props) {
  const [downloads, setDownloads] = useState<readonly Download[]>([]);
  const root = `/api/v1/web-customer/reservations/${id}`;
  useEffect(() => {
    client.get<OwnDownloadsMessage>(`${root}/downloads`).then(
      ({ data }) => setDownloads(data),
      () => setDownloads([]),
    );
  }, [root, status, paid]);
  if (downloads.length === 0) return null;
  return (
    <section class="card" part="downloads" aria-label={texts.downloads}>
      <h3>{texts.downloads}</h3>
      <ul class="downloads">
        {downloads.map((download) => (
          <li key={download.path}>
            <a
              href={new URL(`${root}/${download.path}`, client.origin).href}
              target="_blank"
              rel="noopener"
              data-download={download.kind}
            >
              {getDownloadText(download, texts)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function getDownloadText({ kind, name }: Download, texts: Texts): string {
  const downloadTexts: Readonly<Record<Download["kind"], string>> = {
    contract: texts.downloadContract,
    invoice: texts.downloadInvoice,
    credit_note: texts.downloadCreditNote,
    calendar: texts.downloadCalendar,
  };
  return fillPlaceholders(downloadTexts[kind], { name });
}
