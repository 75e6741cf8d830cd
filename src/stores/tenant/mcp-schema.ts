/** The ledger's tables for MCP servers. This page is their storage schema. */

export const mcpTables = `
-- One row for each server that was asked, by its name in the policy. url: whose list it is. era: legacy or modern, NULL until
-- a list was read. listed: ms since epoch of the last list, NULL where none came; tried: of the last attempt. error: NULL, or
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
