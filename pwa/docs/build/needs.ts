/** Operations with examples that can't be executed, and the reason. */
export const NEEDS: Readonly<Record<string, string>> = {
  notifyPayment: "only a gateway can say what became of a payment",
  comeBack: "whoever comes back from a gateway brings the unguessable id of a payment along",
  showPayment: "a payment is named by an unguessable id, which only its visitor has",
  createGateway: "the demo account has every gateway already",
  confirmSecondFactor: "a code is made of the secret that was just told",
  addPasskey: "a passkey is made of the challenge that was just told",
  removePasskey: "a passkey is taken away after the second factor was proved",
  renewRecoveryCodes: "recovery codes come with the first second factor, and no user of the demo has one",
  sendCommunicationAgain: "the ministry refused nothing of the demo's",
  noteCommunicationAnnulled: "the ministry has nothing of the demo's by a name that nobody knows",
};
