/** Unifies marks, groups of digits and line breaks that are written in several ways and name the same value. Pure. */
import { lazyRegExp } from "../../../lib/once.ts";

const plainMarks = lazyRegExp(
  String.raw`[\u2010\u2011]|(?<=\p{Nd})[\u2012\u2212](?=\p{Nd})|№|(?<=\bn)º(?=\s?\d)|(?<=\p{L})[\u2019\u02bc](?=\p{L})`,
  "giu",
);
const plainMarkOf = (mark: string): string => (/[№º]/.test(mark) ? "#" : /[\u2019\u02bc]/.test(mark) ? "'" : "-");

/**
 * Unifies what keyboards and mail programs make of hyphens, apostrophes, `#` and blanks within a number, in the form in which values are given.
 * Not in values: there they are look-alikes.
 */
export const withPlainMarks = (text: string): string =>
  text
    .replace(plainMarks(), plainMarkOf)
    .replace(/(?<=\d)[\u00a0\u202f\u2009](?=\d{3}(?!\d))/g, "")
    .replace(/(?<![\d.,]|\d )\d{1,3}(?: \d{3})+(?=,\d{2}(?!\d))/g, (number) => number.replaceAll(" ", ""))
    .replace(slashes, (run: string, at: number, all: string) => (isInFolder(all, at) ? "/" : run))
    .replace(groupedMoney(), (number) => number.replaceAll(" ", ""));

/** Only whole runs: to check each part of a long one would take minutes. */
const slashes = /(?<!\/)\/{2,}(?=[\p{L}\p{N}_.-])/gu;
const afterFolder = /(?<=(?:^|[\s"'\x60(“„«])(?:\.{1,2}\/|~\/|\/)?[\p{L}\p{N}_-][\p{L}\p{N}_/-]{0,60})/uy;

/** In a path that begins with a folder, two slashes are one. In a URL they may be another page. */
function isInFolder(text: string, at: number): boolean {
  afterFolder.lastIndex = at;
  return afterFolder.test(text);
}

/** `1 500 руб.` is one number: a currency follows, and no word before says that its beginning is another record's number. */
const groupedMoney = lazyRegExp(
  String.raw`(?<![\d.,\p{L}_/#№-]|\d |[#№] |(?:order|invoice|заказ\p{L}*|сч[её]т\p{L}*|zamówieni\p{L}*|faktur\p{L}*|rechnung|bestellung|commande|facture|pedido|ordine|number|nummer|nr|no)\.? )\d{1,3}(?: \d{3})+(?=\s?(?:[€₽₴₸]|(?:р|руб\p{L}*|грн|грив\p{L}*|zł|zł\p{L}*|pln|kč|czk|kr|sek|nok|dkk|kron\p{L}*|ft|huf|eur|euros?|евро)(?!\p{L})))`,
  "giu",
);

/** The lines of a postal address, as in a sentence. Lines of a mail's head, of a path or a URL stay as they are. */
export const onOneLine = (value: string): string =>
  /^[\p{L}\p{N}\p{M} .,'’-]+(?:\r?\n[\p{L}\p{N}\p{M} .,'’-]+){1,5}$/u.test(value)
    ? value.replace(/,? *\r?\n */g, ", ")
    : value;
