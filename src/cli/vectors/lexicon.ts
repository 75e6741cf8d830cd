/** Which words get a vector. Pure. */

/** So frequent that they get one whatever WordNet says: pronouns and the like, which it leaves out. */
const always = 4000;

/** Words of talk and of screens, which news and dictionaries have seldom. */
const talk =
  "hi hello hey hiya howdy bye goodbye goodnight thanks thank yes yeah yep yup no nope nah ok okay please sorry cool great awesome wow lol hmm uh um gonna wanna gotta email emails app apps wifi login logout signup password passwords online offline username website url download upload laptop smartphone iphone android pin atm todo playlist timer reminder reminders google alexa siri chatbot ai bot gps pdf spreadsheet inbox voicemail selfie emoji unsubscribe refund refunds refunded cashback autopay mute unmute reset reboot restart sync backup".split(
    " ",
  );

/**
 * @param frequent by frequency. Words of other languages are left out on purpose: in an English encoder they are all alike, and
 * one would be as good as another; the pieces of the words speak for them.
 */
export function chosenWords(frequent: readonly string[], known: ReadonlySet<string>, count: number): string[] {
  const chosen = new Set<string>(talk.filter((word) => frequent.includes(word)));
  frequent.forEach((word, rank) => {
    if (chosen.size < count && (rank < always || stems(word).some((stem) => known.has(stem)))) chosen.add(word);
  });
  return [...chosen];
}

/** The forms that a dictionary may list it under. */
function stems(word: string): string[] {
  const forms = [word];
  for (const ending of ["s", "es", "ed", "d", "ing", "er", "r", "est", "st", "ly"]) {
    if (!word.endsWith(ending) || word.length - ending.length < 3) continue;
    const stem = word.slice(0, -ending.length);
    forms.push(stem, `${stem}e`);
    if (stem.endsWith("i")) forms.push(`${stem.slice(0, -1)}y`);
    if (stem.at(-1) === stem.at(-2)) forms.push(stem.slice(0, -1));
  }
  return forms;
}
