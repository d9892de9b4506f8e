import { describe, expect, it } from 'vitest'
import { BEARER, type ProviderDefinition } from './definition.ts'
import { readEnvironment } from './environment.ts'
import type { Drivers } from './media.ts'
import type { ProviderOptions } from './options.ts'
import { defineProvider } from './provider.ts'

const ACME: ProviderDefinition = {
  name: 'acme',
  baseURL: 'https://api.acme.example/v1',
  endpoints: { chat: '.', responses: '.' },
  auth: BEARER,
  models: [],
}
const unused = (): never => expect.unreachable()
const DRIVERS: Drivers = { video: { submit: unused, poll: unused } }

/** The models of a file, which are JSON. */
function define(model: object, more: Partial<ProviderDefinition> = {}) {
  const models = JSON.parse(JSON.stringify([{ name: 'm', ...model }])) as ProviderOptions['models'] // as from a file
  return defineProvider({ ...ACME, ...more }, { keys: 'k', models })
}

describe('the facts about media of a configured model', () => {
  it.each([
    [{ image: true }, 'image" must be an object.'],
    [{ image: { moost: 4 } }, 'image.moost" is unknown; did you mean "most"?'],
    [{ image: { most: 0 } }, 'image.most" must be a whole number from 1 to 1000000000000.'],
    [{ image: { references: -1 } }, 'image.references" must be a whole number from 0 to 1000000000000.'],
    [{ image: { mask: 'yes' } }, 'image.mask" must be true or false.'],
    [{ image: { via: 'generat' } }, 'image.via" must be generate; did you mean "generate"?'],
    [{ image: { sizes: '1024x1024' } }, 'image.sizes" must be a list.'],
    [{ image: { sizes: ['1024*1024'] } }, 'image.sizes.0" must be a size like "1024x1024", or auto.'],
    [{ image: { ratios: ['1:1', '16x9'] } }, 'image.ratios.1" must be a ratio like "16:9", or auto.'],
    [{ image: { formats: ['png'] } }, 'image.formats.0" must be a media type like "image/png".'],
    [{ image: { custom: { multiple: 16 } } }, 'image.custom.maxSide" is required.'],
    [
      { image: { pixels: { '1K': { '1:1': 'big' } } } },
      'image.pixels.1K.1:1" must be a size like "1024x1024", or auto.',
    ],
    [{ image: { words: { qualty: ['low'] } } }, 'image.words.qualty" is unknown; did you mean "quality"?'],
    [{ image: { takes: ['seeds'] } }, 'did you mean "seed"?'],
    [{ image: { refuses: ['masks'] } }, 'did you mean "mask"?'],
    [{ video: { seconds: { min: 1 } } }, 'video.seconds.max" is required.'],
    [{ video: { seconds: [4, '8'] } }, 'video.seconds.1" must be a whole number from 1 to 1000000000000.'],
    [{ video: { secondsAt: { '1080p': 8 } } }, 'video.secondsAt.1080p" must be an object.'],
    [{ video: { audio: 'sometimes' } }, 'video.audio" must be one of always, never, on, off.'],
    [{ video: { frames: ['frist'] } }, 'video.frames.0" must be one of first, last; did you mean "first"?'],
    [{ embedding: { dimension: 3 } }, 'embedding.dimension" is unknown; did you mean "dimensions"?'],
    [{ embedding: { tokens: 1 } }, 'embedding.tokens" must be true or false.'],
    [{ context: 1e30 }, 'context" must be a whole number from 1 to 1000000000000.'],
    [{ output: ['drawing'] }, 'output.0" must be one of text, image, video, audio, file.'],
    [{ released: 'May' }, 'released" must be a day, YYYY-MM-DD.'],
  ])('are checked at start: %j', (model, message) => {
    expect(() => define(model)).toThrow(`models.0.`)
    expect(() => define(model)).toThrow(message)
  })

  it.each([
    [{ image: { most: 2 } }, ['text'], ['image']],
    [{ image: { references: 3 } }, ['text', 'image'], ['image']],
    [{ image: { via: 'generate' } }, ['text'], ['text', 'image']],
    [{ embedding: {} }, ['text'], []],
    [{ embedding: {}, output: ['file'] }, ['text'], ['file']],
    [{ rerank: {} }, ['text'], []],
  ])('say what it takes and makes, unless the card does: %j', (model, input, output) => {
    expect(define(model).models[0]).toMatchObject({ input, output })
  })

  it('say the same of videos', () => {
    const modalities = (video: object): readonly unknown[] => {
      const [card] = define({ video }, { endpoints: { genai: '.' } }).models
      return [card?.input, card?.output]
    }
    expect(modalities({})).toEqual([['text'], ['video']])
    expect(modalities({ frames: ['first'], audio: 'off' })).toEqual([
      ['text', 'image'],
      ['video', 'audio'],
    ])
  })

  it('choose the APIs of the provider that serve it', () => {
    expect(define({ image: {} }).models[0]?.protocols).toEqual(['chat'])
    expect(define({ rerank: {} }, { endpoints: { genai: '.', chat: '.' } }).models[0]?.protocols).toEqual(['chat'])
    expect(define({ embedding: {} }, { endpoints: { responses: '.', genai: '.' } }).models[0]?.protocols).toEqual([
      'genai',
    ])
    const own = { endpoints: { chat: '.', genai: '.', own: '.' }, drivers: DRIVERS }
    expect(define({ video: {} }, own).models[0]?.protocols).toEqual(['own'])
    expect(define({ video: {}, protocols: ['genai'] }, own).models[0]?.protocols).toEqual(['genai'])
    // A conversation is served by all of them.
    expect(define({ image: { via: 'generate' } }, own).models[0]?.protocols).toEqual(['chat', 'genai'])
  })

  it.each([
    [{ video: {} }, 'models.m.video" is not served here: the provider has neither its own API for videos nor genai.'],
    [
      { embedding: {}, protocols: ['responses'] },
      'models.m.embedding" is not served here: the provider has neither its own API for embeddings nor chat or genai.',
    ],
  ])('are refused if nothing of the provider serves them: %j', (model, message) => {
    expect(() => define(model)).toThrow(message)
  })

  it('are refused for a known model that nothing serves them for', () => {
    const models = [{ name: 'known', input: ['text'], output: ['text'] }] as const
    expect(() => defineProvider({ ...ACME, models }, { keys: 'k', overrides: { known: { video: {} } } })).toThrow(
      'models.known.video" is not served here',
    )
  })
})

describe('models in a variable', () => {
  const definition = { name: 'acme', environment: { keys: 'ACME_KEY' } }
  const read = (text: string) => readEnvironment({ ACME_KEY: 'k', DRAGOMAN_ACME_MODELS: text }, definition)?.models

  it('are names, or a JSON list of names and cards', () => {
    expect(read('a, b')).toEqual(['a', 'b'])
    expect(read(' ["a", { "name": "b", "image": { "most": 2 } }]')).toEqual(['a', { name: 'b', image: { most: 2 } }])
  })

  it('are refused without their text if they are not', () => {
    expect(() => read('["canary"')).toThrow(
      'Provider option "DRAGOMAN_ACME_MODELS" must be names separated by commas, or a JSON list of names and cards.',
    )
  })
})
