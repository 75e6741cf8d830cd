/**
 * Aho–Corasick: all occurrences of many words in one pass over a text, in time linear in the text and what is found. Pure.
 * Nodes and edges are kept in typed arrays: ten thousand keywords are built in some milliseconds and weigh a few megabytes.
 */
export interface Automaton {
  /** Calls back for every occurrence, with the word's number and the indices of its first unit and behind its last. */
  scan(text: string, found: (word: number, start: number, end: number) => void): void;
}

const none = -1;
const space = 32;

/** Any white space is the space of a word, however long it is: "write  down", also at the end of a line. */
const isSpace = (unit: number) => unit === 32 || (unit >= 9 && unit <= 13);

/** @param words each once, none empty, each run of spaces in them a single one. */
export function buildAutomaton(words: readonly string[]): Automaton {
  const trie = buildTrie(words);
  const links = link(trie);
  return { scan: (text, found) => scan(trie, links, words, text, found) };
}

interface Trie {
  readonly edges: Edges;
  readonly parent: Int32Array;
  readonly unit: Uint16Array;
  readonly depth: Int32Array;
  /** Number of the word that ends here, or `none`. */
  readonly word: Int32Array;
  readonly size: number;
}

interface Links {
  /** Node of the longest proper suffix. */
  readonly fail: Int32Array;
  /** Next node on the suffix path where a word ends. */
  readonly output: Int32Array;
}

/** Edges by node and unit, with open addressing: a node has few edges, and a dense table of all units would be huge. */
interface Edges {
  readonly keyNode: Int32Array;
  readonly keyUnit: Uint16Array;
  readonly target: Int32Array;
  readonly mask: number;
}

function slotOf(edges: Edges, node: number, unit: number): number {
  let slot = (Math.imul(node, 0x9e3779b1) ^ Math.imul(unit + 1, 0x85ebca6b)) >>> 0;
  slot = (slot ^ (slot >>> 15)) & edges.mask;
  while (edges.keyNode[slot] !== none && !(edges.keyNode[slot] === node && edges.keyUnit[slot] === unit)) {
    slot = (slot + 1) & edges.mask;
  }
  return slot;
}

function buildTrie(words: readonly string[]): Trie {
  const most = 1 + words.reduce((sum, word) => sum + word.length, 0);
  const slots = 2 ** Math.ceil(Math.log2(most * 2 + 2));
  const edges: Edges = {
    keyNode: new Int32Array(slots).fill(none),
    keyUnit: new Uint16Array(slots),
    target: new Int32Array(slots),
    mask: slots - 1,
  };
  const parent = new Int32Array(most);
  const unit = new Uint16Array(most);
  const depth = new Int32Array(most);
  const ends = new Int32Array(most).fill(none);
  let size = 1;
  words.forEach((word, number) => {
    let node = 0;
    for (let at = 0; at < word.length; at += 1) {
      const code = word.charCodeAt(at);
      const slot = slotOf(edges, node, code);
      if (edges.keyNode[slot] === none) {
        edges.keyNode[slot] = node;
        edges.keyUnit[slot] = code;
        edges.target[slot] = size;
        parent[size] = node;
        unit[size] = code;
        depth[size] = at + 1;
        size += 1;
      }
      node = edges.target[slot] ?? 0;
    }
    ends[node] = number;
  });
  return { edges, parent, unit, depth, word: ends, size };
}

function step(edges: Edges, fail: Int32Array, from: number, unit: number): number {
  let node = from;
  for (;;) {
    const slot = slotOf(edges, node, unit);
    if (edges.keyNode[slot] !== none) return edges.target[slot] ?? 0;
    if (node === 0) return 0;
    node = fail[node] ?? 0;
  }
}

function link(trie: Trie): Links {
  const fail = new Int32Array(trie.size);
  const output = new Int32Array(trie.size).fill(none);
  for (const node of byDepth(trie)) {
    const parent = trie.parent[node] ?? 0;
    const suffix = parent === 0 ? 0 : step(trie.edges, fail, fail[parent] ?? 0, trie.unit[node] ?? 0);
    fail[node] = suffix;
    output[node] = trie.word[suffix] === none ? (output[suffix] ?? none) : suffix;
  }
  return { fail, output };
}

/** All nodes but the root, the shallow ones first: a suffix is shorter than what it is a suffix of. */
function byDepth({ depth, size }: Trie): Int32Array {
  const deepest = depth.reduce((most, one) => Math.max(most, one), 0);
  const next = new Int32Array(deepest + 2);
  for (let node = 1; node < size; node += 1) next[(depth[node] ?? 0) + 1] = (next[(depth[node] ?? 0) + 1] ?? 0) + 1;
  for (let at = 1; at < next.length; at += 1) next[at] = (next[at] ?? 0) + (next[at - 1] ?? 0);
  const order = new Int32Array(size - 1);
  for (let node = 1; node < size; node += 1) {
    const at = depth[node] ?? 0;
    order[next[at] ?? 0] = node;
    next[at] = (next[at] ?? 0) + 1;
  }
  return order;
}

function scan(
  trie: Trie,
  links: Links,
  words: readonly string[],
  text: string,
  found: Parameters<Automaton["scan"]>[1],
): void {
  /** Index in the text of each unit that was read: of a run of spaces only the first is. */
  const read = new Int32Array(text.length);
  let count = 0;
  let node = 0;
  let wasSpace = false;
  for (let at = 0; at < text.length; at += 1) {
    const raw = text.charCodeAt(at);
    const unit = isSpace(raw) ? space : raw;
    if (unit === space && wasSpace) continue;
    wasSpace = unit === space;
    read[count] = at;
    count += 1;
    node = step(trie.edges, links.fail, node, unit);
    for (
      let hit = trie.word[node] === none ? links.output[node] : node;
      hit !== undefined && hit !== none;
      hit = links.output[hit]
    ) {
      const word = trie.word[hit] ?? 0;
      found(word, read[count - (words[word]?.length ?? 0)] ?? 0, at + 1);
    }
  }
}
