// Who may know whom. A rule that only a document holds is broken by the first hurried change; these fail on it.
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSources, roomOf, type SourceFile } from './support/source-tree.ts';

type Edges = { readonly may: readonly string[]; readonly because: string };

const ground = ['shared', 'daemon/kernel'];
const engine = [
  ...ground,
  'daemon/storage',
  'daemon/embeddings',
  'daemon/retrieval',
  'daemon/secrets',
  'daemon/trust',
  'daemon/llm',
  'daemon/transcripts',
  'daemon/jobs',
];

/** Rooms by feature, lowest first: each may use the doors of those before it. */
const rooms = [
  'daemon/users',
  'daemon/policies',
  'daemon/activity',
  'daemon/projects',
  'daemon/memories',
  'daemon/hooks',
  'daemon/things',
  'daemon/graph',
  'daemon/documents',
  'daemon/code-artifacts',
  'daemon/files',
  'daemon/skills',
  'daemon/plans',
];

const wholeStore = ['daemon/scrub', 'daemon/backups', 'daemon/re-embedding', 'daemon/transfer', 'daemon/health'];

/** Places that are entered by their index.ts alone; of the others each file may be imported. */
const withDoor = [...rooms, ...wholeStore, 'daemon/jobs', 'daemon/http', 'daemon/mcp', 'daemon/page', 'clients/agents'];

/** What each place may import beside itself. A place that is missing here fails, so that a new one is placed on purpose. */
const edges: Readonly<Record<string, Edges>> = {
  shared: { may: [], because: 'it is the language of both sides; what it knew, every client would load' },
  'daemon/kernel': { may: ['shared'], because: 'everything stands on it' },
  'daemon/lifecycle': { may: ground, because: 'the lock is taken before anything heavy is loaded' },
  'daemon/storage': { may: ground, because: 'storage knows rows, never what they mean' },
  'daemon/embeddings': { may: ground, because: 'a model turns text into numbers and knows no row' },
  'daemon/retrieval': {
    may: [...ground, 'daemon/storage', 'daemon/embeddings'],
    because: 'it knows ids and numbers, never rooms',
  },
  'daemon/secrets': { may: ground, because: 'whoever stores text asks it, so it may know nobody' },
  'daemon/trust': { may: ground, because: 'it judges a text, whoever keeps it' },
  'daemon/llm': {
    may: [...ground, 'daemon/storage', 'daemon/embeddings'],
    because: 'it asks a server as the embedding providers do, and knows no memory',
  },
  'daemon/transcripts': {
    may: [...ground, 'daemon/secrets'],
    because: 'it reads what agents wrote and judges it; what is stored already, others know',
  },
  'daemon/jobs': { may: [...ground, 'daemon/storage'], because: 'rooms bring their jobs; the scheduler knows none' },
  'daemon/http': { may: ground, because: 'it is a loop over the registry: a new operation needs no edit here' },
  'daemon/page': { may: ground, because: 'it knows who looks at the page, never what is shown there' },
  'daemon/mcp': { may: ground, because: 'it is a loop over the registry: a new operation needs no edit here' },
  ...Object.fromEntries(
    rooms.map((room, index) => [
      room,
      {
        may: [...engine, ...rooms.slice(0, index)],
        because: 'a room uses the doors of rooms below it, so there is no cycle',
      },
    ]),
  ),
  ...Object.fromEntries(
    wholeStore.map((room) => [
      room,
      { may: [...engine, 'daemon/lifecycle', ...rooms], because: 'work on the whole store looks into every room' },
    ]),
  ),
  clients: {
    may: ['clients/mcp-shim', 'clients/hooks'],
    because: 'the dispatcher holds what must start as fast as an empty program',
  },
  'clients/connect': { may: ['shared'], because: 'every client stands on it' },
  'clients/service': { may: ['shared', 'clients/connect'], because: 'it hands the daemon to a service manager' },
  'clients/doctor': {
    may: ['shared', 'clients/connect', 'clients/agents', 'clients/service'],
    because: 'it looks at everything that stands on this machine, from outside',
  },
  'clients/cli': {
    may: ['shared', 'clients/connect', 'clients/agents', 'clients/service', 'clients/doctor'],
    because: 'it is a client of the one API',
  },
  'clients/mcp-shim': { may: ['shared', 'clients/connect'], because: 'agents wait for it at every start' },
  'clients/hooks': { may: ['shared', 'clients/connect'], because: 'a hook has 300 ms' },
  'clients/web': { may: ['shared'], because: 'a browser runs it: it knows the API and nothing of the machine' },
  'clients/agents': { may: ['shared'], because: "edits of an agent's settings are data" },
};

/** Packages that one place alone may know, so that each can be replaced there. */
const packages: readonly { readonly pattern: RegExp; readonly only: RegExp; readonly because: string }[] = [
  { pattern: /^node-cron$/, only: /^daemon\/jobs\/cron\.ts$/, because: 'one clock fires everything' },
  { pattern: /^@lancedb\/|^apache-arrow/, only: /^daemon\/storage\//, because: 'vectors are behind one interface' },
  {
    pattern: /^better-sqlite3$/,
    only: /^daemon\/((storage|lifecycle|transfer)\/|transcripts\/opencode\.ts$)/,
    because:
      'one writer, one lock; OpenCode and what is imported are databases of other programs, and staging one of its own',
  },
  { pattern: /^pg$/, only: /^daemon\/storage\/postgres\//, because: 'no room knows on which engine it stands' },
  { pattern: /^@huggingface\/|^onnxruntime/, only: /^daemon\/embeddings\//, because: 'the model lives in its worker' },
  {
    pattern: /^tar$/,
    only: /^daemon\/backups\/archive\.ts$/,
    because: 'what an archive may hold is judged in one place',
  },
  { pattern: /^hono|^@hono\//, only: /^daemon\/(http|lifecycle)\//, because: 'HTTP is an adapter' },
  { pattern: /^@modelcontextprotocol\//, only: /^daemon\/(mcp|http)\//, because: 'MCP is an adapter' },
  { pattern: /^commander$|^@clack\//, only: /^clients\/cli\//, because: 'they are for people at a terminal' },
  { pattern: /^jose$/, only: /^daemon\/users\//, because: 'one place decides who is believed' },
  {
    pattern: /^jsonc-parser$/,
    only: /^clients\/agents\/edits\/jsonc\.ts$/,
    because: 'one place knows how a text is cut',
  },
  { pattern: /^(pino|rotating-file-stream)$/, only: /^daemon\/kernel\/logger\.ts$/, because: 'one logger' },
];

const sources = readSources();
const production = sources.filter((file) => /^(shared|daemon|clients)\//.test(file.path));

function offences(files: readonly SourceFile[], find: (file: SourceFile) => readonly string[]): string[] {
  return files.flatMap((file) => find(file).map((what) => `${file.path}: ${what}`));
}

describe('imports', () => {
  it('every place stands in the table of allowed edges', () => {
    const places = new Set(production.map((file) => file.room));
    expect([...places].filter((place) => place !== 'daemon' && edges[place] === undefined)).toEqual([]);
  });

  it('a place imports only what the table allows', () => {
    const found = offences(production, (file) =>
      file.imports.flatMap(({ file: target }) => {
        if (target === null) return [];
        const to = roomOf(target);
        const isRoot = file.room === 'daemon' && (to.startsWith('daemon') || to === 'shared');
        const allowed = edges[file.room];
        if (isRoot || to === file.room || allowed?.may.includes(to) === true) return [];
        return [`must not import ${target}, because ${allowed?.because ?? 'it is the composition root of the daemon'}`];
      }),
    );
    expect(found).toEqual([]);
  });

  it('a room is entered by its door, index.ts', () => {
    const doors = new Set(withDoor);
    const found = offences(production, (file) =>
      file.imports.flatMap(({ file: target }) => {
        if (target === null || roomOf(target) === file.room || !doors.has(roomOf(target))) return [];
        return target === `${roomOf(target)}/index.ts` ? [] : [`goes past the door: ${target}`];
      }),
    );
    expect(found).toEqual([]);
  });

  it('a crossing between rooms shows in the import line, and inside a room paths are relative', () => {
    const found = offences(production, (file) =>
      file.imports.flatMap(({ specifier, file: target }) => {
        if (target === null) return [];
        const isInside = roomOf(target) === file.room;
        if (isInside && specifier.startsWith('#') && file.room !== 'shared') return [`inside the room: ${specifier}`];
        return !isInside && specifier.startsWith('.') && !isBelow(file, target) ? [`crosses by ${specifier}`] : [];
      }),
    );
    expect(found).toEqual([]);
  });

  it('shared loads zod, node:path, node:os and node:crypto, and nothing else', () => {
    const allowed = ['zod', 'node:path', 'node:os', 'node:crypto'];
    const found = offences(
      production.filter((file) => file.room === 'shared'),
      (file) => foreign(file).filter((name) => !allowed.includes(name)),
    );
    expect(found).toEqual([]);
  });

  it('what starts for every prompt and every session loads Node alone', () => {
    const light = ['clients', 'clients/connect', 'clients/mcp-shim', 'clients/hooks'];
    const found = offences(
      production.filter((file) => light.includes(file.room)),
      (file) => foreign(file).filter((name) => !name.startsWith('node:')),
    );
    expect(found).toEqual([]);
  });

  it('a package is known to its own place alone', () => {
    const found = offences(production, (file) =>
      packages
        .filter(({ pattern, only }) => !only.test(file.path) && foreign(file).some((name) => pattern.test(name)))
        .map(({ pattern, because }) => `must not import ${pattern}, because ${because}`),
    );
    expect(found).toEqual([]);
  });

  it('every import of a file of ours names a file that exists', () => {
    const known = new Set(sources.map((file) => file.path));
    const found = offences(production, (file) =>
      file.imports.flatMap(({ specifier, file: target }) =>
        target === null || known.has(target) || /\.(js|json)$/.test(target) ? [] : [specifier],
      ),
    );
    expect(found).toEqual([]);
  });
});

describe('what the daemon must not do', () => {
  it('no file of it opens the lock or the database through fs: closing that descriptor would drop the POSIX locks', () => {
    const opens =
      /\b(?:readFile|open|createReadStream|createWriteStream|copyFile|cp|writeFile|appendFile|truncate)(?:Sync)?\s*\([^)]*(?:\bpaths\.(?:lock|database)\b|\bloci\.db|\blocid\.lock|['"`]-(?:wal|shm)['"`])/;
    const found = offences(
      sources.filter((file) => file.path.startsWith('daemon/')),
      (file) => (opens.exec(file.text) === null ? [] : ['opens the lock or the database']),
    );
    expect(found).toEqual([]);
  });

  it('neither the daemon nor the shim writes to the console: stdout of the one is nobody, of the other the protocol', () => {
    const found = offences(
      sources.filter((file) => /^(daemon|clients\/mcp-shim)\//.test(file.path)),
      (file) => (/\bconsole\s*\./.test(file.text) ? ['uses console'] : []),
    );
    expect(found).toEqual([]);
  });
});

describe('operations', () => {
  it('are called by one door: nobody else runs a handler, past the check of input, scope and key', () => {
    const door = /^daemon\/(kernel\/invoke|store|store-door|open-backups)\.ts$/;
    const found = offences(
      production.filter((file) => file.path.startsWith('daemon/') && !door.test(file.path)),
      (file) => (/\b(?:operation|op)\??\.handle\(/.test(file.text) ? ['runs a handler'] : []),
    );
    expect(found).toEqual([]);
  });
});

describe('tests', () => {
  it('signal a process by one door, which knows that -1 and 0 are everybody', () => {
    const own = /^tests\/support\/(send-signal|toy-daemon|agents\/scene)\.ts$|^tests\/integration\/policies\//;
    const found = offences(
      sources.filter((file) => file.path.startsWith('tests/') && !own.test(file.path)),
      (file) => (/\bprocess\.kill\(/.test(file.text.replaceAll('process\\.kill', '')) ? ['signals by itself'] : []),
    );
    expect(found).toEqual([]);
  });
});

describe('SQL', () => {
  it('outside storage is what both engines read: no word of one dialect alone', () => {
    const ofOneDialect =
      /\b(?:rowid|glob|pragma|insert or|strftime|julianday|datetime|unixepoch|group_concat|ifnull|total|printf|collate|match|fts5|without rowid|autoincrement|cross join|last_insert_rowid|ilike|tsvector|to_tsquery|pg_\w+|now\(\)|on conflict on constraint)\b|->>?|::|\|\|\s*\$|sum\([^)]*[<>=]/i;
    const found = offences(
      production.filter((file) => file.path.startsWith('daemon/') && !file.path.startsWith('daemon/storage/')),
      (file) =>
        [...file.text.matchAll(/\bsql(?:<[^`]*>)?`([^`]*)`/g)]
          .map(([, text = '']) => ofOneDialect.exec(text.replace(/\$\{[^}]*\}/g, '$'))?.[0])
          .filter((word) => word !== undefined),
    );
    expect(found).toEqual([]);
  });

  it('outside storage asks no driver: neither for its handle, nor for the id of the last row, nor by its codes', () => {
    const found = offences(
      production.filter((file) => file.path.startsWith('daemon/') && !/^daemon\/(storage|lifecycle)\//.test(file.path)),
      (file) => (/\bdatabase\.raw\b|\binsertId\b|\bSQLITE_[A-Z]+/.test(file.text) ? ['asks the driver'] : []),
    );
    expect(found).toEqual([]);
  });
});

describe('files', () => {
  it('have kebab-case names that say what is in them', () => {
    const banned = /^(utils?|helpers?|common|misc|managers?|services?|routes|tools|types)\.ts$/;
    const found = offences(production, (file) => {
      const name = basename(file.path);
      if (file.path === 'shared/contract/common.ts') return []; // the field kinds of every contract; named so by the design
      return banned.test(name) || !/^[a-z0-9]+([.-][a-z0-9]+)*\.tsx?$/.test(name) ? [name] : [];
    });
    expect(found).toEqual([]);
  });

  it('are at most 400 lines long, unless their first comment says why', () => {
    const found = offences(sources, (file) => {
      const comment = /^(?:\s*\/\/.*\n)+/.exec(file.text.replace(/^#!.*\n/, ''))?.[0] ?? '';
      return file.lines <= 400 || /\blines\b|\bone file\b/.test(comment) ? [] : [`${file.lines} lines`];
    });
    expect(found).toEqual([]);
  });

  it('re-export nothing, except the door of a room and the list of contracts', () => {
    const found = offences(production, (file) => {
      if (basename(file.path) === 'index.ts') return [];
      return /^export\s+(\*|(type\s+)?\{[^}]*\})\s*from\b/m.test(file.text) ? ['re-exports another file'] : [];
    });
    expect(found).toEqual([]);
  });

  it('index.ts is the door of a room, or the list of contracts', () => {
    const doors = new Set(withDoor.map((room) => `${room}/index.ts`));
    const found = production.filter(
      ({ path }) => basename(path) === 'index.ts' && !doors.has(path) && !path.startsWith('shared/contract/'),
    );
    expect(found.map((file) => file.path)).toEqual([]);
  });

  it('have named exports, no enums, no namespaces and no machine paths', () => {
    const found = offences(sources, (file) => {
      const code = file.text.replace(/^\s*(\/\/|\*).*$/gm, '');
      return [
        ...(/^export default\b/m.test(code) ? ['default export'] : []),
        ...(/^(export )?(declare )?(const )?enum\b|^(export )?namespace\b/m.test(code) ? ['enum or namespace'] : []),
        ...(/['"`]\/(work|root|home\/\w+)\//.test(code) ? ['a path of one machine'] : []),
      ];
    });
    expect(found).toEqual([]);
  });
});

/** Packages and Node modules that a file loads. */
function foreign(file: SourceFile): string[] {
  return file.imports.filter(({ file: target }) => target === null).map(({ specifier }) => specifier);
}

/** The root of the daemon reaches its rooms by `./room/…`. */
function isBelow(file: SourceFile, target: string): boolean {
  return file.room === 'daemon' && target.startsWith('daemon/');
}
