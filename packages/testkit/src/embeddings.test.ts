import * as fc from 'fast-check'
import { describe, it } from 'vitest'
import { embeddingAnswer, embeddingRequest } from './generators/embedding.ts'
import {
  mustEncodeEmbeddingHonestly,
  mustEncodeEmbeddingsHonestly,
  mustKeepEmbedding,
  mustKeepEmbeddings,
} from './laws/embedding.ts'
import { holds, RUNS } from './laws/runs.ts'
import { SEED } from './laws/seed.ts'
import { EMBEDDING_FORMS } from './subjects/embedding.ts'

describe(`requests for embeddings satisfy the laws (${RUNS} values each, seed ${SEED})`, () => {
  for (const [name, form] of Object.entries(EMBEDDING_FORMS)) {
    const { protocol, owner = protocol.name } = form
    const world = { protocol: owner, issuer: protocol.issuer }
    describe(name, () => {
      it('[embed.identity] decodes and encodes a request without losing anything', () =>
        holds(form.wires.request, (wire) => mustKeepEmbedding(form, wire)))
      it('[embed.identity] decodes and encodes an answer without losing anything', () =>
        holds(form.wires.answer, (wire) => mustKeepEmbeddings(form, wire)))
      it('[embed.losses] reports everything that a request loses', () =>
        holds(embeddingRequest(world, form.kinds), (request) => mustEncodeEmbeddingHonestly(form, request)))
      it('[embed.losses] reports everything that an answer loses', () =>
        holds(
          fc.tuple(embeddingAnswer(world, form), fc.constantFrom(undefined, 'float', 'base64')),
          ([answer, asked]) => mustEncodeEmbeddingsHonestly(form, answer, asked),
        ))
    })
  }
})
