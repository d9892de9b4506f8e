import { createLosses, type Losses, type Protocol } from '@dragoman/core'
import { refuseLostImages, type ImageRequest } from '@dragoman/core/media'
import { chat, genai } from '@dragoman/core/protocols'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apply } from './laws/honesty.ts'
import { codecOf, readCall, writing } from './laws/image-exchange.ts'
import { holds } from './laws/runs.ts'
import { normal, same, show } from './laws/same.ts'
import { sent } from './laws/subject.ts'
import { IMAGES_OF } from './subjects/images-of.ts'

const PAIRS: readonly (readonly [from: Protocol, to: Protocol])[] = [
  [chat, genai],
  [genai, chat],
]

function cross(request: ImageRequest, to: Protocol, losses: Losses): ImageRequest {
  const call = codecOf(to).encode(request, writing(to, losses, 'image', { toward: 'upstream' }))
  return readCall(to, { ...call, body: sent(call.body) }, request)
}

describe('images from one protocol to another', () => {
  it.each(PAIRS)('%# keep what both can express, and report everything else, for requests on the wire', (from, to) => {
    const subject = IMAGES_OF[from.name]
    if (subject === undefined) throw new Error('no subject')
    holds(subject.wires.request, (wire) => {
      const request = readCall(from, wire)
      const losses = createLosses()
      const understood = cross(request, to, losses)
      const expected = apply(losses.entries(), request)
      if (!same(normal(understood), normal(expected)))
        throw new Error(
          `\n got      ${show(understood)}\n expected ${show(expected)}\n losses ${show(losses.entries())}`,
        )
    })
  })

  it.each(PAIRS)('%# keep the prompt, the inline images, the number of images and the size', (_from, to) => {
    const IMAGE = { kind: 'base64', mime: 'image/png', data: 'iVBORw0KGgo=' } as const
    const both = fc.record({
      model: fc.constant('some/model'),
      prompt: fc.constantFrom('a fox', 'a "boat"\n'),
      references: fc.array(fc.constant({ source: IMAGE }), { minLength: 1, maxLength: 3 }),
      settings: fc.record(
        {
          count: fc.integer({ min: 1, max: 4 }),
          size: fc.constantFrom('auto', '1024x1024'),
          quality: fc.constantFrom('low', 'high'),
          format: fc.constant('image/jpeg'),
          compression: fc.integer({ min: 0, max: 100 }),
        },
        { requiredKeys: ['format'] },
      ),
      delivery: fc.constant({}),
    })
    holds(both, (request) => {
      const losses = createLosses()
      const understood = cross(request, to, losses)
      expect(understood.settings).toEqual(request.settings)
      expect(understood.references?.map(({ source }) => source)).toEqual(request.references.map(({ source }) => source))
      expect(losses.entries().filter(({ kind }) => kind !== 'added')).toEqual([])
    })
  })

  it('are refused if an image to edit cannot be written', () => {
    const request: ImageRequest = {
      model: 'some/model',
      prompt: 'a hat',
      references: [{ source: { kind: 'file', issuer: 'openai', id: 'file-1' } }],
      settings: {},
      delivery: {},
    }
    const losses = createLosses()
    cross(request, genai, losses)
    expect(() => refuseLostImages(losses, () => ['images', 0])).toThrow(
      expect.objectContaining({ kind: 'invalid-request', param: 'images.0' }),
    )
    expect(() => refuseLostImages(createLosses())).not.toThrow()
  })
})
