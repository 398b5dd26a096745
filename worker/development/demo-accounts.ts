/** Demo account with its credentials, created by the demo data and shown by the development page and `npm start`. */
export interface DemoAccount {
  readonly account: "acme" | "globex";
  readonly description: string;
  readonly partnerKeys: readonly { readonly apiKey: string; readonly secret: string; readonly use: string }[];
  readonly engineKey: { readonly apiKey: string; readonly required: boolean };
  readonly sellsTransfers: boolean;
  readonly users: readonly { readonly username: string; readonly password: string; readonly use: string }[];
}

export const demoAccounts: readonly DemoAccount[] = [
  {
    account: "acme",
    description: "Car rental on two islands",
    partnerKeys: [
      { apiKey: "acme-agency", secret: "acme-agency-secret", use: "agency" },
      { apiKey: "acme-agency-2", secret: "acme-agency-2-secret", use: "second agency" },
      { apiKey: "acme-erp", secret: "acme-erp-secret", use: "integration and analytics" },
      { apiKey: "acme-books", secret: "acme-books-secret", use: "invoices, bonds and charges, by the key alone" },
    ],
    engineKey: { apiKey: "acme-web", required: false },
    sellsTransfers: true,
    users: [
      { username: "staff@acme.test", password: "Staff-acme-2026!", use: "administrator" },
      { username: "airport@acme.test", password: "Airport-acme-2026!", use: "staff of one branch" },
      { username: "customer@acme.test", password: "Customer-acme-2026!", use: "customer" },
      { username: "agent@acme.test", password: "Agent-acme-2026!", use: "staff of the desk" },
      { username: "manager@acme.test", password: "Manager-acme-2026!", use: "manager" },
    ],
  },
  {
    account: "globex",
    description: "One van-rental shop",
    partnerKeys: [
      { apiKey: "globex-agency", secret: "globex-agency-secret", use: "agency" },
      { apiKey: "globex-erp", secret: "globex-erp-secret", use: "integration and analytics" },
    ],
    engineKey: { apiKey: "globex-web", required: true },
    sellsTransfers: false,
    users: [
      { username: "staff@globex.test", password: "Staff-globex-2026!", use: "administrator" },
      { username: "customer@globex.test", password: "Customer-globex-2026!", use: "customer" },
    ],
  },
];
