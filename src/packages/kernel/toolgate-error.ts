/** An error for the program that called: what is wrong, and what to do. */
export class ToolgateError extends Error {
  /** Stable: as the gateway's API returns it. */
  readonly code: string;
  /** As the gateway would answer it. */
  readonly status: number;

  constructor(message: string, code: string, status = 400) {
    super(message);
    this.name = "ToolgateError";
    this.code = code;
    this.status = status;
  }
}
