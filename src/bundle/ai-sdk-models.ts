/**
 * Replaces the AI SDK's models for extraction and for decisions (`alias` in `wrangler.toml`). No turn uses them, and each start would
 * read their 50 KB.
 */
export class Experimental_ExtractionLanguageModel {}
export class Experimental_DecisionLanguageModel {}
