/**
 * Prints each failure of vitest's JSON report on one line, for a log of which only the end is kept, then `N passed, N failed`.
 * Arguments: the report's path, the exit code of `npm test`, and whether tests in a browser are `required` or `optional`.
 * Ends with 0 where nothing failed.
 */
import { readFileSync } from "node:fs";

const [path, code, browser] = process.argv.slice(2);

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
const inBrowser = testResults
  .filter(({ name }) => name.includes("/test/browser/"))
  .flatMap(({ assertionResults }) => assertionResults);
const unseen = inBrowser.filter(({ status }) => status === "skipped" || status === "pending").length;
const missed = browser === "required" ? unseen : 0;
if (missed > 0) console.log(`FAILED ${missed} tests in a browser were skipped, though there is one or apt-get has one`);
else if (unseen > 0)
  console.log(`SKIPPED ${unseen} tests in a browser: there is no chromium, and none can be installed here`);
const failed = Math.max(numFailedTests + broken + missed, code === "0" ? 0 : 1);
const skipped = numPendingTests + numTodoTests - missed;
console.log(`${numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed > 0 ? 1 : 0;
