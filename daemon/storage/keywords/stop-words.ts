// Words that carry no subject. They are indexed, so that a query of nothing else still finds its text, but a query that has other words leaves them out:
// they would cost most of the time of a search and decide none of it.

const words = `
a an the this that these those
i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself it its itself they them their theirs themselves
who whom whose which what when where why how
am is are was were be been being do does did doing done have has had having can could will would shall should may might must
and or but nor so yet if then else than because while as until although though
of at by for with about against between into through during before after above below to from up down in out on off over under again further once
here there all any both each few more most other some such no not only own same too very just also ever even still
s t d m o ll re ve don didn doesn isn aren wasn weren hasn haven hadn couldn wouldn shouldn won ain
please tell know let got get
`;

/** English function words, lower case, with what an apostrophe leaves over (`don`, `t`). */
export const stopWords: ReadonlySet<string> = new Set(words.split(/\s+/).filter(Boolean));
