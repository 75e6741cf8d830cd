/**
 * Prints each failure of vitest's JSON report on one line, for a log of which only the end is kept, then `N passed, N failed`.
 * Arguments: the report's path, the exit code of `npm test`.
 */
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

/** What a property's failure was found with stands behind its stack, so both ends are kept. */
function line(text) {
  const flat = text.replace(/\s+/g, " ");
  return flat.length <= 3000 ? flat : `${flat.slice(0, 1500)} … ${flat.slice(-1500)}`;
}

const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = report();
for (const { name, message, assertionResults } of testResults) {
  if (message) console.log(`FAILED ${name}: ${line(message)}`);
  for (const { status, fullName, failureMessages } of assertionResults) {
    if (status === "failed") console.log(`FAILED ${name} > ${fullName}: ${line(failureMessages.join(" | "))}`);
  }
}
// A file that does not load has no failing test of its own.
const broken = testResults.filter(
  ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
).length;
const failed = Math.max(numFailedTests + broken, code === "0" ? 0 : 1);
const skipped = numPendingTests + numTodoTests;
console.log(`${numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
