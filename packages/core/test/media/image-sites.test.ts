import { describe, expect, it } from 'vitest'
import { replaceLinkedFrames, replaceLinkedImages, type ReplaceSource } from '../../src/ir/linked-media.ts'
import { valueAt } from '../../src/lib/json-path.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { image as chatImage } from '../../src/protocols/chat/image.ts'
import { image as genaiImage } from '../../src/protocols/genai/image.ts'
import { video as genaiVideo } from '../../src/protocols/genai/video.ts'
import { locateIn, type Sites } from '../../src/protocols/locate.ts'

const at = (name: string): string => `https://files.example/${name}`
const raw = (id: number, name: string): JsonObject => ({
  referenceType: 'REFERENCE_TYPE_RAW',
  referenceId: id,
  referenceImage: { gcsUri: at(name), mimeType: 'image/png' },
})
const mask = (id: number, name: string): JsonObject => ({ ...raw(id, name), referenceType: 'REFERENCE_TYPE_MASK' })

/** Fails for an image whose path in the body has another value than its URL. Returns the paths. */
function located(sites: Sites | undefined, body: JsonObject, run: (replace: ReplaceSource) => unknown): string[] {
  const locate = locateIn(sites ?? new Map(), body)
  const found: string[] = []
  run(({ url }, path) => {
    const site = locate(path, 'changed')
    expect(valueAt(body, site)).toBe(url)
    found.push(site.join('.'))
    return undefined
  })
  return found
}

describe('the member with the URL of an image', () => {
  it.each<[JsonObject, string[]]>([
    [{ image: at('a') }, ['image']],
    [{ image: [at('a'), { image_url: at('b') }], mask: at('m') }, ['image.0', 'image.1.image_url', 'mask']],
    [{ image: { url: at('a') }, images: [at('b')] }, ['image.url', 'images.0']],
    [
      { images: [{ image_url: { url: at('a') } }], mask: { image_url: at('m') } },
      ['images.0.image_url.url', 'mask.image_url'],
    ],
  ])('is found in a body of chat: %j', (members, expected) => {
    const operation = 'image-edit'
    const body = chatImage.check({ model: 'm', prompt: 'p', ...members }, { operation })
    const request = chatImage.decode(body, { issuer: 'openai', operation })
    expect(located(chatImage.sites, body, (replace) => replaceLinkedImages(request, replace))).toEqual(expected)
  })

  const LIST = 'instances.0.referenceImages'
  it.each<[JsonObject, string[]]>([
    [{ image: { gcsUri: at('a') } }, ['instances.0.image.gcsUri']],
    [
      { referenceImages: [mask(1, 'm'), raw(2, 'a'), raw(3, 'b')] },
      [1, 2, 0].map((index) => `${LIST}.${index}.referenceImage.gcsUri`),
    ],
    [
      { image: { gcs_uri: at('a') }, reference_images: [raw(1, 'b')] },
      ['instances.0.image.gcsUri', `${LIST}.0.referenceImage.gcsUri`],
    ],
  ])('is found in a body of :predict: %j', (members, expected) => {
    const operation = 'predict'
    const body = genaiImage.check({ instances: [{ prompt: 'p', ...members }] }, { operation })
    const request = genaiImage.decode(body, { issuer: 'google', operation })
    expect(located(genaiImage.sites, body, (replace) => replaceLinkedImages(request, replace))).toEqual(expected)
  })

  it('is found in a body of :predictLongRunning', () => {
    const operation = 'video-submit'
    const instance = {
      prompt: 'p',
      image: { gcsUri: at('a') },
      lastFrame: { gcsUri: at('b') },
      referenceImages: [{ image: { gcsUri: at('c') }, referenceType: 'asset' }],
    }
    const body = genaiVideo.check({ instances: [instance] }, { operation })
    const request = genaiVideo.decode(body, { issuer: 'google', operation })
    expect(located(genaiVideo.sites, body, (replace) => replaceLinkedFrames(request, replace))).toEqual([
      'instances.0.image.gcsUri',
      'instances.0.lastFrame.gcsUri',
      `${LIST}.0.image.gcsUri`,
    ])
  })
})
