/**
 * The tools of MCP servers that a tenant has seen, and the definitions that it has accepted. Each change is one transaction.
 * A tool that disappears from a server's list keeps its accepted definition. Otherwise a server could replace a definition
 * unseen: by leaving the tool out for a while, by listing many others, or by a name that is offered as the same. Only an operator
 * deletes an accepted definition, once its tool has disappeared.
 */
import { mcpToolName } from "../../policy/mcp-tools.ts";
import {
  type AcceptedTool,
  type KnownServer,
  type KnownTool,
  type LeftOut,
  type ListFailure,
  type McpAcceptance,
  type McpEra,
  type McpForgetting,
  type McpPinsPort,
  type NotedFailure,
  type NotedList,
  type SeenTool,
  stateOf,
} from "../../tools/mcp/known-server.ts";

/** The ledger's tables for MCP servers. This page is their storage schema. */

export const mcpTables = `
-- One row for each server that was listed, by its name in the policy. url: of the list. era: legacy or modern, NULL until
-- a list was read. listed: ms since epoch of the last list, NULL where there was none; tried: of the last attempt. error: NULL, or
-- JSON, why the last attempt failed. left_out: JSON, the tools of the last list that are not offered, with the reasons.
CREATE TABLE mcp_servers (
  name TEXT PRIMARY KEY, url TEXT NOT NULL, era TEXT, listed INTEGER, tried INTEGER NOT NULL, error TEXT,
  left_out TEXT NOT NULL
) WITHOUT ROWID;
-- One row for each tool. accepted: JSON, the definition that may be used, who accepted it and when; NULL while it waits for an
-- operator. seen: JSON, the definition in the last list; NULL where that does not have it. place: in that list.
CREATE TABLE mcp_tools (
  server TEXT NOT NULL, name TEXT NOT NULL, accepted TEXT, seen TEXT, place INTEGER NOT NULL, PRIMARY KEY (server, name)
) WITHOUT ROWID;`;

/** The tools of one server, with those that have disappeared. */
const MAX_TOOLS = 512;

export function mcpPins(storage: DurableObjectStorage): McpPinsPort {
  const { sql } = storage;
  const change = async <T>(body: () => T): Promise<T> => storage.transactionSync(body);
  return {
    servers: async () => readServers(sql),
    noteList: (noted) => change(() => noteList(sql, noted)),
    noteFailure: (noted) => change(() => noteFailure(sql, noted)),
    accept: (acceptance) => change(() => accept(sql, acceptance)),
    forgetTool: (forgetting) => change(() => forgetTool(sql, forgetting)),
    forgetServer: (server) => change(() => forgetServer(sql, server)),
  };
}

type ServerRow = {
  name: string;
  url: string;
  era: string | null;
  listed: number | null;
  tried: number;
  error: string | null;
  left_out: string;
};

type ToolRow = { name: string; accepted: string | null; seen: string | null };

function readServers(sql: SqlStorage, name?: string): readonly KnownServer[] {
  const rows = sql.exec<ServerRow>(
    "SELECT name, url, era, listed, tried, error, left_out FROM mcp_servers WHERE ?1 IS NULL OR name = ?1 ORDER BY name",
    name ?? null,
  );
  return rows.toArray().map((row) => ({
    server: row.name,
    url: row.url,
    era: row.era as McpEra | null,
    listedAt: row.listed,
    triedAt: row.tried,
    error: row.error === null ? null : (JSON.parse(row.error) as ListFailure),
    tools: readTools(sql, row.name),
    leftOut: JSON.parse(row.left_out) as readonly LeftOut[],
  }));
}

function readTools(sql: SqlStorage, server: string): readonly KnownTool[] {
  const rows = sql.exec<ToolRow>(
    "SELECT name, accepted, seen FROM mcp_tools WHERE server = ? ORDER BY seen IS NULL, place, name",
    server,
  );
  return rows.toArray().map(({ name, accepted, seen }) => ({
    tool: name,
    accepted: accepted === null ? null : (JSON.parse(accepted) as AcceptedTool),
    seen: seen === null ? null : (JSON.parse(seen) as SeenTool),
  }));
}

const readServer = (sql: SqlStorage, name: string): KnownServer => {
  const [known] = readServers(sql, name);
  if (!known) throw new Error("a server was noted and is not there");
  return known;
};

function noteList(sql: SqlStorage, { server, list, newTools, at }: NotedList): KnownServer {
  const [before] = readServers(sql, server);
  // Two isolates may list at once: the later list counts.
  if (before?.listedAt != null && before.listedAt > at) return before;
  const known = new Set(before?.tools.map(({ tool }) => tool));
  const leftOut = [...list.leftOut];
  forgetList(sql, server);
  const waiting = new Set(before?.tools.flatMap(({ tool, accepted }) => (accepted === null ? tool : [])));
  // By the offered name: policies and people know an accepted tool by that.
  const own = new Map(
    before?.tools.flatMap(({ tool, accepted }) => (accepted ? [[mcpToolName(server, tool), tool]] : [])),
  );
  for (const [place, seen] of list.tools.entries()) {
    const { name } = seen.definition;
    const isAnother = (own.get(mcpToolName(server, name)) ?? name) !== name;
    if (!known.has(name) && known.size >= MAX_TOOLS) {
      leftOut.push({ tool: name, reason: `more than ${MAX_TOOLS} tools of this server were seen` });
      continue;
    }
    known.add(name);
    const waits = newTools === "wait" || seen.suspicious || waiting.has(name) || isAnother;
    const accepted = waits ? null : acceptedNow(seen, at, null);
    sql.exec(
      `INSERT INTO mcp_tools (server, name, accepted, seen, place) VALUES (?1, ?2, ?3, ?4, ?5)
       ON CONFLICT (server, name) DO UPDATE SET seen = ?4, place = ?5`,
      server,
      name,
      accepted && JSON.stringify(accepted),
      JSON.stringify(seen),
      place,
    );
  }
  sql.exec(
    `INSERT OR REPLACE INTO mcp_servers (name, url, era, listed, tried, error, left_out) VALUES (?1, ?2, ?3, ?4, ?4, NULL, ?5)`,
    server,
    list.url,
    list.era,
    at,
    JSON.stringify(leftOut.slice(0, 2 * MAX_TOOLS)),
  );
  return readServer(sql, server);
}

/** The accepted definitions stay. */
function forgetList(sql: SqlStorage, server: string): void {
  sql.exec("DELETE FROM mcp_tools WHERE server = ? AND accepted IS NULL", server);
  sql.exec("UPDATE mcp_tools SET seen = NULL WHERE server = ?", server);
}

const acceptedNow = ({ digest, definition }: SeenTool, at: number, by: string | null): AcceptedTool => ({
  digest,
  definition,
  at,
  by,
});

function noteFailure(sql: SqlStorage, { server, url, error, at }: NotedFailure): KnownServer {
  // A list of another address does not count.
  const [before] = readServers(sql, server);
  if (before && before.url !== url) {
    forgetList(sql, server);
    sql.exec("DELETE FROM mcp_servers WHERE name = ?", server);
  }
  sql.exec(
    `INSERT INTO mcp_servers (name, url, era, listed, tried, error, left_out) VALUES (?1, ?2, NULL, NULL, ?3, ?4, '[]')
     ON CONFLICT (name) DO UPDATE SET tried = MAX(tried, ?3), error = ?4`,
    server,
    url,
    at,
    JSON.stringify(error),
  );
  return readServer(sql, server);
}

function accept(sql: SqlStorage, { server, tool, digest, by, at }: McpAcceptance): "accepted" | "changed" | "unknown" {
  const [row] = sql.exec<ToolRow>(
    "SELECT name, accepted, seen FROM mcp_tools WHERE server = ? AND name = ?",
    server,
    tool,
  );
  if (!row) return "unknown";
  const seen = row.seen === null ? undefined : (JSON.parse(row.seen) as SeenTool);
  if (seen?.digest !== digest) return "changed";
  const before = row.accepted === null ? undefined : (JSON.parse(row.accepted) as AcceptedTool);
  if (before?.digest === digest) return "accepted";
  sql.exec(
    "UPDATE mcp_tools SET accepted = ? WHERE server = ? AND name = ?",
    JSON.stringify(acceptedNow(seen, at, by)),
    server,
    tool,
  );
  return "accepted";
}

/** A tool that is still listed is not deleted: its next list would make it new, and accept it unread. */
function forgetTool(sql: SqlStorage, { server, url, tool }: McpForgetting): "forgotten" | "listed" | "unknown" {
  const [known] = readServers(sql, server);
  const one = known?.tools.find((found) => found.tool === tool);
  if (!known || !one) return "unknown";
  if (known.url !== url || known.listedAt === null || stateOf(known, one) !== "gone") return "listed";
  sql.exec("DELETE FROM mcp_tools WHERE server = ? AND name = ?", server, tool);
  return "forgotten";
}

function forgetServer(sql: SqlStorage, server: string): boolean {
  const [known] = readServers(sql, server);
  sql.exec("DELETE FROM mcp_tools WHERE server = ?", server);
  sql.exec("DELETE FROM mcp_servers WHERE name = ?", server);
  return known !== undefined;
}
