/**
 * Two arguments of one call that people write as one name: `acme-labs/website` gives the owner and the repository. Pure.
 *
 * Only the whole pair, as it is written, gives both: the owner of one name and the repository of another are no pair.
 */
import type { CallValue } from "./roles/argument-roles.ts";
import { nameWords } from "./roles/name-words.ts";
import type { Origin, Sources } from "./sources/sources.ts";

const OWNERS = new Set("owner org organization organisation".split(" "));
const OWNED = new Set("repo repository".split(" "));
const PART = /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u;

/** Where the written pair comes from that holds the value. @param values of the same call. */
export function pairOrigin(value: CallValue, values: readonly CallValue[], sources: Sources): Origin | undefined {
  const isOwner = isNamed(value, OWNERS);
  if (!isOwner && !isNamed(value, OWNED)) return undefined;
  const partners = values.filter(
    (one) =>
      isNamed(one, isOwner ? OWNED : OWNERS) && parentOf(one) === parentOf(value) && one.pointer !== value.pointer,
  );
  const [partner] = partners;
  if (!partner || partners.length > 1) return undefined;
  const [owner, repository] = isOwner ? [value.value, partner.value] : [partner.value, value.value];
  if (![owner, repository].every((part) => typeof part === "string" && PART.test(part))) return undefined;
  return sources.originOf(`${owner}/${repository}`);
}

const parentOf = ({ pointer }: CallValue): string => pointer.slice(0, pointer.lastIndexOf("/"));

/** `owner`, `repo_owner`, `repo`, `repo_name`: the first of these words that is known, an owner before what is owned. */
function isNamed({ pointer }: CallValue, names: ReadonlySet<string>): boolean {
  const words = nameWords(pointer.slice(pointer.lastIndexOf("/") + 1)).filter((word) => word !== "name");
  const isOwner = words.some((word) => OWNERS.has(word));
  return words.some((word) => names.has(word)) && isOwner === (names === OWNERS);
}
