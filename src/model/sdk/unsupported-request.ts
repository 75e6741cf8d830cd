/** A request asks for something that the provider's protocol has no form for. */
export class UnsupportedRequest extends Error {
  /** Where the request has it. */
  readonly param: string;

  constructor(message: string, param: string) {
    super(message);
    this.param = param;
  }
}
