/** Which policy the gateway serves, by its own account: what was put through the admin API outlives a start. */

export interface ServedPolicy {
  readonly name: string;
  readonly version: string;
}

/** Undefined where it serves the embedded one, or does not say. */
export async function servedPolicy(port: number): Promise<ServedPolicy | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/admin/policies/default`, {
      headers: { authorization: "Bearer tg-dev-admin" },
      signal: AbortSignal.timeout(5_000),
    });
    const { version, document } = (await response.json()) as { version?: unknown; document?: { name?: unknown } };
    if (typeof version !== "string") return undefined;
    return { version, name: typeof document?.name === "string" ? document.name : "unnamed" };
  } catch {
    return undefined;
  }
}
