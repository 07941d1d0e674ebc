import { describe, expect, it } from 'vitest';
import { traitsOf } from '#daemon/embeddings/known-models.ts';

describe('how a model is asked', () => {
  it.each(['bge-small-en-v1.5', 'BAAI/bge-small-en-v1.5', 'Xenova/bge-small-en-v1.5', 'BGE-small-en-v1.5'])(
    'is known for %s',
    (name) => {
      expect(traitsOf(name)).toEqual({
        pooling: 'cls',
        queryPrefix: 'Represent this sentence for searching relevant passages: ',
        passagePrefix: '',
        dimensions: 384,
      });
    },
  );

  it('gives E5 its two prefixes and MiniLM none', () => {
    expect(traitsOf('intfloat/e5-small-v2')).toMatchObject({
      pooling: 'mean',
      queryPrefix: 'query: ',
      passagePrefix: 'passage: ',
    });
    expect(traitsOf('sentence-transformers/all-MiniLM-L6-v2')).toMatchObject({
      pooling: 'mean',
      queryPrefix: '',
      passagePrefix: '',
    });
  });

  it('looks past the tag of Ollama', () => {
    expect(traitsOf('nomic-embed-text:latest')).toMatchObject({ queryPrefix: 'search_query: ', dimensions: 768 });
  });

  it('takes mean pooling, no prefix and an unknown length for a stranger', () => {
    expect(traitsOf('somebody/some-model')).toEqual({
      pooling: 'mean',
      queryPrefix: '',
      passagePrefix: '',
      dimensions: null,
    });
  });
});
