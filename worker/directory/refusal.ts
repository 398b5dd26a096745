/** Refused command of an operator. The message names what to do. */
export class DirectoryRefusal extends Error {
  override readonly name = "DirectoryRefusal";
  readonly code: string;
  readonly status: 404 | 409 | 422 | 503;

  constructor(status: DirectoryRefusal["status"], code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
