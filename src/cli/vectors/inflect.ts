/** Regular and the commonest irregular English verb forms. Pure. */
const pasts: Readonly<Record<string, string>> = Object.fromEntries(
  "be been,have had,do done,go gone,get gotten,make made,take taken,give given,find found,tell told,put put,set set,send sent,spend spent,buy bought,sell sold,pay paid,lose lost,break broken,steal stolen,write written,read read,know known,see seen,hear heard,keep kept,leave left,let let,lend lent,mean meant,meet met,run run,say said,show shown,speak spoken,stand stood,think thought,understand understood,win won,wear worn,drive driven,eat eaten,drink drunk,fly flown,forget forgotten,grow grown,hide hidden,hold held,hurt hurt,build built,bring brought,catch caught,choose chosen,come come,cost cost,cut cut,draw drawn,fall fallen,feel felt,fight fought,freeze frozen,hit hit,lead led,learn learned,ride ridden,ring rung,rise risen,sing sung,sit sat,sleep slept,swim swum,teach taught,throw thrown,wake woken,begin begun,bet bet,bite bitten,blow blown,burn burned,shut shut,split split,spread spread,quit quit"
    .split(",")
    .map((pair) => pair.split(" ")),
);

const doubles = (verb: string) => /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(verb);

export function participle(verb: string): string {
  if (Object.hasOwn(pasts, verb)) return pasts[verb] ?? verb;
  if (verb.endsWith("e")) return `${verb}d`;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  return doubles(verb) ? `${verb}${verb.at(-1)}ed` : `${verb}ed`;
}

export function progressive(verb: string): string {
  if (verb.endsWith("ie")) return `${verb.slice(0, -2)}ying`;
  if (/[^eoy]e$/.test(verb)) return `${verb.slice(0, -1)}ing`;
  return doubles(verb) ? `${verb}${verb.at(-1)}ing` : `${verb}ing`;
}
