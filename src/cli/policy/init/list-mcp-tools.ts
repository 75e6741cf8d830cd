/** Asks an MCP server for its tools, over Streamable HTTP. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { err, ok, type Result } from "../../../lib/result.ts";

const TIMEOUT_MS = 20_000;
const MAX_PAGES = 50;

/** @param token sent as a bearer token; undefined: none. @returns the server's entries, or what is wrong, in words. */
export async function listMcpTools(
  url: string,
  token: string | undefined,
): Promise<Result<readonly unknown[], string>> {
  const address = URL.parse(url);
  if (!address || !["http:", "https:"].includes(address.protocol))
    return err(`--mcp is \`${url}\`: it must be an http or https URL`);
  const client = new Client({ name: "toolgate-policy-init", version: "1" });
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(address, { requestInit: { headers, redirect: "error" } });
  try {
    await client.connect(transport, { timeout: TIMEOUT_MS });
    const tools: unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const listed = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: TIMEOUT_MS });
      tools.push(...listed.tools);
      cursor = listed.nextCursor;
      if (cursor === undefined) break;
    }
    return ok(tools);
  } catch (error) {
    return err(`${address.origin}${address.pathname} gives no list of tools: ${reasonOf(error)}`);
  } finally {
    await client.close().catch(() => undefined);
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { message?: string } };
  return cause?.message ?? message;
}
