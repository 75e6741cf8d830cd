/** OpenAI's routes, below `/v1`, that go to the upstream unchanged: no model answers there with calls, so there is nothing to vet. */
export const PASSED_PATHS = [
  "/embeddings",
  "/moderations",
  "/images/generations",
  "/images/edits",
  "/images/variations",
  "/audio/speech",
  "/audio/transcriptions",
  "/audio/translations",
] as const;
