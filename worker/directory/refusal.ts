/** Refused command of an operator. The message names what to do. */
export class DirectoryRefusalError extends Error {
  override readonly name = "DirectoryRefusal";
  readonly code: string;
  readonly status: 404 | 409 | 422 | 503;

  constructor(status: DirectoryRefusalError["status"], code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
