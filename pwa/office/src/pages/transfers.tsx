import { NewTransfer } from "./transfers/new.tsx";

/** Transfers that are made: what there is of them is among the reservations. */
export default function Transfers() {
  return <NewTransfer />;
}
