/** The problems of a request, and the one place that writes OpenAI's error body. Pure. */
import type { RequestFault } from "../wire/request-fault.ts";

export interface Problem {
  readonly status: number;
  /** Says what is wrong, where, and what to do; holds no secret. */
  readonly message: string;
  readonly type: ProblemType;
  /** Stable: clients may rely on it. */
  readonly code: string;
  /** The parameter, header or body field at fault. */
  readonly param?: string;
  /** The step of a plan that it is about. */
  readonly step?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Everything that is wrong with a document, each with its path. */
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  /** Why the rules refuse. */
  readonly reasons?: readonly { readonly code: string; readonly message: string }[];
}

/** OpenAI's types, and one for upstream errors. */
type ProblemType =
  | "invalid_request_error"
  | "authentication_error"
  | "permission_error"
  | "not_found_error"
  | "rate_limit_error"
  | "server_error"
  | "upstream_error";

/** The entry of the documentation for one of the gateway's own codes: a path in the repository, since it is not published elsewhere yet. */
export const docsOf = (code: string): string => `docs/errors.md#${code}`;

/** `{ "error": { message, type, code, param } }`, as every OpenAI client reads it, and members of ours. */
export function problemResponse({ status, message, type, code, param, headers, ...more }: Problem): Response {
  const { step, errors, reasons } = more;
  const error = { message, type, code, param: param ?? null, docs: docsOf(code), step, errors, reasons };
  return new Response(JSON.stringify({ error }), {
    status,
    headers: { ...headers, "content-type": "application/json; charset=utf-8" },
  });
}

/** The problem for a fault that a reader of requests found. */
export const problemOf = ({ param, message, code }: RequestFault): Problem =>
  badRequest(param ?? undefined, message, code);

export function badRequest(param: string | undefined, message: string, code = "invalid_value"): Problem {
  return { status: 400, type: "invalid_request_error", code, message, param };
}

export function unauthorized(code: string, message: string): Problem {
  return {
    status: 401,
    type: "authentication_error",
    code,
    message,
    headers: { "www-authenticate": 'Bearer realm="toolgate"' },
  };
}

export function forbidden(code: string, message: string, param?: string): Problem {
  return { status: 403, type: "permission_error", code, message, param };
}

/** @param what as a person would name it: `session`, `route`. */
export function notFound(what: string, param?: string): Problem {
  return { status: 404, type: "not_found_error", code: "not_found", message: `no such ${what}`, param };
}

export function methodNotAllowed(method: string, allowed: readonly string[]): Problem {
  const use = allowed.map((one) => `\`${one}\``).join(" or ");
  const message = `this path does not take \`${method}\`: use ${use}`;
  const headers = { allow: allowed.join(", ") };
  return { status: 405, type: "invalid_request_error", code: "method_not_allowed", message, headers };
}

export function conflict(code: string, message: string): Problem {
  return { status: 409, type: "invalid_request_error", code, message };
}

/** @param what the part that is too large: `the request body`. */
export function tooLarge(what: string, maxBytes: number): Problem {
  const message = `${what} is larger than ${maxBytes} bytes`;
  return { status: 413, type: "invalid_request_error", code: "too_large", message };
}

export function unsupportedEncoding(encoding: string): Problem {
  const message = `bodies that are compressed as \`${encoding.slice(0, 40)}\` are not read: send gzip, deflate, or none`;
  const param = "content-encoding";
  return { status: 415, type: "invalid_request_error", code: "unsupported_encoding", message, param };
}

/** @param what the part that is too large, with its verb: `the headers are`. */
export function headersTooLarge(what: string, maxBytes: number, code = "headers_too_large"): Problem {
  const message = `${what} larger than ${maxBytes} bytes`;
  return { status: 431, type: "invalid_request_error", code, message };
}

export function tooManyRequests(code: string, message: string, retryAfterSeconds: number): Problem {
  const headers = { "retry-after": String(retryAfterSeconds) };
  return { status: 429, type: "rate_limit_error", code, message, headers };
}

/** For a bug: the cause goes to the log, not to the client. */
export function internal(): Problem {
  return { status: 500, type: "server_error", code: "internal_error", message: "the gateway failed; try again later" };
}

/** For something that the gateway needs and cannot reach now. */
export function unavailable(code: string, message: string, retryAfterSeconds = 5): Problem {
  const headers = { "retry-after": String(retryAfterSeconds) };
  return { status: 503, type: "server_error", code, message, headers };
}

/** @param status the upstream's own, if it is a client or server error; by default 502. */
export function upstreamFailed(message: string, status = 502, code = "upstream_error"): Problem {
  return { status, type: "upstream_error", code, message };
}
