import { expect, test } from "vitest";
import * as problems from "../../src/http/problem.ts";

test("is OpenAI's error body", async () => {
  const response = problems.problemResponse(problems.badRequest("limit", "`limit` must be a number"));
  expect(response.status).toBe(400);
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  expect(await response.json()).toEqual({
    error: {
      message: "`limit` must be a number",
      type: "invalid_request_error",
      code: "invalid_value",
      param: "limit",
      docs: "docs/errors.md#invalid_value",
    },
  });
});

test("says null where no parameter is at fault", async () => {
  expect(await problems.problemResponse(problems.internal()).json()).toMatchObject({ error: { param: null } });
});

test("has the problem's own headers", () => {
  const response = problems.problemResponse(problems.tooManyRequests("rate_limited", "try again later", 7));
  expect(response.headers.get("retry-after")).toBe("7");
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
});
