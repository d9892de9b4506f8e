import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DragomanError } from './error.ts'
import { fitImage } from './fit-image.ts'
import { parseSize, sizeProblem } from './image-size.ts'
import type { ImageDelivery, ImageFacts, ImageRequest, ImageSettings } from './image.ts'
import { createLosses } from './loss.ts'

const IMAGE = { kind: 'base64', mime: 'image/png', data: 'iVBORw0KGgo=' } as const

/** Cards as the reference of providers has them. */
const GPT_IMAGE_1: ImageFacts = {
  most: 10,
  references: 16,
  mask: true,
  sizes: ['1024x1024', '1536x1024', '1024x1536', 'auto'],
  partials: 3,
  formats: ['image/png', 'image/jpeg', 'image/webp'],
  words: { quality: ['low', 'medium', 'high', 'auto'], background: ['transparent', 'opaque', 'auto'] },
  takes: ['compression', 'safety', 'fidelity'],
}
const GPT_IMAGE_2: ImageFacts = {
  ...GPT_IMAGE_1,
  custom: { multiple: 16, maxSide: 3840, maxRatio: 3, minPixels: 655_360, maxPixels: 8_294_400 },
}
const IMAGEN: ImageFacts = {
  most: 4,
  ratios: ['1:1', '4:3', '3:4', '16:9', '9:16'],
  tiers: ['1K', '2K'],
  formats: ['image/png', 'image/jpeg'],
  takes: ['negativePrompt', 'seed', 'enhance', 'watermark', 'people', 'safety', 'explainBlocks', 'compression'],
}
const GEMINI: ImageFacts = {
  via: 'generate',
  most: 4,
  perCall: 1,
  references: 14,
  ratios: ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'],
  tiers: ['1K', '2K', '4K'],
  takes: ['seed', 'safety'],
}
const SEEDREAM: ImageFacts = {
  most: 15,
  references: 14,
  tiers: ['2K', '4K'],
  pixels: { '2K': { '1:1': '2048x2048', '16:9': '2560x1440' }, '4K': { '1:1': '4096x4096', '16:9': '5504x3040' } },
  custom: { multiple: 8, maxSide: 8192, maxRatio: 16, minPixels: 3_686_400, maxPixels: 16_777_216 },
  takes: ['watermark', 'seed', 'guidance'],
}
const GLM: ImageFacts = {
  custom: { multiple: 32, minSide: 1024, maxSide: 2048, maxPixels: 1 << 22 },
  takes: ['watermark'],
}

function request(settings: ImageSettings, delivery: ImageDelivery = {}): ImageRequest {
  return { model: 'm', prompt: 'a fox', settings, delivery }
}

function fit(facts: ImageFacts, settings: ImageSettings, delivery?: ImageDelivery) {
  const losses = createLosses()
  const fitted = fitImage(request(settings, delivery), facts, losses)
  return {
    settings: fitted.settings,
    delivery: fitted.delivery,
    lost: losses.entries().map(({ path }) => path.join('.')),
  }
}

/** The name of the member that is refused; undefined if the request is taken. */
function refused(facts: ImageFacts, given: ImageSettings | ImageRequest): string | undefined {
  try {
    fitImage('prompt' in given ? given : request(given), facts, createLosses())
    return undefined
  } catch (error) {
    return DragomanError.isInstance(error) && error.kind === 'invalid-request' ? error.param : 'another error'
  }
}

describe('the number of images', () => {
  it.each([
    ['four', IMAGEN, 4],
    ['ten', GPT_IMAGE_1, 10],
    ['fifteen', SEEDREAM, 15],
    ['one', GLM, 1],
  ])('is at most %s, as the card says [image.sampleCount]', (_word, facts, most) => {
    expect(refused(facts, { count: most })).toBeUndefined()
    expect(refused(facts, { count: most + 1 })).toBe('settings.count')
  })

  it('of an edit is limited as well, and a model that cannot edit takes none [image.references]', () => {
    const withImages = (count: number): ImageRequest => ({
      ...request({}),
      references: Array.from({ length: count }, () => ({ source: IMAGE })),
    })
    const [one, eight] = [{ references: 1 }, { references: 8 }]
    expect(refused(one, withImages(1))).toBeUndefined()
    expect(refused(one, withImages(2))).toBe('references')
    expect(refused(eight, withImages(8))).toBeUndefined()
    expect(refused(eight, withImages(9))).toBe('references')
    expect(refused(IMAGEN, withImages(1))).toBe('references')
    const masked = { ...withImages(1), mask: { source: IMAGE } }
    expect(refused(GPT_IMAGE_1, masked)).toBeUndefined()
    expect(refused(GEMINI, masked)).toBe('mask')
    expect(refused(GPT_IMAGE_1, { ...masked, references: [] })).toBe('mask')
  })
})

describe('the size', () => {
  it.each(['1024x1024', '1536x1024', '1024x1536', 'auto'])('%s is passed on unchanged [image.imageSize]', (size) => {
    expect(fit(GPT_IMAGE_1, { size })).toEqual({ settings: { size }, delivery: {}, lost: [] })
    expect(fit(GPT_IMAGE_2, { size })).toEqual({ settings: { size }, delivery: {}, lost: [] })
  })

  it.each([
    ['3840x1280', true],
    ['1280x3840', true],
    ['2048x1152', true],
    ['1000x1000', false], // not a multiple of 16
    ['3856x2160', false], // too long
    ['3200x1024', false], // more than three to one
    ['1024x1032', false],
    ['0x16', false],
    ['large', false],
  ])('%s of custom sizes is accepted: %s; only where the card has a rule [image.imageSize]', (size, isRight) => {
    expect(refused(GPT_IMAGE_2, { size })).toBe(isRight ? undefined : 'settings.size')
    expect(refused(GPT_IMAGE_1, { size })).toBe('settings.size')
  })

  it('of any text is taken unchanged, or refused', () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.nat(5000), (width, height) => {
        const size = `${width}x${height}`
        const pixels = parseSize(size)
        const { custom } = GPT_IMAGE_2
        const isRight =
          GPT_IMAGE_2.sizes?.includes(size) === true ||
          (pixels !== undefined && custom !== undefined && sizeProblem(pixels, custom) === undefined)
        expect(refused(GPT_IMAGE_2, { size })).toBe(isRight ? undefined : 'settings.size')
      }),
    )
  })

  it.each<[string, ImageFacts, ImageSettings, string, readonly string[]]>([
    ['of the table', SEEDREAM, { tier: '4K', aspectRatio: '16:9' }, '5504x3040', []],
    ['of the table, in the default tier', SEEDREAM, { aspectRatio: '32:18' }, '2560x1440', []],
    ['computed', SEEDREAM, { tier: '2K', aspectRatio: '2:1' }, '2896x1448', []],
    ['computed in multiples', GPT_IMAGE_2, { aspectRatio: '4:3' }, '1184x880', []],
    ['computed from a tier alone', GPT_IMAGE_2, { tier: '2K' }, '2048x2048', []],
    [
      'nearest to a tier that is too large',
      GPT_IMAGE_2,
      { tier: '4K', aspectRatio: '16:9' },
      '3840x2160',
      ['settings.tier'],
    ],
    ['nearest to a shape that is too long', GPT_IMAGE_2, { aspectRatio: '5:1' }, '1776x592', ['settings.aspectRatio']],
    ['a preset', GPT_IMAGE_1, { aspectRatio: '3:2' }, '1536x1024', []],
    [
      'the nearest preset',
      GPT_IMAGE_1,
      { aspectRatio: '16:9', tier: '4K' },
      '1536x1024',
      ['settings.aspectRatio', 'settings.tier'],
    ],
  ])('is %s [image.aspectRatio] [image.sampleImageSize]', (_how, facts, settings, size, lost) => {
    expect(fit(facts, settings)).toEqual({ settings: { size }, delivery: {}, lost })
  })

  it.each<[string, ImageFacts, string, ImageSettings, readonly string[]]>([
    ['exact', GEMINI, '2048x2048', { aspectRatio: '1:1', tier: '2K' }, []],
    ['the nearest', GEMINI, '1536x1024', { aspectRatio: '3:2', tier: '1K' }, ['settings.size']],
    ['the nearest shape', IMAGEN, '1920x1080', { aspectRatio: '16:9', tier: '1K' }, ['settings.size']],
    ['left to the model', GEMINI, 'auto', {}, []],
    ['left out', { takes: [] }, '1024x1024', {}, ['settings.size']],
  ])('is %s for a model that takes shapes', (_how, facts, size, settings, lost) => {
    expect(fit(facts, { size })).toEqual({ settings, delivery: {}, lost })
  })

  it('is given once: what says it again is reported', () => {
    expect(fit(GPT_IMAGE_2, { size: 'auto', aspectRatio: '1:1', tier: '1K' }).lost).toEqual([
      'settings.tier',
      'settings.aspectRatio',
    ])
    expect(fit(GEMINI, { size: '1024x1024', aspectRatio: '3:2' })).toMatchObject({
      settings: { aspectRatio: '3:2' },
      lost: ['settings.size'],
    })
  })

  it.each<[ImageFacts, ImageSettings, string]>([
    [IMAGEN, { aspectRatio: '21:9' }, 'settings.aspectRatio'],
    [IMAGEN, { aspectRatio: 'wide' }, 'settings.aspectRatio'],
    [IMAGEN, { tier: '4K' }, 'settings.tier'],
    [GPT_IMAGE_2, { tier: 'huge' }, 'settings.tier'],
    [GEMINI, { size: 'huge' }, 'settings.size'],
  ])('%#: what a card does not list is refused', (facts, settings, member) => {
    expect(refused(facts, settings)).toBe(member)
  })
})

describe('other settings', () => {
  const OPTIONS = {
    negativePrompt: 'rain',
    seed: 7,
    enhance: true,
    watermark: false,
    guidance: 5,
    people: 'allow_adult',
    safety: 'BLOCK_ONLY_HIGH',
    explainBlocks: true,
    fidelity: 'high',
    style: 'vivid',
  } satisfies ImageSettings

  it.each(Object.entries(OPTIONS))(
    '%s is kept if the card takes it, and is reported or refused otherwise',
    (name, value) => {
      const option = name as keyof typeof OPTIONS
      const settings = { [option]: value }
      expect(fit({ takes: [option] }, settings)).toEqual({ settings, delivery: {}, lost: [] })
      expect(fit({ takes: [] }, settings)).toEqual({ settings: {}, delivery: {}, lost: [`settings.${option}`] })
      expect(refused({ refuses: [option] }, settings)).toBe(`settings.${option}`)
    },
  )

  it('quality and background have the words of the card [image.quality]', () => {
    for (const quality of ['low', 'medium', 'high', 'auto'])
      expect(fit(GPT_IMAGE_1, { quality }).settings).toEqual({ quality })
    expect(refused(GPT_IMAGE_1, { quality: 'hd' })).toBe('settings.quality')
    expect(refused(GPT_IMAGE_1, { background: 'blue' })).toBe('settings.background')
    expect(fit(IMAGEN, { quality: 'high' })).toMatchObject({ settings: {}, lost: ['settings.quality'] })
  })

  it('the format is one of the card; the only one need not be asked for [image.output.mimeType]', () => {
    expect(fit(IMAGEN, { format: 'image/jpeg' })).toMatchObject({ settings: { format: 'image/jpeg' }, lost: [] })
    expect(refused(IMAGEN, { format: 'image/webp' })).toBe('settings.format')
    expect(fit({ formats: ['image/png'] }, { format: 'image/png' })).toMatchObject({ settings: {}, lost: [] })
    expect(fit({ formats: ['image/png'] }, { format: 'image/jpeg' })).toMatchObject({
      settings: {},
      lost: ['settings.format'],
    })
    expect(refused({ formats: ['image/png'], refuses: ['format'] }, { format: 'image/jpeg' })).toBe('settings.format')
  })

  it('the quality of compression is for lossy formats [image.output.quality]', () => {
    const jpeg = { format: 'image/jpeg', compression: 40 }
    expect(fit(IMAGEN, jpeg)).toMatchObject({ settings: jpeg, lost: [] })
    expect(fit(IMAGEN, { compression: 40 })).toMatchObject({ settings: {}, lost: ['settings.compression'] })
    expect(fit(IMAGEN, { format: 'image/png', compression: 100 })).toMatchObject({
      settings: { format: 'image/png' },
      lost: [],
    })
    expect(refused(IMAGEN, { ...jpeg, compression: 101 })).toBe('settings.compression')
    expect(fit(GLM, jpeg).lost).toEqual(['settings.format', 'settings.compression'])
  })

  it('unfinished images are as many as the card has', () => {
    expect(fit(GPT_IMAGE_1, {}, { stream: true, partials: 3 }).delivery).toEqual({ stream: true, partials: 3 })
    expect(fit({ partials: 2 }, {}, { stream: true, partials: 3 })).toMatchObject({
      delivery: { stream: true, partials: 2 },
      lost: ['delivery.partials'],
    })
    expect(fit(GLM, {}, { stream: true, partials: 1 })).toMatchObject({
      delivery: { stream: true },
      lost: ['delivery.partials'],
    })
  })
})

describe('every fitted request', () => {
  const some = <T>(...values: readonly T[]) => fc.constantFrom(...values)
  const settings = fc.record(
    {
      count: some(1, 2, 4),
      size: some('1024x1024', '1536x1024', '2048x1152', '1280x720', 'auto'),
      tier: some('1K', '2K', '4K'),
      aspectRatio: some('1:1', '16:9', '3:4', '21:9'),
      quality: some('low', 'hd'),
      format: some('image/png', 'image/jpeg'),
      compression: some(50, 100),
      seed: some(0, 1),
      watermark: fc.boolean(),
      negativePrompt: some('', 'rain'),
    },
    { requiredKeys: [] },
  )
  const facts = some(GPT_IMAGE_1, GPT_IMAGE_2, IMAGEN, GEMINI, SEEDREAM, GLM)

  it('is refused, or has or reports every setting; fitted again, it stays the same', () => {
    fc.assert(
      fc.property(facts, settings, (card, given) => {
        if (refused(card, given) !== undefined) return
        const { settings: fitted, lost } = fit(card, given)
        const isSized = fitted.size !== undefined || fitted.aspectRatio !== undefined || fitted.tier !== undefined
        const EQUAL: { readonly [setting: string]: boolean } = {
          size: given.size === 'auto' || isSized,
          tier: isSized,
          aspectRatio: isSized,
          format: card.formats?.length === 1,
          compression: given.compression === 100,
        }
        for (const [name, value] of Object.entries(given)) {
          const isKept = fitted[name as keyof ImageSettings] === value
          expect({ name, reported: isKept || EQUAL[name] === true || lost.includes(`settings.${name}`) }).toEqual({
            name,
            reported: true,
          })
        }
        expect(fit(card, fitted)).toEqual({ settings: fitted, delivery: {}, lost: [] })
      }),
    )
  })

  it('is the same request if nothing changes', () => {
    const same = request({ size: '1024x1024', quality: 'low', count: 2 }, { stream: true })
    expect(fitImage(same, GPT_IMAGE_1, createLosses())).toBe(same)
  })
})

it('an error names the member of the body', () => {
  const locate = () => ['parameters', 'sampleCount']
  expect(() => fitImage(request({ count: 5 }), IMAGEN, createLosses(), locate)).toThrow(
    expect.objectContaining({
      param: 'parameters.sampleCount',
      message: 'parameters.sampleCount: this model draws at most 4 images per request.',
    }),
  )
})
