/**
 * Replaces the MCP SDK's own `_shims` (`alias` in `wrangler.toml`). Its validator of results is not used, and its schemas
 * are made when they are needed, not all at load time.
 */
export class DefaultJsonSchemaValidator {
  getValidator() {
    return (data: unknown) => ({ valid: true as const, data, errorMessage: undefined });
  }
}

/** Only browsers enforce CORS. */
export const CORS_IS_POSSIBLE = false;
