/** What the test of a gateway may find. */
export const GATEWAY_TEST_CODES = [
  ...(["data_invalid", "currency_unsupported", "not_offered"] as const),
  ...(["no_answer", "key_refused", "endpoint_missing", "events_missing", "events_secret_missing"] as const),
] as const;

type GatewayTestCode = (typeof GATEWAY_TEST_CODES)[number];

/** Messages of what the test of a gateway finds, for developers. The office translates the codes. */
export const GATEWAY_TEST_MESSAGES: Readonly<Record<GatewayTestCode, string>> = {
  data_invalid: "The merchant details don't have the gateway's form, or the secret can't be opened",
  currency_unsupported: "The secret has another form, or the gateway doesn't take {currency}",
  not_offered: "The settings don't offer the payment method to customers",
  no_answer: "The gateway didn't answer",
  key_refused: "The gateway refused the key: {answer}",
  endpoint_missing: "The gateway has no enabled webhook endpoint for {url}",
  events_missing: "The webhook endpoint doesn't send {events}",
  events_secret_missing: "The webhook signing secret is missing",
};

/** Something that the test of a gateway finds. */
export interface GatewayTestProblem {
  readonly code: GatewayTestCode;
  readonly params: Readonly<Record<string, string>>;
}

/** Result of testing a gateway's configuration. */
export interface GatewayConfigurationTest {
  readonly isReady: boolean;
  readonly problems: readonly GatewayTestProblem[];
  /** Target of the visitor's payment form. */
  readonly address: string | undefined;
}
