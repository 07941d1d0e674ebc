// `loci setup` on all five agents that can be driven without a person.
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
  {
    name: 'Gemini CLI',
    connected: /loci: .*loci\.cjs mcp \(stdio\) - Connected/,
    hears: true,
    decision: 'Never deploy on a Friday, the billing team is away on weekends.',
  },
  {
    name: 'OpenCode',
    connected: /loci\s+(?:\S*)connected/,
    hears: true,
    decision: 'We decided to keep the event schema in Avro, because the consumers are written in Java.',
  },
  { name: 'Copilot CLI', connected: /loci \(local\)/, hears: true, decision: null },
]);
