// By what the address of a repository is compared: the remote's identity, so that ssh, https and scp-like spellings meet;
// a bare `owner/name` names no host and meets only its like.
import { normaliseRemote } from './normalise-remote.ts';
import { foldName } from './project-name.ts';

/** Equal for every spelling of one repository. Null for a blank address. */
export function repositoryKey(address: string): string | null {
  const given = address.trim();
  if (given === '') return null;
  const remote = normaliseRemote(given) ?? (namesHost(given) ? normaliseRemote(`https://${given}`) : null);
  return foldName(remote ?? given.replace(/\/+$/, '').replace(/\.git$/i, ''));
}

/** `git.example/owner/name`: a host without a scheme, as a project is named by default. */
function namesHost(address: string): boolean {
  return /^[^/\s:@]+\.[^/\s:@]+\/[^/]+\/./.test(address);
}
