/** The days of a month as words: `the eleventh`, `am elften`. Pure. */
import { once } from "../../../../lib/once.ts";

/** English and German, as days of a month; the first also in Spanish, French and Italian. */
const ORDINALS =
  "first,ersten,erster,primero,premier,primo second,zweiten third,dritten fourth,vierten fifth,fünften sixth,sechsten seventh,siebten eighth,achten ninth,neunten " +
  "tenth,zehnten eleventh,elften twelfth,zwölften thirteenth,dreizehnten fourteenth,vierzehnten fifteenth,fünfzehnten sixteenth,sechzehnten " +
  "seventeenth,siebzehnten eighteenth,achtzehnten nineteenth,neunzehnten twentieth,zwanzigsten twenty-first,einundzwanzigsten " +
  "twenty-second,zweiundzwanzigsten twenty-third,dreiundzwanzigsten twenty-fourth,vierundzwanzigsten twenty-fifth,fünfundzwanzigsten " +
  "twenty-sixth,sechsundzwanzigsten twenty-seventh,siebenundzwanzigsten twenty-eighth,achtundzwanzigsten twenty-ninth,neunundzwanzigsten " +
  "thirtieth,dreißigsten thirty-first,einunddreißigsten";
export const ordinals = once(
  () => new Map(ORDINALS.split(" ").flatMap((words, at) => words.split(",").map((word) => [word, at + 1] as const))),
);
