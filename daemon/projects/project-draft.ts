// A project as a caller may set it, and from the words of the catalogue to it.

import type { EncodingAgent } from '#daemon/kernel/context.ts';
import { refuseSecrets } from '#daemon/secrets/detect-secrets.ts';
import { newProvenance, type ProvenanceRow, patchedProvenance } from '#daemon/storage/provenance.ts';
import type { ParsedInputOf } from '#shared/contract/operation.ts';
import type { createProject, updateProject } from '#shared/contract/projects.ts';
import { invalidField } from '#shared/errors.ts';
import { foldName } from './project-name.ts';
import type { Project } from './projects.repository.ts';
import { repositoryKey } from './repository-key.ts';

/** The columns that a caller may set, and those that follow from them. */
export type ProjectDraft = ProvenanceRow &
  Pick<
    Project,
    | 'name'
    | 'name_key'
    | 'description'
    | 'project_type'
    | 'status'
    | 'repo_name'
    | 'repo_key'
    | 'last_encoding_point'
    | 'notes'
    | 'metadata'
  >;

export function inputToProject(input: ParsedInputOf<typeof createProject>, encoding: EncodingAgent): ProjectDraft {
  const repo = blankToNull(repositoryOf(input)) ?? null;
  return {
    name: input.name.trim(),
    name_key: foldName(input.name),
    description: input.description ?? '',
    project_type: input.project_type,
    status: input.status,
    repo_name: repo,
    repo_key: repo === null ? null : repositoryKey(repo),
    last_encoding_point: blankToNull(input.last_encoding_point) ?? null,
    notes: blankToNull(input.notes) ?? null,
    metadata: JSON.stringify(input.metadata ?? {}),
    ...newProvenance(input, encoding),
  };
}

export function patchProject(present: Project, input: ParsedInputOf<typeof updateProject>): ProjectDraft {
  const given = <T>(value: T | undefined, old: T): T => (value === undefined ? old : value);
  const name = given(input.name?.trim(), present.name);
  const repo = given(blankToNull(repositoryOf(input)), present.repo_name);
  return {
    name,
    name_key: foldName(name),
    description: input.description === undefined ? present.description : (input.description ?? ''),
    project_type: given(input.project_type, present.project_type),
    status: given(input.status, present.status),
    repo_name: repo,
    repo_key: repo === null ? null : repositoryKey(repo),
    last_encoding_point: given(blankToNull(input.last_encoding_point), present.last_encoding_point),
    notes: given(blankToNull(input.notes), present.notes),
    metadata: input.metadata === undefined ? present.metadata : JSON.stringify(input.metadata ?? {}),
    ...patchedProvenance(present, input),
  };
}

/** Refuses a project any of whose texts looks like a credential, before anything reaches disk. */
export function refuseSecretsIn(draft: ProjectDraft): void {
  const { name, description, repo_name, last_encoding_point, notes, metadata, source_url } = draft;
  refuseSecrets({ name, description, repo_name, last_encoding_point, notes, metadata, source_url });
}

/** The one repository of an input. Throws `invalid_input` where its two names differ. */
export function repositoryOf<Value extends string | null>(input: {
  readonly repo_name?: Value | undefined;
  readonly repository_url?: Value | undefined;
}): Value | undefined {
  const { repo_name: name, repository_url: url } = input;
  if (name !== undefined && url !== undefined && name !== url) {
    throw invalidField(
      'repository_url',
      '`repo_name` and `repository_url` are two names of one field and differ: give one of them.',
    );
  }
  return name ?? url;
}

/** An empty text clears, as null does; anything else is kept as it is. */
function blankToNull(text: string | null | undefined): string | null | undefined {
  return text === '' ? null : text;
}
