import { NewTransfer } from "./transfers/new-transfer.tsx";

/** New transfer form. Existing transfers are listed with the reservations. */
export default function TransfersPage() {
  return <NewTransfer />;
}
