// A project in the words of the catalogue.
import { toUtc } from '#daemon/kernel/clock.ts';
import { provenanceToWords } from '#daemon/storage/provenance.ts';
import type { ProjectDraft } from './project-draft.ts';
import type { Project } from './projects.repository.ts';

export function projectToSummary(project: Project) {
  const { id, name, project_type, status, repo_name, last_encoding_point, memory_count } = project;
  return {
    id,
    project_id: id,
    name,
    project_type,
    status,
    repo_name,
    repository_url: repo_name,
    last_encoding_point,
    memory_count,
    created_at: toUtc(project.created_at),
    updated_at: toUtc(project.updated_at),
  };
}

export function projectToWords(project: Project) {
  return {
    ...projectToSummary(project),
    description: project.description,
    notes: project.notes,
    metadata: JSON.parse(project.metadata) as Record<string, unknown>,
    ...provenanceToWords(project),
  };
}

/** What the change log keeps of a project, by field. */
export function projectToLogged(project: ProjectDraft): Record<string, unknown> {
  const { name, description, project_type, status, repo_name, last_encoding_point, notes } = project;
  return {
    name,
    description,
    project_type,
    status,
    repo_name,
    last_encoding_point,
    notes,
    metadata: JSON.parse(project.metadata) as unknown,
    ...provenanceToWords(project),
  };
}
