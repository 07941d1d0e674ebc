// What `loci setup` does, from flags or questions to files. Nothing is written before every change was shown and agreed to, and one agent
// whose file cannot be changed does not keep the others from theirs.
import {
  type AgentName,
  agentNames,
  agents,
  applySetup,
  applyUndo,
  detectAgents,
  type FileChange,
  lociProgram,
  machineOf,
  planSetup,
  planUndo,
  projectEdit,
  projectOwner,
  projectRoot,
  type SetupPlan,
  setupFolder,
  withSetupLock,
} from '#clients/agents/index.ts';
import { ownProgram } from '#clients/connect/ensure-daemon.ts';
import { localDaemon } from '#clients/connect/local-daemon.ts';
import { spawnDaemon } from '#clients/connect/spawn-daemon.ts';
import { LociError } from '#shared/errors.ts';
import { isInteractive } from './cli-io.ts';
import type { SetupFlags } from './commands/setup.ts';
import { confirm, Interrupted } from './confirm.ts';
import { exitCodeOf, exitOk } from './exit-codes.ts';
import { changeToDiff, renderChanges, renderOutcome } from './render/setup.ts';
import type { Session } from './session.ts';

/** Answers the exit code: 0, or that of `conflict` where a file had to be left alone. */
export async function runSetup(session: Session, flags: SetupFlags): Promise<number> {
  const { env, paths } = localDaemon(session.io.env, session.options);
  const folder = setupFolder(paths.state);
  const { names, read } = await readerOf(session, flags, { env, folder });
  const { changes: planned, notes } = read();
  const open = planned.filter(({ state }) => state === 'create' || state === 'change' || state === 'remove');
  const wantsText = session.options.json !== true;
  if (wantsText && open.length > 0) session.io.stdout.write(`${renderChanges(open, session.view())}\n`);
  let changes = planned;
  if (flags.dryRun !== true) {
    if (open.length > 0) {
      const many = open.length === 1 ? '1 file' : `${open.length} files`;
      await confirm(session, flags.undo === true ? `Take Loci out of ${many}` : `Write ${many}`, flags.yes === true);
    }
    const isWork = open.length > 0 || (flags.undo === true && planned.length > 0);
    const apply = flags.undo === true ? applyUndo : applySetup;
    // agents write their files while a person reads: what is applied is planned anew, and nothing that was not shown
    if (isWork) changes = withSetupLock(folder, () => apply(folder, read().changes.map(onlyShown(open))));
  }
  const restart = restartsOf(changes);
  // the first start makes the store: an agent's first session must not have to wait for that
  const isConnected = restart.length > 0 && flags.undo !== true && flags.dryRun !== true;
  if (isConnected) spawnDaemon({ paths, env, program: ownProgram() });
  const output = {
    dry_run: flags.dryRun === true,
    undo: flags.undo === true,
    agents: names,
    files: changes.map((change) => ({
      file: change.file,
      agents: change.owners,
      state: change.state,
      why: change.why,
      diff: changeToDiff(change),
    })),
    notes,
    restart,
  };
  const how = { isDry: output.dry_run, isUndo: output.undo };
  session.print(output, () => renderOutcome({ changes, notes, restart, ...how }, session.view()));
  const isRefused = changes.some(({ state }) => state === 'refused');
  return isRefused ? exitCodeOf(new LociError('conflict', '')) : exitOk;
}

type Place = { readonly env: NodeJS.ProcessEnv; readonly folder: string };

type Reader = { readonly names: readonly string[]; readonly read: () => SetupPlan };

/** Who it is about, and what reads their files and says what would become of them. */
async function readerOf(session: Session, flags: SetupFlags, { env, folder }: Place): Promise<Reader> {
  const project = projectEdit(projectRoot(process.cwd()));
  if (flags.undo === true) {
    const wanted = namesOf(flags.agent);
    const isWanted = (owner: string, file: string): boolean =>
      owner === projectOwner
        ? flags.project === true && file === project.edit.file
        : flags.project !== true && (wanted.length === 0 || wanted.some((name) => name === owner));
    const read = () => ({ changes: planUndo(folder, (owner, { file }) => isWanted(owner, file)), notes: [] });
    return { names: [...new Set(read().changes.flatMap(({ owners }) => owners))], read };
  }
  const machine = machineOf(env);
  const names = await pickAgents(session, flags, detectAgents(machine));
  const more = flags.project === true ? [project] : [];
  const program = lociProgram(env, process.argv[1] ?? '');
  return { names, read: () => planSetup(folder, { machine, program, names, hooks: flags.hooks, more }) };
}

/** A change of a file of which none was shown becomes a refusal. */
function onlyShown(shown: readonly FileChange[]): (change: FileChange) => FileChange {
  const targets = new Set(shown.map(({ target }) => target));
  return (change) => {
    const isChange = change.state === 'create' || change.state === 'change' || change.state === 'remove';
    if (!isChange || targets.has(change.target)) return change;
    return { ...change, state: 'refused', why: 'has changed since the changes were shown: run the setup again' };
  };
}

type Found = ReturnType<typeof detectAgents>;

async function pickAgents(session: Session, flags: SetupFlags, found: Found): Promise<AgentName[]> {
  const named = namesOf(flags.agent);
  const all = flags.all === true ? found.map(({ name }) => name) : [];
  if (flags.all === true && found.length === 0) {
    throw new LociError('not_found', `No agent was found; name one with --agent, of ${agentNames.join(', ')}.`);
  }
  if (named.length + all.length > 0 || flags.project === true) return [...new Set([...named, ...all])];
  if (!isInteractive(session.io)) {
    throw new LociError('invalid_input', 'There is no terminal to ask at: name agents with --agent, or say --all.');
  }
  return ask(session, found);
}

async function ask({ io }: Session, found: Found): Promise<AgentName[]> {
  const { isCancel, multiselect } = await import('@clack/prompts');
  const detected = found.map(({ name }) => name);
  const others = agentNames.filter((name) => !detected.includes(name));
  const answer = await multiselect<AgentName>({
    message: 'Which agents shall use this memory?',
    options: [...detected, ...others].map((name) => ({
      value: name,
      label: agents[name].title,
      ...(detected.includes(name) ? {} : { hint: 'not found here' }),
    })),
    initialValues: detected,
    required: true,
    input: io.stdin,
    output: io.stderr,
  });
  if (isCancel(answer)) throw new Interrupted();
  return answer;
}

function namesOf(given: readonly string[] = []): AgentName[] {
  const names = given.flatMap((one) => one.split(',')).filter((one) => one !== '');
  return names.map((name) => {
    const known = agentNames.find((one) => one === name);
    if (known !== undefined) return known;
    throw new LociError('invalid_input', `There is no agent "${name}": there are ${agentNames.join(', ')}.`);
  });
}

function restartsOf(changes: readonly FileChange[]): { agent: string; text: string }[] {
  const touched = changes.filter(({ state }) => state === 'create' || state === 'change' || state === 'remove');
  const owners = new Set(touched.flatMap((change) => change.owners));
  return agentNames.filter((name) => owners.has(name)).map((name) => ({ agent: name, text: agents[name].restart }));
}
