import { decodeFloats } from '@dragoman/core/media'
import { describe, expect, it } from 'vitest'
import { createCases } from './cases.ts'

describe('the benchmark of embeddings', () => {
  it('[embed.base64] translates the whole batch', () => {
    const [request, numbers, base64] = createCases({ inputs: 3, dimensions: 5 })
    expect(JSON.parse(request!.translate())).toMatchObject({ requests: [{}, {}, {}] })
    type Answer = { readonly data: readonly { readonly embedding: never }[] }
    const asNumbers = JSON.parse(numbers!.translate()) as Answer
    const asBase64 = JSON.parse(base64!.translate()) as Answer
    expect(asBase64.data.map(({ embedding }) => decodeFloats(embedding))).toEqual(
      asNumbers.data.map(({ embedding }) => embedding),
    )
  })
})
