/** Why a cell cannot be taken, and what would be right. */
export interface Problem {
  readonly problem: string;
  readonly remedy?: string;
}
