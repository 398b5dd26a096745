import type { AuthorityCodeEntries, AuthorityCodeList } from "#domain/ministry-reports/lists.ts";
import type { MinistryReportKind, ReportedRental } from "#domain/ministry-reports/rental.ts";

/** Authority's response to a submission: the accepted lot, or the reason for its rejection. */
export interface SubmissionResponse {
  readonly lot: string | undefined;
  readonly error: string | undefined;
  /** Whether the authority already has the report, because its response to an earlier attempt was lost. */
  readonly isAlreadyStored: boolean;
  /** Whether the same report may be accepted later: the error is about the access or the service, not its content. */
  readonly mayPass: boolean;
}

/** State of a lot. `works`: check again later, with an error if the authority's state is unknown. */
export interface SubmittedLotState {
  readonly state: "works" | "done" | "failed";
  /** Authority's id of the stored report. */
  readonly code: string | undefined;
  readonly error: string | undefined;
}

/** Connection of a company to an authority. Throws if the authority doesn't respond, and the caller retries. */
export interface MinistryRegisterConnection {
  sendReport(kind: MinistryReportKind, text: string): Promise<SubmissionResponse>;
  /** Withdraws a stored report by the authority's id. */
  withdrawReport(code: string): Promise<SubmissionResponse>;
  /** Returns the state of a lot. Undefined if the authority doesn't have the lot yet. */
  readLotState(lot: string): Promise<SubmittedLotState | undefined>;
  readCodeList(list: AuthorityCodeList): Promise<AuthorityCodeEntries>;
  /** Tests the connection with a request that registers nothing. Returns the authority's error, if any. */
  testConnection(): Promise<string | undefined>;
}

/** Register of rentals at an authority: required data, format and protocol. */
export interface MinistryRegister {
  /** Missing data of a rental, named as in the contract data and the fleet. */
  listMissingData(kind: MinistryReportKind, rental: ReportedRental): readonly string[];
  /** Fields whose text the register accepts only in part, named like missing ones. */
  listShortenedFields(kind: MinistryReportKind, rental: ReportedRental): readonly string[];
  /** Writes the report of a complete rental. */
  writeReport(kind: MinistryReportKind, rental: ReportedRental): string;
  /** `ask` posts a request and returns the response text. */
  open(account: {
    readonly lessor: string;
    readonly ask: (body: string) => Promise<string>;
  }): MinistryRegisterConnection;
}
