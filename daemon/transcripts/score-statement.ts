// What is worth keeping of a session: decisions, preferences, fixes, facts. Scored by the words people use for them, so that the same
// transcript always gives the same memories, and no model is asked. A statement must clear the bar by what it says, not by its length:
// most of a session is narration of work, which the penalties catch.

export type StatementKind = 'decision' | 'preference' | 'fix' | 'fact';

export type ScoredStatement = { readonly kind: StatementKind; readonly score: number };

type Cue = { readonly points: number; readonly pattern: RegExp; readonly only?: 'user' };

const cues: Readonly<Record<StatementKind, readonly Cue[]>> = {
  decision: [
    {
      points: 4,
      pattern:
        /\b(?:we|i|you|they)(?:'ve| have| had|'ll| will| all| both| finally)* (?:decided|agreed|settled|chose|picked|opted|concluded|ruled out)\b/i,
    },
    { points: 4, pattern: /\b(?:the |our |final )?decision(?: is| was| to|:)/i },
    {
      points: 3,
      pattern:
        /\b(?:let'?s|we(?:'ll| will| should| shall)?) (?:use|go with|stick (?:with|to)|switch(?:ed)? to|keep|adopt(?:ed)?|mov(?:e|ed) to|standardi[sz]e on|drop(?:ped)?|avoid)\b/i,
    },
    { points: 3, pattern: /\b(?:from now on|going forward|as of (?:today|now))\b/i },
    {
      points: 3.5,
      pattern:
        /\b(?:chosen|selected|adopted|rejected|deprecated|replaced|preferred) (?:because|over|in favou?r of|for|by|due to)\b/i,
    },
    { points: 2, pattern: /\b(?:instead of|rather than|in favou?r of|over using)\b/i },
    // a contrast: `use pnpm, not npm`
    { points: 2.5, pattern: /[,;] (?:and )?(?:not|never|no) \w/i },
    { points: 2.5, pattern: /^(?:keep|leave|set|pin|cap) (?:the |our )?[\w /-]{3,40} (?:at|to|on|below|under) /i },
  ],
  preference: [
    { points: 5, pattern: /^(?:please )?remember(?: that|:|,)/i, only: 'user' },
    {
      points: 3.5,
      pattern: /\b(?:i|we) (?:strongly |really |always |usually )?(?:prefer|hate|dislike|insist)\b/i,
      only: 'user',
    },
    {
      points: 3,
      pattern:
        /\b(?:i|we) (?:really |always )?(?:like|want|love) (?:all|every|no|my|our|you to (?:always|never)|having|using|when)\b/i,
      only: 'user',
    },
    {
      points: 3.5,
      pattern: /(?:^|[,;:] )(?:please )?(?:always (?!happy|glad|welcome)|never (?!mind))\w/i,
      only: 'user',
    },
    {
      points: 3,
      pattern:
        /\b(?:don'?t|do not) (?:ever )?(?:use|add|write|commit|push|touch|create|put|mock|rename|format|squash|amend|deploy|rebase)\b/i,
      only: 'user',
    },
    {
      points: 3,
      pattern: /\bmy (?:preferred|favou?rite|editor|shell|time ?zone|name|keyboard|team|usual)\b/i,
      only: 'user',
    },
    {
      points: 3.5,
      pattern: /\b(?:user|client|customer|team|boss|product owner) (?:prefers|wants|likes|dislikes|insists|expects)\b/i,
    },
  ],
  fix: [
    { points: 4, pattern: /\b(?:the )?root cause\b/i },
    {
      points: 3.5,
      pattern:
        /\b(?:bug|problem|issue|error|failure|crash|leak|culprit|flak(?:e|iness)|regression|hang|deadlock)s? (?:was|were|came from|happened|occurred)\b/i,
    },
    { points: 2, pattern: /\b(?:bug|problem|issue|error|failure|crash|leak|culprit)s? (?:is|happens|occurs)\b/i },
    { points: 3, pattern: /\b(?:caused by|turned out|turns out|was because|came down to)\b/i },
    {
      points: 3.5,
      pattern:
        /\b(?:the (?:fix|workaround|solution)\b|fixed (?:by|it by|this by|with)|solved by|resolved by|worked around)/i,
    },
  ],
  fact: [
    {
      points: 4,
      pattern:
        /\b(?:note that|for the record|for future reference|keep in mind|fyi)\b|^(?:note|important|caveat|gotcha):/i,
    },
    {
      points: 3,
      pattern:
        /\bwe(?:'re| are) (?:using|running|on|pinned)\b|\bwe (?:use|deploy|run|store|keep|ship|release|test|build|host|log|cache|pin|publish)\b/i,
    },
    {
      points: 2.5,
      pattern:
        /\b(?:lives?|runs?|listens?|sits?|stored|located|defined|configured|hosted|deployed|kept|documented|pinned) (?:in|on|at|under|by|behind|with|to|via|every)\b/i,
    },
    {
      points: 2,
      pattern:
        /\b(?:requires?|depends on|must|has to|only works|needs?|supports?|expects?|defaults? to|(?:limited|restricted|capped) to|deprecated)\b/i,
    },
    { points: 1.5, pattern: /^(?:the|our|production|staging|all) [\w\s./`'-]{2,50} (?:is|are|uses?|has|have)\b/i },
  ],
};

/** What makes a statement of any kind worth more: a reason, a name that can be looked up, a number with a meaning. */
const bonuses: readonly Cue[] = [
  { points: 1.5, pattern: /\b(?:because|so that|due to|otherwise|in order to|the reason)\b/i },
  {
    points: 1,
    pattern:
      /`[^`]{2,60}`|\b[\w-]+(?:\/[\w.-]+)+\b|\b\w+\.(?:ts|js|py|go|rs|java|rb|toml|ya?ml|json|sql|sh|md)\b|\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w+\b/,
  },
  {
    points: 0.75,
    pattern: /\bport \d{2,5}\b|\bv?\d+\.\d+(?:\.\d+)?\b|\b\d+ ?(?:ms|s|seconds|minutes|hours|days|MB|GB|KB|%)\b/i,
  },
  { points: 1, pattern: /\bin this (?:repo|repository|project|codebase|app)\b|\bhere(?=[,.;]|$)/i },
  { points: 0.5, pattern: /\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b|\b[A-Z]{3,}\b|\b(?:Postgre|My)?SQL\b/ },
];

const penalties: readonly Cue[] = [
  { points: 6, pattern: /\?["')\]]*$/ },
  {
    points: 5,
    pattern:
      /^(?:ok(?:ay)?[,. ]+|now[, ]+|next[, ]+|first[, ]+|then[, ]+|so[, ]+|alright[, ]+)?(?:let me|let'?s (?:see|check|look|start|try|run|do|first|now|take|verify|make sure)|i(?:'ll| will| need to| should| want to see|'m going to| am going to|'m now|'ve now|'d)\b|looking at|checking|running|reading|searching)/i,
  },
  {
    points: 4,
    pattern:
      /^(?:sure|great|perfect|thanks|thank you|done|yes|no|good|nice|sorry|hi|hello|excellent|got it|understood|you'?re right|absolutely)\b/i,
  },
  {
    points: 2.5,
    pattern:
      /\b(?:maybe|perhaps|might|probably|not sure|i think|i guess|could be|possibly|seems?|looks? like|presumably|wondering|if you (?:want|like|prefer))\b/i,
  },
  {
    points: 2,
    pattern:
      /\b(?:right now|at the moment|just now|so far|todo|above|below|the following|here(?:'s| is| are)|as you can see|this (?:session|turn|message|conversation|time))\b/i,
  },
  {
    points: 2,
    pattern:
      /\b(?:tests?|checks?|build) (?:all )?(?:pass|passes|passed|are passing|is green|succeeded)\b|\ball green\b/i,
  },
  {
    points: 2,
    pattern: /^(?:it(?! (?:turned|turns) out)|this|that|these|those|they|he|she|there|which|and|but|here)\b/i,
  },
  { points: 2, pattern: /\[redacted: / },
];

/** A wish for now and no rule for later; `always` and its kin take the penalty back. */
const errand =
  /^(?:please |can you |could you |now |then |also |go |just )*(?:add|fix|run|write|create|show|make|implement|refactor|update|check|look|find|explain|open|remove|delete|change|rename|try|do|give|tell|list|read|continue|use|move|put|install|build|test|deploy|review|commit|push|save|search|call)\b/i;
const rule =
  /[,;] (?:and )?(?:not|never|no) \w|\b(?:always|never|from now on|going forward|every time|whenever|in future|remember)\b/i;

/** From here on a statement is kept. */
export const keepFrom = 3.5;

/** The best reading of a statement; null where it is not worth keeping. */
export function scoreStatement(text: string, role: 'user' | 'assistant'): ScoredStatement | null {
  const points = (list: readonly Cue[]): number =>
    list.reduce(
      (sum, { points, pattern, only }) =>
        sum + (only !== undefined && only !== role ? 0 : pattern.test(text) ? points : 0),
      0,
    );
  let best: { kind: StatementKind; points: number } | null = null;
  for (const kind of kinds) {
    const found = points(cues[kind]);
    if (found > (best?.points ?? 0)) best = { kind, points: found };
  }
  if (best === null) return null;
  const isErrand = errand.test(text) && !rule.test(text);
  const said = role === 'user' ? 0.75 : 0;
  const score = best.points + points(bonuses) + said - points(penalties) - (isErrand ? 4 : 0);
  return score >= keepFrom ? { kind: best.kind, score: Math.round(score * 100) / 100 } : null;
}

/** At equal points the first reading holds. */
const kinds: readonly StatementKind[] = ['decision', 'preference', 'fix', 'fact'];
