/** Names of months: English whole and short; German, French, Spanish, Italian and Portuguese whole. */

const names: readonly (readonly string[])[] = [
  ["january", "jan", "januar", "jänner", "janvier", "enero", "gennaio", "janeiro"],
  ["february", "feb", "februar", "février", "febrero", "febbraio", "fevereiro"],
  ["march", "mar", "märz", "mars", "marzo", "março"],
  ["april", "apr", "avril", "abril", "aprile"],
  ["may", "mai", "mayo", "maggio", "maio"],
  ["june", "jun", "juni", "juin", "junio", "giugno", "junho"],
  ["july", "jul", "juli", "juillet", "julio", "luglio", "julho"],
  ["august", "aug", "août", "agosto"],
  ["september", "sept", "sep", "septembre", "septiembre", "settembre", "setembro"],
  ["october", "oct", "oktober", "octobre", "octubre", "ottobre", "outubro"],
  ["november", "nov", "novembre", "noviembre", "novembro"],
  ["december", "dec", "dezember", "décembre", "diciembre", "dicembre", "dezembro"],
];

const numbers = new Map(names.flatMap((month, index) => month.map((name) => [name, index + 1] as const)));

/** Words of their own as well: written small, and without a year, they are taken for those. */
const AMBIGUOUS = new Set(["march", "mar", "mars", "may", "mai", "jan", "dec", "sep", "jun", "nov"]);

/** Any of the names, the longer ones first. */
export const MONTH_SOURCE = [...numbers.keys()].sort((a, b) => b.length - a.length).join("|");

export const monthNumber = (name: string): number | undefined => numbers.get(name.toLowerCase());

export const isSurelyMonth = (name: string): boolean => !AMBIGUOUS.has(name);
