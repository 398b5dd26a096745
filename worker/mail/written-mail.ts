/** Mail in text and HTML. */
export interface WrittenMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
