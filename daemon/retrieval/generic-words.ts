// Words that every prompt of a programmer may hold and that name no subject: languages, data types, the verbs of the work. That a memory
// holds one of them says nothing; that it holds one of the others does. In a small store a word's rarity cannot tell them apart.

const words = `
python javascript typescript java kotlin swift rust golang ruby php perl scala haskell html css bash shell linux windows mac
code coding program programming script function functions method methods class classes object objects module modules package packages
library file files folder directory path line lines list lists array arrays string strings str dict dictionary map tuple number numbers
int integer float boolean char character characters byte bytes text word words value values variable variables key keys index type types
data element elements item items column columns row rows table attribute attributes field fields parameter parameters argument arguments
name names size length default empty null none true false system systems
set add remove delete create make created made write read print return returns returned convert change check find use used using call run
running show display test tests sort count replace split join copy open close load save store parse format generate build implement
refactor rename update fix fixed handle start stop move put look give take work works working need want help try keep go
error errors exception bug issue problem example examples way ways best good new old first last next current same different multiple single
two one three part thing things something anything without via
ok yes thanks continue lgtm hello hi wait
`;

/** Lower case. */
export const genericWords: ReadonlySet<string> = new Set(words.split(/\s+/).filter(Boolean));
