/**
 * An upstream's refusal of the gateway's own key, or of what its account may do. To the client it is a fault of the gateway: if it were
 * passed on, a 401 would say that the client's key is wrong, and its text may name the operator's key or account. Pure.
 */

/** Other 403s are about the content of the request, such as moderation. */
const ABOUT_ACCOUNT =
  /api[ _-]?key|permission|scope|credential|authenti|authori[sz]|account|organi[sz]ation|project|billing/i;

/** @param own whether the request had the client's own key: an answer about that key goes to the client. */
export function refusesOwnKey(status: number, body: string, own: boolean): boolean {
  return !own && (status === 401 || (status === 403 && ABOUT_ACCOUNT.test(body)));
}

interface KeyRefusal {
  /** OpenAI's error object. */
  readonly error: { readonly message: string; readonly type: string; readonly code: string; readonly param: null };
  readonly status: 502;
  /** The official clients retry after a 502, and would get the same again. */
  readonly headers: Readonly<Record<string, string>>;
}

/** @param upstream its number, from 1, or its provider's name. */
export function keyRefusal(status: number, upstream: number | string): KeyRefusal {
  const setting = keySetting(upstream);
  const message =
    `the upstream does not accept the gateway's own key (${status}); nothing is wrong with yours: ` +
    `ask an operator to check \`${setting}\``;
  const error = { message, type: "upstream_error", code: "upstream_auth_failed", param: null };
  return { error, status: 502, headers: { "x-should-retry": "false" } };
}

const keySetting = (upstream: number | string): string => {
  if (typeof upstream === "string") return `UPSTREAM_${upstream.toUpperCase().replaceAll("-", "_")}_API_KEY`;
  return upstream === 1 ? "UPSTREAM_API_KEY" : `UPSTREAM_${upstream}_API_KEY`;
};
