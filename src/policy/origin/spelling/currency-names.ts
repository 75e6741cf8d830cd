/** Names and signs of currencies as people write them with an amount: `€300`, `80 pounds`, `128元`. Pure. */
import { lazyRegExp, once } from "../../../lib/once.ts";

/** Only signs and names of one currency: dollars, kronor and pesos are several. */
export const CURRENCIES: Readonly<Record<string, string>> = {
  eur: "€|euros?|евро|欧元|ユーロ|유로",
  gbp: "£|pounds?(?: sterling)?|quid|英镑|ポンド",
  jpy: "円|yen|日元",
  krw: "₩|원|won",
  cny: "元|人民币|块|rmb|yuan",
  rub: "₽|руб(?:л[ьяей]{1,2})?\\.?|рубл(?:ей|я|ь)",
  inr: "₹|rupees?",
  pln: "zł|złotych|złote|zloty",
  chf: "franken|francs suisses|fr\\.|瑞士法郎",
  uah: "₴|грн|гривен|гривн[аиу]",
};
const LETTER = String.raw`[^\P{L}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]`;

const patterns = once(
  () =>
    new Map(
      Object.entries(CURRENCIES).map(([code, names]) => {
        const after = String.raw`(?:\d|\d[.,]\s?-{1,2}|[万萬千百만천])\s?(?:${names})(?!${LETTER})`;
        const [sign = ""] = names.split("|");
        return [code, lazyRegExp(/\p{Sc}/u.test(sign) ? String.raw`${after}|${sign}\s?\d` : after, "u")];
      }),
    ),
);

/** Whether a text names a currency beside an amount. @param code three letters, in lower case. @param text folded. */
export const namesCurrency = (text: string, code: string): boolean => patterns().get(code)?.().test(text) === true;

export const isNamedCurrency = (code: string): boolean => Object.hasOwn(CURRENCIES, code);
