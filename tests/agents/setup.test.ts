// `loci setup` on the two agents that run in CI; tests/long/agents-setup.test.ts has all five.
import { tellSetupStory } from '../support/agents/setup-story.ts';

tellSetupStory([
  {
    name: 'Claude Code',
    connected: /loci: .*loci\.cjs mcp - ✔ Connected/,
    hears: true,
    decision: 'From now on we use pnpm instead of npm in this repo, because the lockfile is smaller.',
  },
  {
    name: 'Codex',
    connected: /^loci\s.*loci\.cjs mcp.*\benabled\b/m,
    hears: true,
    decision: 'We decided that invoices are rendered with Typst, because LaTeX took 9 seconds a page.',
  },
]);
