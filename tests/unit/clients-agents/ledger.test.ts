// What setup keeps for itself: the ledger, its lock, and the owner of what it replaces.
import { chownSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { placeSection, takeOutSection } from '#clients/agents/edits/marked-section.ts';
import { readState, realTarget, replaceFile } from '#clients/agents/edits/safe-file.ts';
import { readLedger, withSetupLock } from '#clients/agents/index.ts';
import { agentHome } from '../../support/agent-home.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describe('the ledger', () => {
  it('that is damaged is not written over, and setup says what to do', () => {
    const home = agentHome();
    mkdirSync(home.ledger, { recursive: true });
    writeFileSync(join(home.ledger, 'ledger.json'), '{"version":1,');
    expect(() => home.setup(['zed'])).toThrow(/ledger of the setup is damaged/);
    expect(readFileSync(join(home.ledger, 'ledger.json'), 'utf8')).toBe('{"version":1,');
    expect(home.snapshot()).toEqual({});
  });

  it('of a run that was killed before it wrote the file names what is not there, and undoing passes over it', () => {
    const home = agentHome();
    const killed = () =>
      home.setup(['zed'], {
        atLast: () => {
          throw new Error('killed');
        },
      });
    expect(killed).toThrow('killed');
    expect(readLedger(home.ledger).files).toHaveLength(1);
    expect(home.undo()).toMatchObject([{ state: 'same' }]);
    expect(readLedger(home.ledger).files).toEqual([]);
  });

  it('without the backup of a file that is unchanged takes nothing back and says so', () => {
    const home = agentHome();
    home.write('.config/zed/settings.json', '{ "a": 1 }\n');
    home.setup(['zed']);
    const [{ original } = { original: '' }] = readLedger(home.ledger).files;
    writeFileSync(join(home.ledger, 'backups', 'other'), '');
    const backup = join(home.ledger, 'backups', original ?? '');
    expect(existsSync(backup)).toBe(true);
    writeFileSync(
      join(home.ledger, 'ledger.json'),
      JSON.stringify(readLedger(home.ledger)).replace(original ?? '', 'gone'),
    );
    expect(home.undo()).toMatchObject([{ state: 'refused', why: 'has lost its backup' }]);
    expect(home.read('.config/zed/settings.json')).toContain('loci');
  });
});

describe('the lock', () => {
  it('refuses a second setup, is let go at the end, and is taken over from a process that has died', () => {
    const folder = tempFolder();
    withSetupLock(folder, () => {
      expect(() => withSetupLock(folder, () => undefined)).toThrow(/Another setup is at work/);
    });
    writeFileSync(join(folder, 'lock'), String(2 ** 30));
    expect(withSetupLock(folder, () => 'done')).toBe('done');
    expect(existsSync(join(folder, 'lock'))).toBe(false);
  });
});

describe('a file that is replaced', () => {
  it('keeps its owner and group', () => {
    const file = join(tempFolder(), 'settings.json');
    writeFileSync(file, 'a');
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(file, 1234, 4321);
    const { uid, gid } = statSync(file);
    replaceFile(file, readState(file), Buffer.from('b'));
    expect(statSync(file)).toMatchObject({ uid, gid });
    expect(readFileSync(file, 'utf8')).toBe('b');
  });

  it('by way of a link in a circle is refused', () => {
    const folder = tempFolder();
    symlinkSync(join(folder, 'b'), join(folder, 'a'));
    symlinkSync(join(folder, 'a'), join(folder, 'b'));
    expect(() => realTarget(join(folder, 'a'))).toThrow(/leads to itself/);
  });
});

describe('a section of a Markdown file', () => {
  const body = '## Memory\n\nSave it.\n';

  it.each([
    ['', '<!-- loci:begin -->\n## Memory\n\nSave it.\n<!-- loci:end -->\n'],
    ['# A\n', '# A\n\n<!-- loci:begin -->\n## Memory\n\nSave it.\n<!-- loci:end -->\n'],
    ['# A\r\n', '# A\r\n\r\n<!-- loci:begin -->\r\n## Memory\r\n\r\nSave it.\r\n<!-- loci:end -->\r\n'],
  ])('is put behind %j and taken out again', (before, after) => {
    const { text, trace } = placeSection(before, body);
    expect(text).toBe(after);
    expect(placeSection(text, body).text).toBe(text);
    expect(takeOutSection(text, trace)).toEqual({ text: before, isOut: true });
  });

  it('is replaced by newer words, and kept where a person changed it', () => {
    const { text, trace } = placeSection('# A\n', body);
    expect(placeSection(text, 'new').text).toBe('# A\n\n<!-- loci:begin -->\nnew\n<!-- loci:end -->\n');
    const changed = text.replace('Save it.', 'Save it well.');
    expect(takeOutSection(changed, trace)).toEqual({ text: changed, isOut: false });
  });

  it('with one marker alone is refused', () => {
    expect(() => placeSection('<!-- loci:begin -->\n', body)).toThrow(/without the other/);
  });
});
