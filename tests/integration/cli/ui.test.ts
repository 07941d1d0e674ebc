// `loci ui` where no browser can be started: the address alone on stdout, so that it can be handed on, the rest on stderr.
import { describe, expect, it } from 'vitest';
import { sendTo } from '../../support/http-surface.ts';
import { programEnv, runLoci } from '../../support/run-program.ts';
import { startTestDaemon } from '../../support/test-daemon.ts';

describe('loci ui', () => {
  it('prints an address that opens a session once', async () => {
    const daemon = await startTestDaemon();
    const port = await daemon.port();
    const { code, stdout, stderr } = await runLoci(['ui'], { env: programEnv(daemon.home), cwd: '/' });
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/#code=[\\w-]{43}\\n$`));
    expect(stderr).toContain('it works once');
    const host = `127.0.0.1:${port}`;
    const trade = () =>
      sendTo(
        { host: '127.0.0.1', port },
        {
          method: 'POST',
          path: '/page/session',
          headers: { host, origin: `http://${host}`, 'content-type': 'application/json' },
          body: { code: stdout.trim().split('#code=')[1] },
        },
      );
    expect((await trade()).status).toBe(200);
    expect((await trade()).status).toBe(401);
  });

  it('says what is missing where the port is off', async () => {
    const daemon = await startTestDaemon({ env: { LOCI_HTTP_ENABLED: 'false' } });
    const { code, stdout, stderr } = await runLoci(['ui', '--print'], { env: programEnv(daemon.home), cwd: '/' });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('http.port');
  });
});
