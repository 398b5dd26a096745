/** Environment of the Spanish tax agency that a company reports to. */
export type TaxEnvironment = "test" | "production";
