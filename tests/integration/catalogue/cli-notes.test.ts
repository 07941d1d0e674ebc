// The catalogue's daily verbs at a terminal, against a daemon.
import { describe, expect, it } from 'vitest';
import { runCliAgainstDaemon } from '../../support/run-cli.ts';
import { programEnv } from '../../support/run-program.ts';
import { startTestDaemon } from '../../support/test-daemon.ts';

async function open() {
  const { home } = await startTestDaemon();
  const loci = (...args: string[]) => runCliAgainstDaemon(args, { env: programEnv(home), cwd: '/' });
  return {
    loci,
    async json(...args: string[]) {
      const { code, stdout, stderr } = await loci(...args, '--json');
      expect([code, stderr], args.join(' ')).toEqual([0, '']);
      return JSON.parse(stdout);
    },
  };
}

describe('the verbs of the catalogue', () => {
  it('K197 save, get, search, list and name projects, for people and with --json, -p by a name', async () => {
    const { loci, json } = await open();
    await json('call', 'create_project', '--args', '{"name":"Shop","project_type":"work"}');
    const saved = await json(
      'memory',
      'save',
      'Kafka keeps events for seven days',
      '--title',
      'Retention',
      '--importance',
      '8',
      '-p',
      'shop',
    );
    expect(saved).toMatchObject({ id: 1, title: 'Retention', project_ids: [1] });
    expect((await loci('memory', 'save', 'We indent by tabs', '--title', 'Tabs')).stdout).toContain('#2');
    expect(await json('memory', 'get', '1')).toMatchObject({
      content: 'Kafka keeps events for seven days',
      importance: 8,
    });
    expect((await loci('memory', 'get', '1')).stdout).toContain('Kafka keeps events for seven days');
    expect(await json('memory', 'search', 'kafka', '-c', 'how long are events kept', '-n', '1')).toMatchObject({
      query: 'kafka',
      primary_memories: [{ id: 1 }],
    });
    expect((await loci('memory', 'search', 'kafka', '-p', 'Shop')).stdout).toContain('Retention');
    expect(await json('memory', 'recent', '-n', '1')).toMatchObject({ memories: [{ id: 2 }], total_count: 2 });
    expect(await json('memory', 'recent', '-p', 'SHOP')).toMatchObject({ memories: [{ id: 1 }], total_count: 1 });
    expect(await json('project', 'list')).toMatchObject({ projects: [{ name: 'Shop', memory_count: 1 }] });
    expect((await loci('project', 'list')).stdout).toContain('Shop');
  });

  it('K197 exit with 3 for a project or note that is not there, and with 2 for what cannot be meant', async () => {
    const { loci } = await open();
    for (const args of [
      ['memory', 'save', 'x', '--title', 'X', '-p', 'nowhere'],
      ['memory', 'recent', '-p', 'nowhere'],
      ['memory', 'search', 'x', '-p', 'nowhere'],
      ['memory', 'get', '9'],
    ]) {
      const { code, stdout, stderr } = await loci(...args);
      expect([code, stdout], args.join(' ')).toEqual([3, '']);
      expect(stderr).toMatch(/^error: .*\n/);
    }
    for (const args of [
      ['memory', 'save', 'x'],
      ['memory', 'get'],
      ['memory', 'get', 'one'],
      ['memory', 'search', 'x', '--colour', 'red'],
      ['memory', 'recent', '-n', '0'],
      ['memory', 'forget', '1'],
    ]) {
      expect((await loci(...args)).code, args.join(' ')).toBe(2);
    }
  });
});
