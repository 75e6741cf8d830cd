-- Calls of one tool that were refused, or asked about: without it a list of them walks all calls of the tool, of which few are. A decision
-- that allows has no row here.
CREATE INDEX decisions_by_tool_effect ON decisions (tenant, tool, effect, at, id) WHERE effect <> 'allow';
