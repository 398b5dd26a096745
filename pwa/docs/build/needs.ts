/** Operations whose examples show the form of a call and cannot work as they stand, and why. */
export const NEEDS: Readonly<Record<string, string>> = {
  notifyPayment: "only a gateway can say what became of a payment",
  comeBack: "whoever comes back from a gateway brings the unguessable id of a payment along",
  showPayment: "a payment is named by an unguessable id, which only its visitor has",
  amendDocumentRecord: "the tax agency answers a record some minutes later, and one that it has taken is not amended",
  createGateway: "the demo account has every gateway already",
  approveRefund: "another manager than the one who asked approves",
  askGatewayAgain: "no gateway has refused a refund of the demo account",
  refundByHand: "no gateway has refused a refund of the demo account",
  dropGatewayRefund: "no gateway has refused a refund of the demo account",
  confirmSecondFactor: "a code is made of the secret that was just told",
  addPasskey: "a passkey is made of the challenge that was just told",
  removePasskey: "a passkey is taken away after the second factor was proved",
  sendCommunicationAgain: "the ministry refused nothing of the demo's",
};
