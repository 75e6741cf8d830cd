/** Secrets of the gateway and of its tools, which no record may hold. */

export const UPSTREAM_KEY = "sk-study-upstream-41d0";
export const TOOL_TOKEN = "study-secret-7c1e";
