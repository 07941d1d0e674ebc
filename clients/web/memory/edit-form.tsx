// Correcting a memory in place. Only what was changed is sent, so that what another agent changed meanwhile is left alone.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { type Change, edit } from '../actions.ts';
import type { MemoryRecord } from './memory-record.ts';
import { memoryTypes } from './memory-types.ts';

type Draft = Readonly<Record<string, string>>;

export function EditForm({ memory, onClose }: { memory: MemoryRecord; onClose: () => void }) {
  // as it was when the form was opened: what others change meanwhile is no change of this form
  const before = useRef(toDraft(memory)).current;
  const draft = useSignal<Draft>(before);
  const isUnderWay = useSignal(false);
  const first = useRef<HTMLTextAreaElement>(null);
  useEffect(() => first.current?.focus(), []);
  const set = (name: string, value: string): void => {
    draft.value = { ...draft.value, [name]: value };
  };
  const changed = Object.keys(before).filter((name) => before[name] !== draft.value[name]);
  const present = toDraft(memory);
  const overtaken = changed.filter((name) => present[name] !== before[name]);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isUnderWay.value) return;
    isUnderWay.value = true;
    const done = changed.length === 0 || (await edit(memory.id, pick(draft.value, changed), pick(before, changed)));
    isUnderWay.value = false;
    if (done) onClose();
  };
  const lines = (name: string, label: string, rows: number) => (
    <Field label={label}>
      {(id) => (
        <textarea
          id={id}
          ref={name === 'content' ? first : null}
          rows={rows}
          dir="auto"
          required={name === 'content'}
          value={draft.value[name] ?? ''}
          onInput={(event) => set(name, event.currentTarget.value)}
        />
      )}
    </Field>
  );
  const line = (name: string, label: string, more: Record<string, unknown> = {}) => (
    <Field label={label}>
      {(id) => (
        <input
          id={id}
          dir="auto"
          value={draft.value[name] ?? ''}
          onInput={(event) => set(name, event.currentTarget.value)}
          {...more}
        />
      )}
    </Field>
  );
  return (
    <form
      class="edit"
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save(event);
      }}
    >
      <h2>Edit memory {memory.id}</h2>
      {overtaken.length > 0 && (
        <p class="warning" role="alert">
          Meanwhile somebody else changed: {overtaken.join(', ')}. Saving replaces that; the history keeps it.
        </p>
      )}
      {line('title', 'Title', { required: true })}
      {lines('content', 'Content', 8)}
      {lines('context', 'Context', 2)}
      {lines('problem', 'Problem', 2)}
      {lines('solution', 'Solution', 2)}
      <Field label="Type">
        {(id) => (
          <select id={id} value={draft.value.type ?? ''} onChange={(event) => set('type', event.currentTarget.value)}>
            {memoryTypes.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        )}
      </Field>
      {line('project', 'Project')}
      {line('tags', 'Tags, a comma between them')}
      {line('concepts', 'Concepts, a comma between them')}
      {line('importance', 'Importance, 1 to 10', { type: 'number', min: 1, max: 10, required: true })}
      {line('confidence', 'Confidence, 0 to 1', { type: 'number', min: 0, max: 1, step: 0.05, required: true })}
      <div class="actions">
        <button type="submit" class="primary" disabled={isUnderWay.value}>
          Save <kbd>Ctrl Enter</kbd>
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}

function Field({ label, children }: { label: string; children: (id: string) => ComponentChildren }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
    </div>
  );
}

function toDraft(memory: MemoryRecord): Draft {
  return {
    title: memory.title,
    content: memory.content,
    context: memory.context ?? '',
    problem: memory.problem ?? '',
    solution: memory.solution ?? '',
    type: memory.type,
    project: memory.project ?? '',
    tags: memory.tags.join(', '),
    concepts: memory.concepts.join(', '),
    importance: String(memory.importance),
    confidence: String(memory.confidence),
  };
}

const clearable: readonly string[] = ['context', 'problem', 'solution', 'project'];

/** Fields of a form as the fields of a change: an empty one clears where that can be. */
function pick(draft: Draft, names: readonly string[]): Change {
  return Object.fromEntries(
    names.map((name) => {
      const text = draft[name] ?? '';
      if (name === 'tags' || name === 'concepts') {
        return [
          name,
          text
            .split(',')
            .map((part) => part.trim())
            .filter((part) => part !== ''),
        ];
      }
      if (name === 'importance' || name === 'confidence') return [name, Number(text)];
      return [name, clearable.includes(name) && text.trim() === '' ? null : text];
    }),
  ) as Change;
}
