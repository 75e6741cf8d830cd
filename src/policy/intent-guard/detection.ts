/** What `intentGuard` makes of the document's `detection`. Pure. Source: reference/intent-guard.md, 4. */
import type { PolicyDocument } from "../document/document-schema.ts";

/** With `detector: "model"` the model is asked last, and where nothing is found the user wants something `general`. */
export function guardedDetection({ detection, intentGuard }: PolicyDocument): PolicyDocument["detection"] {
  if (!intentGuard?.enabled) return detection;
  const asksModel = intentGuard.detector === "model" && !detection.layers.includes("model");
  return {
    ...detection,
    layers: asksModel ? [...detection.layers, "model"] : detection.layers,
    fallback: detection.fallback ?? "general",
  };
}
