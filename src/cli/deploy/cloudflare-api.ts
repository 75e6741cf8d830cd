/** Cloudflare's API, for what no wrangler command does without a terminal; asked with wrangler's own credentials. */

export interface ApiAnswer {
  readonly status: number;
  readonly result: unknown;
  /** The first error's; undefined where there is none. */
  readonly error: { readonly code?: number; readonly message?: string } | undefined;
}

/** @param credentials headers that say who asks. */
export type CloudflareApi = (
  method: "GET" | "PUT",
  path: string,
  credentials: Readonly<Record<string, string>>,
  body?: unknown,
) => Promise<ApiAnswer>;

const BASE = "https://api.cloudflare.com/client/v4";
const WITHIN_MS = 30_000;

/** @param base as wrangler takes it from CLOUDFLARE_API_BASE_URL. */
export const cloudflareApi =
  (base = BASE): CloudflareApi =>
  async (method, path, credentials, body) => {
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: { ...credentials, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // The credentials are for this host alone.
        redirect: "error",
        signal: AbortSignal.timeout(WITHIN_MS),
      });
      const { result, errors = [] } = (await response.json()) as {
        readonly result?: unknown;
        readonly errors?: readonly NonNullable<ApiAnswer["error"]>[];
      };
      return { status: response.status, result, error: errors[0] ?? (response.ok ? undefined : {}) };
    } catch (error) {
      const { message, cause } = error as Error & { cause?: { message?: string } };
      throw new Error(`Cloudflare's API cannot be asked (${method} ${path}): ${cause?.message ?? message}`);
    }
  };
