/**
 * `npm run operator-key -- [tenant]`: the first operator's key of a deployment, which no other key could make. Prints the
 * token, and the command that stores its hash in KV; it stores nothing itself.
 */
import { operatorKey } from "./first-operator.ts";

const made = await operatorKey(process.argv[2] ?? "default", Date.now());

if (!made.ok) {
  console.error(made.error);
  process.exitCode = 1;
} else {
  console.log(`token (shown once, keep it secret): ${made.value.token}`);
  console.log("it opens once this has run:");
  console.log(made.value.command);
}
