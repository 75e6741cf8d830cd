/** Prints `N passed, N failed` from vitest's JSON report. Arguments: the report's path, the exit code of `npm test`. */
import { readFileSync } from "node:fs";

const [path, code] = process.argv.slice(2);

function report() {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    // Format, lint or types failed before a test ran.
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };
  }
}

const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = report();
// A file that does not load has no failing test of its own.
const broken = testResults.filter(
  ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
).length;
const failed = Math.max(numFailedTests + broken, code === "0" ? 0 : 1);
const skipped = numPendingTests + numTodoTests;
console.log(`${numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
