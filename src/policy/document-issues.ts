/** How zod's findings in a document are told to the person who wrote it. Pure. */
import type { z } from "zod";
import { type PolicyIssue, pointer } from "./policy-issue.ts";

export function toIssues(issue: z.core.$ZodIssue): PolicyIssue[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: pointer([...issue.path, key]),
      message: "unknown setting, correct its spelling or remove it",
    }));
  }
  return [{ path: pointer(issue.path), message: issue.message }];
}

/** For `safeParse`. */
export const wording: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${issue.expected === "int" ? "a whole number" : `of type ${issue.expected}`}`;
    case "invalid_value":
      return `must be one of ${issue.values.map((value) => `\`${String(value)}\``).join(", ")}`;
    case "too_small":
      return `must be ${issue.minimum} or more${issue.origin === "number" || issue.origin === "int" ? "" : " long"}`;
    case "too_big":
      return `must be ${issue.maximum} or less${issue.origin === "number" || issue.origin === "int" ? "" : " long"}`;
    case "invalid_union":
      return "has none of the forms that are possible here";
    default:
      return undefined;
  }
};
