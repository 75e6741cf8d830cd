/**
 * What the MCP SDK gets for its own `_shims` (`alias` in `wrangler.toml`). Its validator of results is not used, and its
 * schemas are made when they are needed, not all of them when it is loaded.
 */
export class DefaultJsonSchemaValidator {
  getValidator() {
    return (data: unknown) => ({ valid: true as const, data, errorMessage: undefined });
  }
}

/** Only browsers keep answers from who asked. */
export const CORS_IS_POSSIBLE = false;
