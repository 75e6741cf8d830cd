/** Reads and compiles a policy document, once for the same document. */
import { type CompiledPolicy, compilePolicy } from "../../policy/compile.ts";
import { type PolicyIssue, readPolicyDocument } from "../../policy/document/document.ts";
import { policyDigest } from "../../stores/policies/policy-source.ts";
import { ToolgateError } from "./toolgate-error.ts";

/** A program may make a toolgate for each request, from the same few documents. */
const MAX_COMPILED = 50;
const compiled = new Map<string, CompiledPolicy>();

/** Throws if the document is not valid, with every error. */
export function compiledPolicy(document: unknown): CompiledPolicy {
  const digest = policyDigest(document);
  const known = compiled.get(digest);
  if (known) return known;
  const read = readPolicyDocument(document);
  if (!read.ok) throw invalid(read.error);
  const policy = compilePolicy(read.value, digest);
  if (!policy.ok) throw invalid(policy.error);
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(digest, policy.value);
  return policy.value;
}

const invalid = (issues: readonly PolicyIssue[]): ToolgateError =>
  new ToolgateError(
    `the policy is not valid:\n${issues.map(({ path, message }) => `  ${path === "" ? "/" : path}: ${message}`).join("\n")}`,
    "policy_invalid",
  );
