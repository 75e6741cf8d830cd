/** Why a request was not answered as wished. Pure. */
import { isObject } from "../../lib/json/json-value.ts";

export type Failure =
  /** Nothing answered: no network, or no gateway. */
  | { readonly kind: "unreachable" }
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly code: string;
      /** The gateway's own words. */
      readonly message: string;
      readonly param: string | null;
      readonly errors: readonly { readonly path: string; readonly message: string }[];
    };

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** @param body what came with the status; a proxy on the way may have sent anything. */
export function readFailure(status: number, body: unknown): Failure {
  const error = isObject(body) && isObject(body.error) ? body.error : {};
  const errors = Array.isArray(error.errors) ? error.errors.filter(isObject) : [];
  return {
    kind: "refused",
    status,
    code: textOf(error.code),
    message: textOf(error.message),
    param: textOf(error.param) || null,
    errors: errors.map((one) => ({ path: textOf(one.path), message: textOf(one.message) })),
  };
}
