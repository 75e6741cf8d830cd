import { describe, expect, it } from "vitest";
import type { Detection } from "../../../src/intent/detection.ts";
import { canonicalJson } from "../../../src/lib/json/canonical-json.ts";
import { recordDetection } from "../../../src/turn/record/recorded-detection.ts";

const SECRET = "my-secret-words";
const detection: Detection = {
  intents: [
    {
      name: "TAKE_NOTE",
      confidence: 1,
      layer: "keywords",
      evidence: [
        { layer: "keywords", source: "note", text: SECRET, at: 7 },
        { layer: "model", source: `the user says ${SECRET}`, text: SECRET, at: 0 },
      ],
    },
  ],
  discounted: [
    {
      name: "QUIZ",
      confidence: 0,
      layer: "keywords",
      evidence: [{ layer: "keywords", source: "quiz", text: SECRET, at: 2, discounted: "negated" }],
    },
  ],
  followUp: false,
  mayFollowUp: false,
  keepsTask: false,
  afterQuestion: false,
  selectAt: 0.9,
  entities: [
    { name: "topic", value: "verbs", text: SECRET, at: 3, redact: false },
    { name: "email", value: SECRET, text: SECRET, at: 4, redact: true },
    { name: "count", value: 5, text: SECRET, at: 5, redact: false },
  ],
  missed: ["semantic"],
};

describe("a detection in the record", () => {
  it("holds no words of the message unless they are given", () => {
    expect(recordDetection(detection, true)).not.toHaveProperty("message");
    const kept = { message: "mail …", words: [{ text: "mail …" }] };
    expect(recordDetection(detection, true, [], kept)).toMatchObject(kept);
  });

  it("says what the policy has and where it was met, and of what is redacted only that it was there", () => {
    expect(recordDetection(detection, true)).toEqual({
      intents: [
        {
          name: "TAKE_NOTE",
          confidence: 1,
          layer: "keywords",
          evidence: [
            { layer: "keywords", source: "note", at: 7 },
            { layer: "model", source: "", at: 0 },
          ],
        },
      ],
      discounted: [
        {
          name: "QUIZ",
          confidence: 0,
          layer: "keywords",
          evidence: [{ layer: "keywords", source: "quiz", at: 2, discounted: "negated" }],
        },
      ],
      followUp: false,
      selectAt: 0.9,
      entities: [
        { name: "topic", value: "verbs", at: 3 },
        { name: "email", value: null, at: 4 },
        { name: "count", value: 5, at: 5 },
      ],
      missed: ["semantic"],
    });
  });

  it("holds nothing of what the user wrote where the policy keeps no arguments", () => {
    const text = JSON.stringify(recordDetection(detection, false));
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain("verbs");
  });

  it("is bounded, and is JSON whatever the message holds", () => {
    const intent = detection.intents[0] as Detection["intents"][number];
    const evidence = Array.from({ length: 1000 }, () => ({
      layer: "patterns" as const,
      source: "\ud83d\ude00".repeat(5000).slice(1),
      text: "",
      at: 0,
    }));
    const entity = { name: "topic", value: `x${"\ud83d\ude00".repeat(5000)}`, text: "", at: 0, redact: false };
    const large = recordDetection(
      {
        ...detection,
        intents: Array.from({ length: 1000 }, () => ({ ...intent, evidence })),
        entities: Array.from({ length: 10_000 }, () => entity),
      },
      true,
    );
    expect(canonicalJson(large).length).toBeLessThan(256 * 1024);
  });
});
